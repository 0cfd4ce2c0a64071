import { exactDuration } from '../alarm/exact-duration.ts';
import { displayNumber } from '../alarm/number-text.ts';
import { isNewer } from './evaluate-reading.ts';
import { type ReplayedAlarm, type ReplayRule, replay } from './replay.ts';
import type { Transition } from './step.ts';

interface Reading {
  time: number;
  value: number;
}

/** The reason why a rule opened no alarm in a time range, or the alarms that it would have opened. */
export type NoAlarmExplanation =
  | { because: 'no-readings'; sentence: string }
  /** `nearest` is the reading nearest to a limit; undefined for rules without limits. */
  | { because: 'never-out'; sentence: string; nearest: Reading | undefined; readings: number }
  /**
   * `since` is the start of the longest period outside the limits. `outMs` is the length of this period up to the end
   * of the range.
   */
  | { because: 'too-short'; sentence: string; since: number; outMs: number; holdMs: number }
  /** An alarm that opened before the range was still open. */
  | { because: 'already-open'; sentence: string; alarm: ReplayedAlarm }
  | { because: 'would-have-opened'; sentence: string; alarms: ReplayedAlarm[] };

/**
 * Explains why a rule opened no alarm. Readings must be in chronological order. Readings before `from` only set the
 * initial state of the rule.
 */
export function explainNoAlarm(
  rule: ReplayRule,
  times: ArrayLike<number>,
  values: ArrayLike<number>,
  from: number,
  until: number,
): NoAlarmExplanation {
  const out = new LongestOut(from);
  const all = replay(rule, times, values, until, (transition) => out.see(transition));
  const alarms = all.filter(({ openedAt }) => openedAt >= from);
  if (alarms.length > 0) {
    const sentence = `The rule would have opened ${alarmsInWords(alarms.length)}.`;
    return { because: 'would-have-opened', alarms, sentence };
  }
  const alarm = all.find(({ resolvedAt }) => resolvedAt === undefined || resolvedAt > from);
  if (alarm) {
    return {
      because: 'already-open',
      alarm,
      sentence: 'An alarm of this rule was already open, so no second one was opened.',
    };
  }
  const longest = out.longestUntil(until);
  if (longest) {
    const { since, outMs } = longest;
    const { holdMs } = rule;
    const sentence = `The longest time outside was ${exactDuration(outMs)}, but the debounce is ${exactDuration(holdMs)}.`;
    return { because: 'too-short', since, outMs, holdMs, sentence };
  }
  return explainInside(rule, times, values, from, until);
}

export function alarmsInWords(count: number): string {
  return count === 1 ? 'an alarm' : `${count} alarms`;
}

/** Finds the longest period outside the limits in which no alarm opened. */
class LongestOut {
  private readonly from: number;
  private since: number | undefined;
  private longest: { since: number; outMs: number } | undefined;

  constructor(from: number) {
    this.from = from;
  }

  see({ to, at }: Transition): void {
    if (to === 'normal') this.end(at);
    this.since = to === 'pending' ? at : undefined;
  }

  longestUntil(until: number): { since: number; outMs: number } | undefined {
    this.end(until);
    return this.longest;
  }

  private end(at: number): void {
    if (this.since === undefined || at < this.from) return;
    const outMs = at - this.since;
    if (this.longest === undefined || outMs > this.longest.outMs) this.longest = { since: this.since, outMs };
  }
}

function explainInside(
  rule: ReplayRule,
  times: ArrayLike<number>,
  values: ArrayLike<number>,
  from: number,
  until: number,
): NoAlarmExplanation {
  let readings = 0;
  let last: number | undefined;
  let nearest: Reading | undefined;
  let farthest = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < times.length; index += 1) {
    const time = times[index] as number;
    const value = values[index] as number;
    if (time > until || !isNewer(last, time)) continue;
    last = time;
    if (time < from) continue;
    readings += 1;
    const distance = rule.distance?.(value);
    if (distance === undefined || distance <= farthest) continue;
    farthest = distance;
    nearest = { time, value };
  }
  if (readings === 0) return { because: 'no-readings', sentence: 'No readings arrived in this period.' };
  const sentence = nearest
    ? `The value was never outside its limits. The value nearest to a limit was ${displayNumber(nearest.value)}.`
    : 'The alarm state never occurred in this period.';
  return { because: 'never-out', nearest, readings, sentence };
}
