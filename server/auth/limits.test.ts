import { describe, expect, test } from 'vitest';
import { HandClock } from '../platform/clock.ts';
import { HttpRefusal } from './errors.ts';
import { addressKey, Backoff, Counter, Limits } from './limits.ts';

const clock = () => new HandClock(new Date('2026-03-02T08:00:00Z'));
const MINUTE = 60_000;

function refusalOf(work: () => void): HttpRefusal | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return error as HttpRefusal;
  }
}

describe('a counter', () => {
  test('refuses above its limit until the window ends, and says how long', () => {
    const time = clock();
    const counter = new Counter({ most: 2, perMs: 15 * MINUTE }, time);
    counter.take('a');
    time.advance(5 * MINUTE);
    counter.take('a');
    const refusal = refusalOf(() => counter.take('a'));
    expect(refusal).toBeInstanceOf(HttpRefusal);
    expect(refusal?.statusCode).toBe(429);
    expect(refusal?.message).toBe('Too many attempts. Try again in 10 minutes.');
    expect(refusal?.extras.retryAfterMs).toBe(10 * MINUTE);
    time.advance(10 * MINUTE - 1);
    expect(refusalOf(() => counter.take('a'))?.message).toBe('Too many attempts. Try again in 1 second.');
    time.advance(1);
    counter.take('a');
  });

  test('counts each key separately', () => {
    const counter = new Counter({ most: 1, perMs: MINUTE }, clock());
    counter.take('a');
    counter.take('b');
    expect(refusalOf(() => counter.take('a'))).toBeDefined();
  });

  test('never exceeds its number of keys, and drops expired ones first', () => {
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

describe('a backoff', () => {
  const settings = { free: 2, firstMs: 1000, mostMs: 8000 };

  test('doubles the wait after each failure up to a maximum, and resets after an hour', () => {
    const time = clock();
    const backoff = new Backoff(settings, time);
    const waits: number[] = [];
    for (let i = 0; i < 8; i += 1) {
      backoff.fail('a');
      waits.push(backoff.waitMs('a'));
      time.advance(backoff.waitMs('a'));
    }
    expect(waits).toEqual([0, 1000, 2000, 4000, 8000, 8000, 8000, 8000]);
    expect(backoff.waitMs('b')).toBe(0);
    time.advance(60 * MINUTE);
    backoff.fail('a');
    expect(backoff.waitMs('a')).toBe(0);
  });

  test('counts an attempt in advance and takes it back on success', () => {
    const backoff = new Backoff(settings, clock());
    backoff.take('a');
    backoff.take('a');
    expect(refusalOf(() => backoff.take('a'))?.message).toBe('Too many attempts. Try again in 1 second.');
    backoff.giveBack('a');
    backoff.take('a');
    backoff.giveBack('never-taken');
  });
});

describe('guessing passwords', () => {
  /** Number of passwords checked in a day if an attacker guesses again after every refusal. */
  const guessesInADay = (addresses: number, accounts: number) => {
    const time = clock();
    const limits = new Limits(time);
    let checked = 0;
    for (let second = 0; second < 24 * 60 * 60; second += 1) {
      const at = (second * 7919) % (addresses * accounts);
      const attempt = { account: `a${Math.floor(at / addresses)}`, address: `b${at % addresses}`, device: null };
      if (!refusalOf(() => limits.checkSignIn(attempt))) {
        checked += 1;
        limits.failSignIn(attempt);
      }
      time.advance(1000);
    }
    return checked;
  };

  test('at one account is limited to 300 a day from one address, and 1,500 from a hundred', () => {
    expect(guessesInADay(1, 1)).toBeLessThanOrEqual(300);
    expect(guessesInADay(100, 1)).toBeLessThanOrEqual(1500);
  });

  test('from one address is limited in a day for any number of accounts', () => {
    expect(guessesInADay(1, 100)).toBeLessThanOrEqual(1550);
  });

  test('never slows down a known device', () => {
    const limits = new Limits(clock());
    for (let i = 0; i < 1000; i += 1) limits.failSignIn({ account: 'a', address: `b${i % 10}`, device: null });
    limits.checkSignIn({ account: 'a', address: 'b1', device: 'known' });
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
