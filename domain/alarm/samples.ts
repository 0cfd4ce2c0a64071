import type { Context } from '../rule/context.ts';
import { type LimitFields, limitsOf, placeState, placeValue } from '../rule/limits.ts';
import { isOutside } from '../rule/replay.ts';

export interface Sample {
  /** Device time of the reading. */
  at: number;
  value: number;
}

/** Returns the loaded readings around the time `at`, oldest first; empty if none were loaded for this time. */
export type SamplesOf = (channelKey: number | null, at: number) => readonly Sample[];

/**
 *  Returns the last value in a time range that is outside the limits. The newest value can be inside the limits,
 * because a debounce can end exactly at a reading that is inside again.
 */
export function lastOut(
  { kind, alarmCondition, ...limits }: Pick<Context, 'kind' | 'alarmCondition' | keyof LimitFields>,
  samples: readonly Sample[],
  since: number,
  until: number,
): number | undefined {
  const placeOf = (value: number) =>
    kind === 'digital' ? placeState(alarmCondition ?? 2, value) : placeValue(limitsOf(limits), value);
  return samples.findLast(({ at, value }) => at >= since && at <= until && isOutside(placeOf(value)))?.value;
}
