import { isWatched } from '../../kit/format/limit-state.ts';
import type { Point, SiteFacts } from './site-view.queries.ts';

/** Explains why the site has no open alarm. */
export function noAlarmReason(
  { assets, disabledRules }: Pick<SiteFacts, 'assets' | 'disabledRules'>,
  /** Data points whose values are outside their limits although no alarm is open. */
  out: readonly Pick<Point, 'tocsinDatapointName'>[],
): string {
  const points = assets.flatMap((asset) => asset.points);
  if (points.length === 0) {
    return 'No values yet, so nothing is checked against limits.';
  }
  if (out.length === 0) {
    if (points.every(isWatched)) return 'All values are within their limits.';
    if (points.some(isWatched)) return 'All values that have limits are within those limits.';
    // The text mentions only limits, because not every user can see the multi-condition rules of the site.
    if (disabledRules === 0) return 'No rule sets limits for these values.';
    return disabledRules === 1
      ? 'The only rule with limits here is disabled, so no value is checked against limits.'
      : 'All rules with limits here are disabled, so no value is checked against limits.';
  }
  const names = out.map(({ tocsinDatapointName }) => tocsinDatapointName).join(', ');
  return out.length === 1
    ? `${names} is out of limits without an alarm: the alarm was resolved manually, or the debounce is still running.`
    : `${names} are out of limits without an alarm: the alarms were resolved manually, or the debounce is still running.`;
}
