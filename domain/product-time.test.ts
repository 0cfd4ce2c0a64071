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
  ['follows the wall clock if it advanced like the uptime', record, later(0), at(10 * SECOND), 0, 'in-step'],
  [
    'continues from the stored time if the wall clock was set back',
    record,
    later(-HOUR / 2),
    at(10 * SECOND),
    0,
    'machine-behind',
  ],
  [
    'follows a wall clock that was set forward, after a regular stop',
    record,
    later(2 * HOUR),
    at(2 * HOUR + 10 * SECOND),
    2 * HOUR,
    'machine-ahead',
  ],
  [
    'does not follow a wall clock that was set forward, after a crash',
    { ...record, stopped: false },
    later(2 * HOUR),
    at(10 * SECOND),
    0,
    'machine-ahead-not-followed',
  ],
  [
    'does not follow a wall clock that was set forward by years',
    record,
    later(9e10),
    at(10 * SECOND),
    0,
    'machine-ahead-not-followed',
  ],
  ['follows the wall clock after a reboot', record, later(2 * HOUR, 'b'), at(2 * HOUR + 10 * SECOND), 0, 'in-step'],
  [
    'moves deadlines after a reboot by the difference from the wall clock before it',
    { ...record, wall: NOON + HOUR },
    later(2 * HOUR, 'b'),
    at(2 * HOUR + 10 * SECOND),
    HOUR,
    'machine-ahead',
  ],
  [
    'continues from the stored time if the wall clock is behind it after a reboot',
    record,
    later(-HOUR, 'b'),
    NOON,
    0,
    'machine-behind',
  ],
  ['does not go back even by a second', record, later(-11 * SECOND, 'b'), NOON, 0, 'in-step'],
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
