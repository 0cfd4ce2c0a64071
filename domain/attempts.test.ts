import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Attempts,
  begin,
  end,
  FORGET_MS,
  fail,
  forget,
  isEmpty,
  mayBegin,
  noAttempts,
  RUNNING_MS,
  take,
  waitOf,
  waitOfLimit,
} from './attempts.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const START = 1_000_000;

describe('a limit', () => {
  const limit = { most: 2, perMs: 15 * MINUTE };

  test('refuses until its window ends, which starts with the first attempt', () => {
    const first = take(limit, noAttempts, START);
    expect(waitOfLimit(limit, first, START + 5 * MINUTE)).toBe(0);
    const second = take(limit, first, START + 5 * MINUTE);
    expect(waitOfLimit(limit, second, START + 5 * MINUTE)).toBe(10 * MINUTE);
    expect(waitOfLimit(limit, second, START + 15 * MINUTE - 1)).toBe(1);
    expect(waitOfLimit(limit, second, START + 15 * MINUTE)).toBe(0);
    expect(take(limit, second, START + 15 * MINUTE)).toMatchObject({ count: 1, endsAt: START + 30 * MINUTE });
  });
});

describe('a slowdown', () => {
  const slowdown = { free: 2, firstMs: 1000, mostMs: 8000 };

  test('doubles the wait after each failure up to a maximum, and forgets the failures after an hour', () => {
    let entry = noAttempts;
    let now = START;
    const waits: number[] = [];
    for (let i = 0; i < 8; i += 1) {
      entry = fail(slowdown, entry, now);
      waits.push(waitOf(slowdown, entry, now));
      now += waits.at(-1)!;
    }
    expect(waits).toEqual([0, 1000, 2000, 4000, 8000, 8000, 8000, 8000]);
    now += FORGET_MS;
    expect(waitOf(slowdown, fail(slowdown, entry, now), now)).toBe(0);
  });

  test('never shortens the wait when a process whose clock is behind counts a failure', () => {
    let entry = noAttempts;
    for (let i = 0; i < 6; i += 1) entry = fail(slowdown, entry, START);
    const { waitUntil, endsAt } = entry;
    expect(fail(slowdown, entry, START - 2 * SECOND)).toMatchObject({ waitUntil, endsAt, count: 7 });
  });

  test('allows at most as many concurrent attempts as failures are free', () => {
    const wide = { free: 3, firstMs: 1000, mostMs: 8000 };
    let entry = begin(wide, noAttempts, 'a', START);
    entry = begin(wide, entry, 'b', START);
    entry = begin(wide, entry, 'c', START);
    expect(mayBegin(wide, entry, START)).toEqual({ allowed: false, because: 'running', waitMs: RUNNING_MS });
    entry = end(wide, entry, 'a', 'succeeded', START);
    expect(mayBegin(wide, entry, START)).toEqual({ allowed: true });
    entry = end(wide, entry, 'b', 'failed', START);
    entry = end(wide, entry, 'c', 'failed', START);
    entry = begin(wide, entry, 'd', START);
    expect(mayBegin(wide, entry, START), 'one failure is left').toMatchObject({ because: 'running' });
    entry = end(wide, entry, 'd', 'failed', START);
    expect(mayBegin(wide, entry, START)).toEqual({ allowed: false, because: 'failures', waitMs: 1000 });
    expect(mayBegin(wide, entry, START + 1000)).toEqual({ allowed: true });
    entry = begin(wide, entry, 'e', START + 1000);
    expect(mayBegin(wide, entry, START + 1000), 'one at a time').toMatchObject({ because: 'running' });
  });

  test('counts an attempt whose process ended as one failure, at the time when it should have ended', () => {
    const running = begin(slowdown, fail(slowdown, noAttempts, START), 'a', START);
    const later = START + RUNNING_MS;
    expect(mayBegin(slowdown, running, later - 1)).toMatchObject({ because: 'running' });
    expect(mayBegin(slowdown, running, later)).toEqual({ allowed: false, because: 'failures', waitMs: 1000 });
    for (const outcome of ['failed', 'succeeded'] as const)
      expect(end(slowdown, running, 'a', outcome, later + 500), outcome).toMatchObject({ count: 2, running: [] });
  });

  test('forgets failures, but not attempts that still run', () => {
    const running = begin(slowdown, fail(slowdown, noAttempts, START), 'a', START);
    const forgotten = forget(running);
    expect(isEmpty(forgotten)).toBe(false);
    expect(end(slowdown, forgotten, 'a', 'failed', START).count).toBe(1);
    expect(isEmpty(end(slowdown, forgotten, 'a', 'succeeded', START))).toBe(true);
  });
});

test('concurrent attempts never get more failures before a wait than consecutive attempts', () => {
  const slowdown = { free: 4, firstMs: 2 * SECOND, mostMs: 20 * SECOND };
  const event = fc.record({
    what: fc.constantFrom('begin', 'begin', 'begin', 'end', 'crash', 'wait'),
    waitMs: fc.constantFrom(1, 500, 2000, 5000, RUNNING_MS),
  });
  fc.assert(
    fc.property(fc.array(event, { minLength: 20, maxLength: 80 }), (events) => {
      let entry: Attempts = noAttempts;
      let now = START;
      let running: string[] = [];
      // The times at which wrong passwords were checked.
      const tried: number[] = [];
      for (const [index, { what, waitMs }] of events.entries()) {
        if (what === 'wait') {
          now += waitMs;
        } else if (what === 'begin' && mayBegin(slowdown, entry, now).allowed) {
          entry = begin(slowdown, entry, `${index}`, now);
          running.push(`${index}`);
          tried.push(now);
        } else if (what === 'end' && running.length > 0) {
          entry = end(slowdown, entry, running.shift()!, 'failed', now);
        } else if (what === 'crash') {
          running = [];
        }
      }
      // Between the first attempt and any later attempt, at least the sum of all waits so far must pass.
      let earliest = tried[0] ?? START;
      const tooEarly = tried.filter((at, n) => {
        if (n >= slowdown.free) earliest += Math.min(slowdown.mostMs, slowdown.firstMs * 2 ** (n - slowdown.free));
        return at < earliest;
      });
      expect(tooEarly).toEqual([]);
    }),
    { numRuns: 1000 },
  );
});
