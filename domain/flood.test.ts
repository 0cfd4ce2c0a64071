import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fullBucket, lowerTo, type TokenBucket, takeToken } from './flood.ts';

const limit = { perSecond: 10, burst: 20 };

test('allows a burst, then one frame each tenth of a second', () => {
  const allowance = fullBucket(limit, 0);
  for (let frame = 0; frame < 20; frame += 1) expect(takeToken(allowance, limit, 0)).toBe(0);
  expect(takeToken(allowance, limit, 0)).toBe(100);
  expect(takeToken(allowance, limit, 99)).toBe(1);
  expect(takeToken(allowance, limit, 100)).toBe(0);
  expect(takeToken(allowance, limit, 100)).toBe(100);
});

test('refills to the burst and no further', () => {
  const allowance = fullBucket(limit, 0);
  for (let frame = 0; frame < 20; frame += 1) takeToken(allowance, limit, 0);
  let passed = 0;
  while (takeToken(allowance, limit, 3_600_000) === 0) passed += 1;
  expect(passed).toBe(20);
});

test('neither adds nor removes tokens when the clock goes back', () => {
  const allowance = fullBucket(limit, 10_000);
  expect(takeToken(allowance, limit, 5000)).toBe(0);
  expect(allowance.tokens).toBe(19);
});

/** Sends frames to a token bucket. Returns the times of the accepted frames. */
function sendAll(bucket: TokenBucket, times: readonly number[]): number[] {
  return times.filter((time) => takeToken(bucket, limit, time) === 0);
}

const arrivals = fc
  .array(fc.integer({ min: 0, max: 400 }), { maxLength: 80 })
  .map((gaps) => gaps.map((_gap, index) => gaps.slice(0, index + 1).reduce((sum, gap) => sum + gap, 0)));

test('continues in another process with the tokens that are left in the first', () => {
  fc.assert(
    fc.property(arrivals, fc.nat(3000), (times, pause) => {
      const now = (times.at(-1) ?? 0) + pause;
      const first = fullBucket(limit, 0);
      const accepted = sendAll(first, times);
      const second = fullBucket(limit, 0);
      lowerTo(second, limit, accepted, now);
      // Without frames, `lowerTo` only refills the bucket.
      lowerTo(first, limit, [], now);
      expect(second.tokens).toBeCloseTo(first.tokens, 6);
    }),
  );
});

test('never adds tokens to a bucket that has already counted frames that are not stored yet', () => {
  const bucket = fullBucket(limit, 0);
  sendAll(bucket, Array(15).fill(0));
  lowerTo(bucket, limit, [0, 0], 0);
  expect(bucket.tokens).toBe(5);
});
