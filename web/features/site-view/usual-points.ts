import type { SiteAlarm, SiteAsset } from './site-view.queries.ts';

const MOST = 3;

/** What the trend shows before anybody chose: what is in alarm, else the value that the site is known by on the board as well. */
export function usualPoints(
  assets: readonly SiteAsset[],
  alarms: readonly SiteAlarm[],
  lead: { uuid: string } | null,
): string[] {
  const inAlarm = assets
    .flatMap((asset) => asset.points)
    .filter(({ uuid }) => alarms.some((alarm) => alarm.tocsinDatapointUuid === uuid));
  if (inAlarm.length > 0) return inAlarm.slice(0, MOST).map(({ uuid }) => uuid);
  return lead ? [lead.uuid] : [];
}
