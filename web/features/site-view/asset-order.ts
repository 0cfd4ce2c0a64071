import { STALE } from '../../../domain/datapoint.ts';
import { severities } from '../../../domain/rule/priority.ts';
import { acknowledgementOf, quietState, severityOf } from '../../kit/format/alarm.ts';
import { alarmsOfPoint } from './point-tile.ts';
import type { Point, SiteAlarm, SiteAsset } from './site-view.queries.ts';

const OUT_WITHOUT_ALARM = 2 * severities.length;
const STALE_VALUE = OUT_WITHOUT_ALARM + 1;
const QUIET = STALE_VALUE + 1;
const NORMAL = QUIET + 1;

/**
 * Sorts the assets by their worst data point. The order, from worst to best, is: open alarms, by severity and with
 * unacknowledged ones first; values outside their limits without an alarm; stale values; values whose alarms are
 * quiet; normal values.
 */
export function worstFirst(
  assets: readonly SiteAsset[],
  alarms: readonly SiteAlarm[],
  out: readonly Pick<Point, 'uuid'>[],
): SiteAsset[] {
  const outside = new Set(out.map(({ uuid }) => uuid));
  const rankOfPoint = ({ uuid, status }: Point) => {
    const own = alarmsOfPoint(alarms, uuid).map((alarm) =>
      quietState(alarm)
        ? QUIET
        : 2 * severities.indexOf(severityOf(alarm.severity)) +
          Number(acknowledgementOf(alarm.acknowledgeJson) !== null),
    );
    if (outside.has(uuid)) own.push(OUT_WITHOUT_ALARM);
    if (status === STALE) own.push(STALE_VALUE);
    return Math.min(NORMAL, ...own);
  };
  const ranks = new Map(assets.map((asset) => [asset.uuid, Math.min(NORMAL, ...asset.points.map(rankOfPoint))]));
  return assets.toSorted((a, b) => (ranks.get(a.uuid) ?? NORMAL) - (ranks.get(b.uuid) ?? NORMAL));
}
