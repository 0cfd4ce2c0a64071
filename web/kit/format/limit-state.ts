import { DIGITAL, NO_ALARM_STATE, STALE } from '../../../domain/datapoint.ts';
import { limitsOf, placeState, placeValue } from '../../../domain/rule/limits.ts';
import { noAlarm } from '../../ui/state-words.ts';

/** Type, limits and alarm state of a data point. They determine whether its value is outside its limits. */
export interface Watching {
  /** Sensor type: 1 digital, 2 analog, 3 counter. */
  sensorType: number;
  sensorChannel: { channelAlarmCondition: number } | null;
  /** Limits of the enabled rules. */
  limits: readonly { lower: number | null; upper: number | null }[];
}

export type Out = 'high' | 'low' | 'alarm';

/**
 * Labels for a value that is out of limits but has no open alarm, for example because the debounce is still running or
 * a person has resolved the alarm.
 */
export const withoutAlarm: Record<Out, string> = {
  high: 'High (no alarm)',
  low: 'Low (no alarm)',
  // A digital value is neither high nor low. Its state name is shown next to the label.
  alarm: noAlarm,
};

/** Returns whether an enabled rule or the channel's alarm state applies to the data point. */
export function isWatched({ sensorType, sensorChannel, limits }: Watching): boolean {
  return (
    limits.length > 0 ||
    (sensorType === DIGITAL && (sensorChannel?.channelAlarmCondition ?? NO_ALARM_STATE) !== NO_ALARM_STATE)
  );
}

/**
 * Returns on which side of the limits the value is, whether or not an alarm is open. Returns null if the value is
 * within the limits, stale or missing.
 */
export function placeOf(point: Watching, value: number | null, status: number): Out | null {
  if (value === null || status === STALE) return null;
  if (point.sensorType === DIGITAL) {
    return placeState(point.sensorChannel?.channelAlarmCondition ?? NO_ALARM_STATE, value) === 'alarm' ? 'alarm' : null;
  }
  for (const limits of point.limits) {
    const place = placeValue(limitsOf({ ...limits, clearLower: null, clearUpper: null }), value);
    if (place === 'above') return 'high';
    if (place === 'below') return 'low';
  }
  return null;
}

/** Returns the limits of the enabled rules. */
export function limitsWatched(
  rules: readonly { enabled: boolean; valueLower: number | null; valueUpper: number | null }[],
): Watching['limits'] {
  return rules.flatMap(({ enabled, valueLower: lower, valueUpper: upper }) => (enabled ? { lower, upper } : []));
}
