import { DIGITAL } from '../../../domain/datapoint.ts';
import type { SiteAlarm, SiteAsset } from './site-view.queries.ts';

const MOST = 3;

/** What the trend shows before anybody chose: what is in alarm, else the first value of the site that is more than on or off. */
export function usualPoints(assets: readonly SiteAsset[], alarms: readonly SiteAlarm[]): string[] {
  const points = assets.flatMap((asset) => asset.points);
  const inAlarm = points.filter(({ uuid }) => alarms.some((alarm) => alarm.tocsinDatapointUuid === uuid));
  if (inAlarm.length > 0) return inAlarm.slice(0, MOST).map(({ uuid }) => uuid);
  const first = points.find(({ sensorType }) => sensorType !== DIGITAL) ?? points[0];
  return first ? [first.uuid] : [];
}
