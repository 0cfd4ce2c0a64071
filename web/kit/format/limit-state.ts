import { DIGITAL, NEITHER, STALE } from '../../../domain/datapoint.ts';
import { limitsOf, placeState, placeValue } from '../../../domain/rule/limits.ts';
import { noAlarm } from '../../ui/state-words.ts';

/** What a data point is judged by now, as far as its value alone decides. */
export interface Watching {
  /** 1 digital, 2 analog, 3 counter. */
  sensorType: number;
  sensorChannel: { channelAlarmCondition: number } | null;
  /** Those of the rules that are enabled. */
  limits: readonly { lower: number | null; upper: number | null }[];
}

export type Out = 'high' | 'low' | 'alarm';

/** A value outside that nobody is told of: its alarm was resolved by hand, or it has not been out for long enough. */
export const withoutAlarm: Record<Out, string> = {
  high: 'High, no alarm',
  low: 'Low, no alarm',
  // The word of the state stands beside it.
  alarm: noAlarm,
};

/** Whether a rule that is enabled sets limits for the data point, or its channel has an alarm state. */
export function isWatched({ sensorType, sensorChannel, limits }: Watching): boolean {
  return limits.length > 0 || (sensorType === DIGITAL && (sensorChannel?.channelAlarmCondition ?? NEITHER) !== NEITHER);
}

/** On which side of what is watched now a value lies, whether or not an alarm is open; null where it is inside, or old. */
export function placeOf(point: Watching, value: number | null, status: number): Out | null {
  if (value === null || status === STALE) return null;
  if (point.sensorType === DIGITAL) {
    return placeState(point.sensorChannel?.channelAlarmCondition ?? NEITHER, value) === 'alarm' ? 'alarm' : null;
  }
  for (const limits of point.limits) {
    const place = placeValue(limitsOf({ ...limits, clearLower: null, clearUpper: null }), value);
    if (place === 'above') return 'high';
    if (place === 'below') return 'low';
  }
  return null;
}

/** The limits of the rules that are enabled. */
export function limitsWatched(
  rules: readonly { enabled: boolean; valueLower: number | null; valueUpper: number | null }[],
): Watching['limits'] {
  return rules.flatMap(({ enabled, valueLower: lower, valueUpper: upper }) => (enabled ? { lower, upper } : []));
}
