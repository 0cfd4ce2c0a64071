import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type StoredTime, timeAtStart } from './product-time.ts';

const SECOND = 1000;
const HOUR = 3_600_000;
const NOON = Date.UTC(2026, 2, 4, 12);
const record: StoredTime = { product: NOON, wall: NOON, boot: 'a', uptime: HOUR, stopped: true };
/** Returns the machine's clocks ten seconds later, with the wall clock changed by `step`. */
const later = (step: number, boot: string | undefined = 'a') => ({
  wall: NOON + 10 * SECOND + step,
  boot,
  uptime: HOUR + 10 * SECOND,
});
const at = (milliseconds: number) => NOON + milliseconds;

test("follows the machine's clock at the first start", () => {
  expect(timeAtStart(undefined, later(0))).toEqual({ product: at(10 * SECOND), shift: 0, because: 'first-start' });
});

test.each([
  ['takes a wall clock that runs as it should', record, later(0), at(10 * SECOND), 0, 'in-step'],
  ['continues when the wall clock went back', record, later(-HOUR / 2), at(10 * SECOND), 0, 'machine-behind'],
  [
    'follows forward after a regular stop',
    record,
    later(2 * HOUR),
    at(2 * HOUR + 10 * SECOND),
    2 * HOUR,
    'machine-ahead',
  ],
  [
    'keeps its time after a crash',
    { ...record, stopped: false },
    later(2 * HOUR),
    at(10 * SECOND),
    0,
    'machine-ahead-not-followed',
  ],
  ['does not follow for years', record, later(9e10), at(10 * SECOND), 0, 'machine-ahead-not-followed'],
  ['believes the clock of another boot', record, later(2 * HOUR, 'b'), at(2 * HOUR + 10 * SECOND), 0, 'in-step'],
  [
    'moves deadlines by what was held before another boot',
    { ...record, wall: NOON + HOUR },
    later(2 * HOUR, 'b'),
    at(2 * HOUR + 10 * SECOND),
    HOUR,
    'machine-ahead',
  ],
  ['continues from the record after another boot', record, later(-HOUR, 'b'), NOON, 0, 'machine-behind'],
  ['does not go back by a second either', record, later(-11 * SECOND, 'b'), NOON, 0, 'in-step'],
] as const)('%s', (_title, on, machine, product, shift, because) => {
  expect(timeAtStart(on, machine)).toEqual({ product, shift, because });
});

test('never goes backwards, and deadlines keep their remaining time if the elapsed time is known', () => {
  const step = fc.integer({ min: -30 * 24 * HOUR, max: 30 * 24 * HOUR });
  fc.assert(
    fc.property(step, step, fc.nat(48 * HOUR), fc.boolean(), fc.boolean(), (held, by, passed, stopped, isSame) => {
      const on = { ...record, wall: NOON + held, stopped };
      const machine = { wall: on.wall + passed + by, boot: isSame ? 'a' : 'b', uptime: HOUR + passed };
      const { product, shift } = timeAtStart(on, machine);
      expect(product).toBeGreaterThanOrEqual(on.product);
      if (isSame) expect(Math.abs(product - shift - (on.product + passed))).toBeLessThanOrEqual(2 * SECOND);
    }),
  );
});
