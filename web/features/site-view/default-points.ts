import { pointsOutside } from '../alarm/index.ts';
import type { SiteAlarm, SiteAsset } from './site-view.queries.ts';

const MOST = 3;

/**
 * What the trend shows before anybody chose: what is in alarm, in the order of the list of alarms, which begins with those
 * that need somebody most; else the value that the site is known by on the board as well.
 */
export function defaultPoints(
  assets: readonly SiteAsset[],
  alarms: readonly SiteAlarm[],
  lead: { uuid: string } | null,
): string[] {
  const here = new Set(assets.flatMap(({ points }) => points.map(({ uuid }) => uuid)));
  const inAlarm = new Set(alarms.flatMap((alarm) => [...pointsOutside(alarm).keys()].filter((uuid) => here.has(uuid))));
  if (inAlarm.size > 0) return [...inAlarm].slice(0, MOST);
  return lead ? [lead.uuid] : [];
}
