import { datapointsOutside } from '../alarm/index.ts';
import type { SiteAlarm, SiteAsset } from './site-view.queries.ts';

const MOST = 3;

/**
 * Returns the default data points of the trend: at most three data points in alarm, in the order of the alarm list.
 * Without alarms, returns the data point on the site's dashboard tile.
 */
export function defaultPoints(
  assets: readonly SiteAsset[],
  alarms: readonly SiteAlarm[],
  lead: { uuid: string } | null,
): string[] {
  const here = new Set(assets.flatMap(({ points }) => points.map(({ uuid }) => uuid)));
  const inAlarm = new Set(
    alarms.flatMap((alarm) => [...datapointsOutside(alarm).keys()].filter((uuid) => here.has(uuid))),
  );
  if (inAlarm.size > 0) return [...inAlarm].slice(0, MOST);
  return lead ? [lead.uuid] : [];
}
