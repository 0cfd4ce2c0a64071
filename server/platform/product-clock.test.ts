import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HandMachine } from '../../test/harness/server/turned-clock.ts';
import { machineTime, ProductClock } from './product-clock.ts';

const START = new Date('2026-03-04T08:00:00Z');
const SECOND = 1000;
const HOUR = 3600 * SECOND;

function turned() {
  const machine = new HandMachine(START);
  const clock = new ProductClock(machine);
  const pass = (milliseconds: number) => {
    const steps = [];
    for (let left = milliseconds; left > 0; left -= SECOND) {
      machine.advance(Math.min(SECOND, left));
      steps.push(clock.check());
    }
    return steps.filter((step) => step !== undefined);
  };
  return { machine, clock, pass, elapsed: () => clock.now().getTime() - START.getTime() };
}

describe('product time', () => {
  test.each([2 * HOUR, -HOUR / 2, -2 * HOUR])('does not move when the wall clock steps by %i ms', (by) => {
    const { machine, clock, pass, elapsed } = turned();
    pass(60 * SECOND);
    machine.step(by);
    expect(elapsed()).toBe(60 * SECOND);
    expect(pass(SECOND)).toEqual([{ at: START.getTime() + 61 * SECOND, by }]);
    expect(pass(24 * HOUR)).toEqual([]);
    expect(elapsed()).toBe(24 * HOUR + 61 * SECOND);
    expect(clock.difference).toBe(by);
  });

  test('follows a wall clock that NTP slews, without calling it a step', () => {
    const { machine, clock, pass } = turned();
    for (let second = 0; second < 12 * 3600; second += 1) {
      machine.step(0.05);
      expect(pass(SECOND)).toEqual([]);
    }
    expect(Math.abs(clock.difference)).toBeLessThan(10);
  });

  test.each([30, -30])('approaches the wall clock after a step of %i s, by 8.6 s a day', (seconds) => {
    const { machine, clock, pass, elapsed } = turned();
    machine.step(seconds * SECOND);
    expect(pass(SECOND)).toHaveLength(1);
    const before = elapsed();
    machine.advance(12 * HOUR);
    clock.check();
    const moved = Math.abs(elapsed() - before - 12 * HOUR);
    expect(moved).toBeGreaterThan(4 * SECOND);
    expect(moved).toBeLessThan(5 * SECOND);
    for (let hour = 0; hour < 4 * 24; hour += 1) {
      machine.advance(HOUR);
      expect(clock.check()).toBeUndefined();
    }
    expect(Math.abs(clock.difference)).toBeLessThan(SECOND);
  });

  test('reports a step when several small steps add up', () => {
    const { machine, pass } = turned();
    const steps = [];
    for (let count = 0; count < 10; count += 1) {
      machine.step(900);
      steps.push(...pass(SECOND));
    }
    expect(steps.length).toBeGreaterThanOrEqual(3);
  });

  test('for any steps, a duration of up to 12 hours is wrong by less than 5 s, and time never goes backwards', () => {
    const day = 24 * HOUR;
    const event = fc.record({
      step: fc.oneof(fc.constant(0), fc.constantFrom(2 * HOUR, -HOUR / 2), fc.integer({ min: -day, max: day })),
      pass: fc.integer({ min: 1, max: HOUR }),
    });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 12 }), (events) => {
        const machine = new HandMachine(START);
        const clock = new ProductClock(machine);
        const seen = [{ real: machine.steady(), product: clock.now().getTime() }];
        for (const { step, pass } of events) {
          machine.step(step);
          machine.advance(pass);
          const before = clock.now().getTime();
          clock.check();
          expect(clock.now().getTime()).toBeGreaterThanOrEqual(before);
          seen.push({ real: machine.steady(), product: clock.now().getTime() });
        }
        for (const [index, to] of seen.entries()) {
          for (const from of seen.slice(0, index)) {
            expect(to.product).toBeGreaterThanOrEqual(from.product);
            expect(Math.abs(to.product - from.product - (to.real - from.real))).toBeLessThan(5 * SECOND);
          }
        }
      }),
    );
  });
});

test('the machine’s clocks advance at the same rate', () => {
  const first = machineTime.wall() - machineTime.steady();
  for (let count = 0; count < 1000; count += 1) machineTime.steady();
  expect(Math.abs(machineTime.wall() - machineTime.steady() - first)).toBeLessThan(1000);
  expect(machineTime.boot().uptime).toBeGreaterThanOrEqual(0);
});

test.each([
  ['has the same time', 0, 0],
  ['is 2 h ahead', 2 * HOUR, 2 * HOUR - 3 * SECOND],
  ['is 2 h behind', -2 * HOUR, -2 * HOUR],
])('measures the difference from a database that responds after 3 s and %s', (_title, ahead, difference) => {
  const { machine, clock } = turned();
  const asked = machine.wall();
  const read = asked + ahead;
  machine.advance(3 * SECOND);
  expect(clock.behindDatabase(read, asked)).toBe(difference);
});
