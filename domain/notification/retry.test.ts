import { describe, expect, test } from 'vitest';
import { afterAttempt } from './retry.ts';

const SECOND = 1000;
const HOUR = 3_600_000;
const queuedAt = Date.parse('2026-11-15T08:00:00Z');

/** Simulates attempts that all fail, until the retries stop. Each attempt takes `takesMs`. */
function attemptsUntilTheEnd(takesMs: number) {
  const moments: number[] = [];
  let now = queuedAt;
  for (let attempts = 1; attempts < 1000; attempts += 1) {
    moments.push(now - queuedAt);
    const after = afterAttempt({ outcome: 'retry', attempts, queuedAt, now: now + takesMs });
    if (after.state !== 'queued') return { moments, after };
    now = after.nextAt;
  }
  throw new Error('There was no end.');
}

describe('after an attempt', () => {
  test.each(['sent', 'delivered'] as const)('stops after %s', (outcome) => {
    expect(afterAttempt({ outcome, attempts: 40, queuedAt, now: queuedAt + 48 * HOUR })).toEqual({ state: outcome });
  });

  test('stops after a refusal, with its reason', () => {
    const attempt = { outcome: 'give-up', attempts: 1, queuedAt, now: queuedAt } as const;
    expect(afterAttempt(attempt)).toEqual({ state: 'failed', because: 'refused' });
  });

  test('retries with growing intervals for a day', () => {
    const { moments, after } = attemptsUntilTheEnd(0);
    const waits = moments.slice(1).map((moment, index) => (moment - (moments[index] as number)) / SECOND);
    expect(waits.slice(0, 10)).toEqual([10, 30, 60, 120, 300, 900, 1800, 3600, 3600, 3600]);
    expect(new Set(waits.slice(10))).toEqual(new Set([3600]));
    expect(moments.at(-1)).toBeLessThanOrEqual(24 * HOUR);
    expect(moments.at(-1)).toBeGreaterThan(23 * HOUR);
    expect(after).toEqual({ state: 'failed', because: 'too-old' });
  });

  test('counts the day from queueing, however long the attempts take', () => {
    const { moments, after } = attemptsUntilTheEnd(30 * SECOND);
    expect(moments.at(-1)).toBeLessThanOrEqual(24 * HOUR);
    expect(after).toEqual({ state: 'failed', because: 'too-old' });
  });

  test('makes the last attempt exactly a day after queueing', () => {
    const at = (now: number) => afterAttempt({ outcome: 'retry', attempts: 20, queuedAt, now });
    expect(at(queuedAt + 23 * HOUR)).toEqual({ state: 'queued', nextAt: queuedAt + 24 * HOUR });
    expect(at(queuedAt + 23 * HOUR + 1)).toEqual({ state: 'failed', because: 'too-old' });
  });

  test('stops after a maximum of attempts if the clock stands still', () => {
    const attempt = { outcome: 'retry', queuedAt, now: queuedAt } as const;
    expect(afterAttempt({ ...attempt, attempts: 39 })).toMatchObject({ state: 'queued' });
    expect(afterAttempt({ ...attempt, attempts: 40 })).toEqual({ state: 'failed', because: 'too-many-attempts' });
  });
});
