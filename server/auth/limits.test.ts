import { describe, expect, test } from 'vitest';
import { HandClock } from '../platform/clock.ts';
import { Refusal } from './errors.ts';
import { addressKey, Counter } from './limits.ts';

const clock = () => new HandClock(new Date('2026-03-02T08:00:00Z'));
const MINUTE = 60_000;

function refusalOf(work: () => void): Refusal | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return error as Refusal;
  }
}

describe('a counter', () => {
  test('refuses one too many until its time is over, and says how long', () => {
    const time = clock();
    const counter = new Counter({ most: 2, perMs: 15 * MINUTE }, time);
    counter.take('a');
    time.advance(5 * MINUTE);
    counter.take('a');
    const refusal = refusalOf(() => counter.take('a'));
    expect(refusal).toBeInstanceOf(Refusal);
    expect(refusal?.statusCode).toBe(429);
    expect(refusal?.message).toBe('Too many attempts. Try again in 10 minutes.');
    expect(refusal?.extras.retryAfterMs).toBe(10 * MINUTE);
    time.advance(10 * MINUTE - 1);
    expect(refusalOf(() => counter.take('a'))?.message).toBe('Too many attempts. Try again in a minute.');
    time.advance(1);
    counter.take('a');
  });

  test('keeps keys apart, gives back and forgets', () => {
    const counter = new Counter({ most: 1, perMs: MINUTE }, clock());
    counter.take('a');
    counter.take('b');
    counter.giveBack('a');
    counter.take('a');
    expect(refusalOf(() => counter.take('a'))).toBeDefined();
    counter.forget('a');
    counter.take('a');
    expect(refusalOf(() => counter.take('b'))).toBeDefined();
    counter.giveBack('never-taken');
  });

  test('never holds more keys than it may, and drops the ended ones first', () => {
    const time = clock();
    const counter = new Counter({ most: 1, perMs: MINUTE }, time, 100);
    for (let i = 0; i < 1000; i += 1) counter.take(`flood ${i}`);
    expect(counter.size).toBeLessThanOrEqual(100);
    time.advance(MINUTE);
    counter.take('later');
    for (let i = 0; i < 99; i += 1) counter.take(`second ${i}`);
    expect(refusalOf(() => counter.take('later'))).toBeDefined();
  });
});

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('the address %s counts as %s', (address, key) => {
  expect(addressKey(address)).toBe(key);
});
