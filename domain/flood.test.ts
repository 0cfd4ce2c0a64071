import { expect, test } from 'vitest';
import { fullBucket, takeToken } from './flood.ts';

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
