import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AlarmFlood, afterAlarm, FLOOD_ALARMS, FLOOD_MS, type FloodWatch, includesFlood } from './alarm-flood.ts';

const MINUTE = 60_000;
const ENDS_BELOW = 5;
const quiet: FloodWatch = { recent: [], flood: undefined, previousLastAt: Number.NEGATIVE_INFINITY };

/** Returns the flood state after an alarm has opened at each of these times. */
function statesOf(times: readonly number[], endsBelow = ENDS_BELOW): FloodWatch[] {
  let watch = quiet;
  return times.map((at, index) => {
    watch = afterAlarm(watch, { uuid: `alarm-${index}`, at }, endsBelow);
    return watch;
  });
}

const every = (count: number, step: number, from = 0) =>
  Array.from({ length: count }, (_, index) => from + index * step);

describe('an alarm flood', () => {
  test('starts with the eleventh alarm within ten minutes', () => {
    const states = statesOf(every(11, 59_000));
    expect(states.map(({ flood }) => flood !== undefined)).toEqual([...Array(10).fill(false), true]);
    expect(states.at(-1)?.flood).toEqual({
      firstOut: { uuid: 'alarm-0', at: 0 },
      alarms: 11,
      lastAt: 590_000,
      endsAt: 6 * 59_000 + FLOOD_MS,
    });
  });

  test('does not start when the first of eleven alarms is ten minutes old', () => {
    expect(statesOf(every(11, MINUTE)).at(-1)?.flood).toBeUndefined();
  });

  test('counts alarms of one moment in their order', () => {
    const states = statesOf(every(12, 0));
    expect(states[9]?.flood).toBeUndefined();
    expect(states[11]?.flood).toMatchObject({ firstOut: { uuid: 'alarm-0' }, alarms: 12 });
  });

  test('continues while five alarms are within ten minutes, and ends afterwards', () => {
    const storm = every(11, 0);
    const kept = statesOf([...storm, FLOOD_MS - 1]).at(-1)?.flood;
    expect(kept).toMatchObject({ alarms: 12, endsAt: FLOOD_MS });
    expect(statesOf([...storm, FLOOD_MS - 1, FLOOD_MS]).at(-1)?.flood).toBeUndefined();
  });

  test('uses the number that the customer has set for the end', () => {
    const times = [...every(11, 0), ...every(3, 1, FLOOD_MS - 10), FLOOD_MS];
    expect(statesOf(times, 5).at(-1)?.flood).toBeUndefined();
    expect(statesOf(times, 3).at(-1)?.flood).toBeDefined();
  });

  test('does not count an alarm of the previous flood again', () => {
    const times = [...every(11, 0), ...every(3, 1, FLOOD_MS - 10), ...every(8, 1, FLOOD_MS)];
    const states = statesOf(times);
    expect(states[14]?.flood).toBeUndefined();
    expect(states.at(-1)?.flood).toMatchObject({ firstOut: { uuid: 'alarm-14' }, alarms: 8 });
  });
});

/** Alarm times in ascending order: bursts of up to 14 alarms, each after a pause of up to eleven minutes. */
const times = fc
  .array(
    fc.record({
      pause: fc.integer({ min: 0, max: 11 * MINUTE }),
      count: fc.integer({ min: 1, max: 14 }),
      step: fc.integer({ min: 0, max: MINUTE }),
    }),
    { maxLength: 8 },
  )
  .map((bursts) => {
    let at = 0;
    return bursts.flatMap(({ pause, count, step }) => {
      const burst = every(count, step, at + pause);
      at = burst.at(-1) as number;
      return burst;
    });
  });

test('follows the number of alarms within ten minutes at every alarm', () => {
  fc.assert(
    fc.property(times, fc.integer({ min: 1, max: 10 }), (moments, endsBelow) => {
      const states = statesOf(moments, endsBelow);
      let active = false;
      moments.forEach((at, index) => {
        const before = moments.slice(0, index).filter((other) => other > at - FLOOD_MS).length;
        if (active && before < endsBelow) active = false;
        if (before + 1 > FLOOD_ALARMS) active = true;
        expect(states[index]?.flood !== undefined).toBe(active);
      });
    }),
  );
});

test('alarms include a flood exactly if one of them starts one', () => {
  fc.assert(
    fc.property(times, (moments) => {
      expect(includesFlood(moments)).toBe(statesOf(moments).some(({ flood }) => flood !== undefined));
    }),
  );
});

test('predicts the end: the next alarm continues the flood exactly if it opens before', () => {
  fc.assert(
    fc.property(
      times,
      fc.integer({ min: 1, max: 10 }),
      fc.integer({ min: -2, max: 2 }),
      (moments, endsBelow, later) => {
        const storm = [...moments, ...every(11, 0, (moments.at(-1) ?? 0) + 1)];
        const flood = statesOf(storm, endsBelow).at(-1)?.flood as AlarmFlood;
        const next = statesOf([...storm, flood.endsAt + later], endsBelow).at(-1)?.flood;
        expect(next?.alarms === flood.alarms + 1).toBe(later < 0);
      },
    ),
  );
});
