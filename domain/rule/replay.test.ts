import { describe, expect, test } from 'vitest';
import { type EvaluatedRule, evaluateReading } from './evaluate-reading.ts';
import { limitsOf, placeState, placeValue } from './limits.ts';
import { type ReplayedAlarm, replay, ruleOfLimits } from './replay.ts';
import { advance, type Transition } from './step.ts';

const MINUTE = 60_000;
const limits = limitsOf({ lower: 45, upper: 100, clearLower: null, clearUpper: null });
const minutes = (...list: number[]) => list.map((minute) => minute * MINUTE);
const inMinutes = (alarms: ReplayedAlarm[]) =>
  alarms.map(({ since, openedAt, resolvedAt, peak }) => ({
    since: since / MINUTE,
    openedAt: openedAt / MINUTE,
    resolvedAt: resolvedAt === undefined ? undefined : resolvedAt / MINUTE,
    peak,
  }));

/** Generates deterministic temperatures about every five minutes for some weeks, with faults, gaps and noise. */
function madeSeries(count: number): { times: number[]; values: number[] } {
  const times: number[] = [];
  const values: number[] = [];
  let seed = 7;
  const chance = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  let time = 0;
  let drift = 80;
  for (let index = 0; index < count; index += 1) {
    time += chance() < 0.002 ? 300 * MINUTE : 5 * MINUTE + Math.floor(chance() * 2000);
    drift += (80 - drift) * 0.02 + (chance() - 0.5) * 8 + (chance() < 0.004 ? -30 : 0);
    times.push(time);
    values.push(drift + (chance() - 0.5) * 10);
  }
  return { times, values };
}

/**
 * Independent reference model for the test: an alarm opens when a value has been outside the limits for the whole
 * debounce.
 */
function fewLines(times: number[], values: number[], hold: number, until: number) {
  const alarms: { openedAt: number; resolvedAt: number | undefined }[] = [];
  const isOut = (index: number) => values[index]! < 45 || values[index]! > 100;
  for (let start = 0, end = 0; start < times.length; start = end) {
    while (end < times.length && isOut(end) === isOut(start)) end += 1;
    const reached = times[start]! + hold;
    if (reached > (times[end] ?? until)) continue;
    const current = alarms.at(-1);
    const open = current !== undefined && current.resolvedAt === undefined;
    if (isOut(start) && !open) alarms.push({ openedAt: reached, resolvedAt: undefined });
    if (!isOut(start) && open) current.resolvedAt = reached;
  }
  return alarms;
}

/** Evaluates readings one by one as the live engine does, with a clock tick every seven minutes in between. */
function live(times: number[], values: number[], hold: number, until: number): Transition[] {
  const evaluated: EvaluatedRule = { state: undefined, last: undefined };
  const transitions: Transition[] = [];
  const take = (after: { state: EvaluatedRule['state']; transitions: readonly Transition[] }) => {
    evaluated.state = after.state;
    transitions.push(...after.transitions);
  };
  let clock = 0;
  for (const [index, time] of times.entries()) {
    for (; clock < time; clock += 7 * MINUTE) take(advance(evaluated.state, hold, clock));
    const after = evaluateReading(evaluated, hold, time, placeValue(limits, values[index]!));
    take(after);
    if (after.taken) evaluated.last = time;
  }
  take(advance(evaluated.state, hold, until));
  return transitions;
}

describe('replay', () => {
  const { times, values } = madeSeries(8000);
  const until = times.at(-1)! + 60 * MINUTE;

  test.each([0, 1, 10, 30, 240])(
    'with a debounce of %i minutes gives the same alarms as a simple model and as live evaluation',
    (debounce) => {
      const hold = debounce * MINUTE;
      const transitions: Transition[] = [];
      const alarms = replay(ruleOfLimits(limits, hold), times, values, until, (transition) =>
        transitions.push(transition),
      );
      expect(alarms.length).toBeGreaterThan(0);
      expect(alarms.map(({ openedAt, resolvedAt }) => ({ openedAt, resolvedAt }))).toEqual(
        fewLines(times, values, hold, until),
      );
      expect(transitions).toEqual(live(times, values, hold, until));
      for (const { since, openedAt, peak } of alarms) {
        expect(openedAt - since).toBe(hold);
        expect(placeValue(limits, peak)).not.toBe('inside');
      }
    },
  );

  test('takes the value farthest outside, on either side, as the peak', () => {
    const rule = ruleOfLimits(limits, 10 * MINUTE);
    const readings = [120, 105, 101, 30, 44, 70, 101, 70, 70];
    expect(inMinutes(replay(rule, minutes(0, 5, 10, 15, 20, 25, 30, 35, 50), readings, 60 * MINUTE))).toEqual([
      { since: 0, openedAt: 10, resolvedAt: 45, peak: 120 },
    ]);
    const colder = [101, 105, 101, 20, 44, 70];
    expect(inMinutes(replay(rule, minutes(0, 5, 10, 15, 20, 25), colder, 60 * MINUTE))).toEqual([
      { since: 0, openedAt: 10, resolvedAt: 35, peak: 20 },
    ]);
  });

  test('does not carry the peak of an alarm or a spike into the next alarm', () => {
    const rule = ruleOfLimits(limits, 10 * MINUTE);
    const readings = [200, 70, 101, 102, 70, 110, 110];
    expect(inMinutes(replay(rule, minutes(0, 5, 20, 25, 40, 50, 70), readings, 70 * MINUTE))).toEqual([
      { since: 20, openedAt: 30, resolvedAt: 50, peak: 102 },
      { since: 50, openedAt: 60, resolvedAt: undefined, peak: 110 },
    ]);
  });

  test('opens a due alarm at the end without another reading, but not a pending one', () => {
    const rule = ruleOfLimits(limits, 10 * MINUTE);
    expect(replay(rule, minutes(0), [120], 10 * MINUTE)).toHaveLength(1);
    expect(replay(rule, minutes(0), [120], 10 * MINUTE - 1)).toEqual([]);
    expect(replay(rule, [], [], 10 * MINUTE)).toEqual([]);
  });

  test('skips late and duplicate readings, and those after the end', () => {
    const rule = ruleOfLimits(limits, 0);
    expect(inMinutes(replay(rule, minutes(10, 5, 10, 20, 90), [70, 120, 120, 110, 70], 60 * MINUTE))).toEqual([
      { since: 20, openedAt: 20, resolvedAt: undefined, peak: 110 },
    ]);
  });

  test('keeps the first value outside as the peak for a rule without distance', () => {
    const rule = { place: (value: number) => placeState(1, value), holdMs: 0 };
    expect(inMinutes(replay(rule, minutes(0, 1, 2, 3), [0, 1, 2, 0], 60 * MINUTE))).toEqual([
      { since: 1, openedAt: 1, resolvedAt: 3, peak: 1 },
    ]);
  });

  test('accepts typed arrays', () => {
    const rule = ruleOfLimits(limits, 10 * MINUTE);
    expect(replay(rule, Float64Array.from(times), Float64Array.from(values), until)).toEqual(
      replay(rule, times, values, until),
    );
  });
});
