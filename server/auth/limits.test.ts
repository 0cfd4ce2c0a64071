import { describe, expect, test } from 'vitest';
import { type Attempts, fail, noAttempts, waitOf } from '../../domain/attempts.ts';
import { addressKey, defaultLimits, keysOfSignIn, type SignInAttempt, tooMany } from './limits.ts';

test.each([
  [1, 'Too many attempts. Try again in 1 second.'],
  [59_001, 'Too many attempts. Try again in 1 minute.'],
  [10 * 60_000, 'Too many attempts. Try again in 10 minutes.'],
])('a refusal of %i ms says how long to wait', (waitMs, message) => {
  expect(tooMany(waitMs)).toMatchObject({ statusCode: 429, message, extras: { retryAfterMs: waitMs } });
});

describe('guessing passwords', () => {
  /** Applies the product's attempt limits in memory, as a single process would. */
  class Guesses {
    readonly #entries = new Map<string, Attempts>();

    wait(attempt: SignInAttempt, now: number): number {
      const waits = keysOfSignIn(attempt).map(({ kind, of }) => waitOf(defaultLimits[kind], this.#of(kind, of), now));
      return Math.max(...waits);
    }

    fail(attempt: SignInAttempt, now: number): void {
      for (const { kind, of } of keysOfSignIn(attempt))
        this.#entries.set(`${kind} ${of}`, fail(defaultLimits[kind], this.#of(kind, of), now));
    }

    #of(kind: string, of: string): Attempts {
      return this.#entries.get(`${kind} ${of}`) ?? noAttempts;
    }
  }

  /** Returns the number of passwords that the server checks in a day if an attacker sends one guess per second. */
  const guessesInADay = (addresses: number, accounts: number) => {
    const guesses = new Guesses();
    let checked = 0;
    for (let second = 0; second < 24 * 60 * 60; second += 1) {
      const at = (second * 7919) % (addresses * accounts);
      const attempt = { account: `a${Math.floor(at / addresses)}`, address: `b${at % addresses}`, device: null };
      if (guesses.wait(attempt, second * 1000) > 0) continue;
      checked += 1;
      guesses.fail(attempt, second * 1000);
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
    const guesses = new Guesses();
    for (let i = 0; i < 1000; i += 1) guesses.fail({ account: 'a', address: `b${i % 10}`, device: null }, 0);
    expect(guesses.wait({ account: 'a', address: 'b1', device: 'known' }, 0)).toBeLessThanOrEqual(0);
    expect(guesses.wait({ account: 'a', address: 'b1', device: null }, 0)).toBeGreaterThan(0);
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
