import { describe, expect, test } from 'vitest';
import { explainNoAlarm } from './explain.ts';
import { limitsOf, placeState } from './limits.ts';
import { ruleOfLimits } from './replay.ts';

const MINUTE = 60_000;
const limits = limitsOf({ lower: 2, upper: 8, clearLower: null, clearUpper: null });
const rule = ruleOfLimits(limits, 5 * MINUTE);

/** Explains the readings of a test. `from` and `until` are minutes; readings are [minute, value]. */
function quiet(readings: [number, number][], from = 0, until = 60, some: Parameters<typeof explainNoAlarm>[0] = rule) {
  const times = readings.map(([minute]) => minute * MINUTE);
  const values = readings.map(([, value]) => value);
  return explainNoAlarm(some, times, values, from * MINUTE, until * MINUTE);
}

describe('why a rule opened no alarm', () => {
  test('says that nothing arrived', () => {
    expect(quiet([])).toEqual({ because: 'no-readings', sentence: 'No readings arrived in this period.' });
    expect(
      quiet(
        [
          [0, 5],
          [61, 9],
        ],
        10,
      ),
    ).toMatchObject({ because: 'no-readings' });
  });

  test('says that the value was never outside, and names the value nearest to a limit', () => {
    expect(
      quiet([
        [0, 5],
        [10, 7.5],
        [20, 2.25],
        [30, 6],
      ]),
    ).toEqual({
      because: 'never-out',
      nearest: { time: 20 * MINUTE, value: 2.25 },
      readings: 4,
      sentence: 'The value was never outside its limits. The value nearest to a limit was 2.25.',
    });
    expect(
      quiet(
        [
          [0, 7.9],
          [10, 5],
          [20, 6],
        ],
        5,
      ),
    ).toMatchObject({ nearest: { value: 6 }, readings: 2 });
    const cold = ruleOfLimits(limitsOf({ lower: null, upper: -15, clearLower: null, clearUpper: null }), 0);
    expect(quiet([[0, -18.5]], 0, 60, cold)).toMatchObject({
      sentence: 'The value was never outside its limits. The value nearest to a limit was \u221218.5.',
    });
  });

  test('says that the value was outside, but never long enough', () => {
    expect(
      quiet([
        [0, 5],
        [10, 9],
        [11, 5],
        [20, 1],
        [24, 5],
        [30, 9],
        [31, 5],
      ]),
    ).toEqual({
      because: 'too-short',
      since: 20 * MINUTE,
      outMs: 4 * MINUTE,
      holdMs: 5 * MINUTE,
      sentence: 'The longest time outside was 4 minutes, but the debounce is 5 minutes.',
    });
  });

  test('says that the value was still outside at the end, but not long enough yet', () => {
    expect(
      quiet([
        [0, 5],
        [57, 9],
      ]),
    ).toMatchObject({ because: 'too-short', since: 57 * MINUTE, outMs: 3 * MINUTE });
  });

  test('includes a time outside that began before the range only if it ended in the range', () => {
    expect(
      quiet(
        [
          [8, 9],
          [12, 5],
        ],
        10,
      ),
    ).toMatchObject({ because: 'too-short', since: 8 * MINUTE, outMs: 4 * MINUTE });
    expect(
      quiet(
        [
          [5, 9],
          [9, 5],
          [12, 5],
        ],
        10,
      ),
    ).toMatchObject({ because: 'never-out' });
  });

  test('says that the rule would have opened alarms', () => {
    expect(
      quiet([
        [0, 5],
        [10, 9],
        [20, 5],
      ]),
    ).toEqual({
      because: 'would-have-opened',
      alarms: [{ since: 10 * MINUTE, openedAt: 15 * MINUTE, resolvedAt: 25 * MINUTE, peak: 9 }],
      sentence: 'The rule would have opened an alarm.',
    });
    expect(
      quiet([
        [10, 9],
        [20, 5],
        [30, 9],
        [40, 5],
      ]).sentence,
    ).toContain('2 alarms');
  });

  test('reports the alarm of a sensor that fell silent while its value was outside', () => {
    expect(quiet([[9, 9]], 10)).toMatchObject({ because: 'would-have-opened' });
  });

  test('says that an alarm was already open', () => {
    expect(
      quiet(
        [
          [0, 9],
          [20, 9],
          [30, 5],
        ],
        10,
      ),
    ).toMatchObject({
      because: 'already-open',
      alarm: { openedAt: 5 * MINUTE, resolvedAt: 35 * MINUTE },
    });
    expect(
      quiet(
        [
          [0, 9],
          [2, 9],
          [30, 5],
        ],
        35,
      ),
    ).toMatchObject({ because: 'no-readings' });
  });

  test('names no nearest value for a rule without limits', () => {
    const door = { place: (value: number) => placeState(1, value), holdMs: 0 };
    expect(
      quiet(
        [
          [0, 0],
          [10, 0],
        ],
        0,
        60,
        door,
      ),
    ).toEqual({
      because: 'never-out',
      nearest: undefined,
      readings: 2,
      sentence: 'The alarm state never occurred in this period.',
    });
  });
});
