import { expect, test } from 'vitest';
import { fullAllowance, takeOne } from './flood.ts';

const limit = { perSecond: 10, burst: 20 };

test('a burst passes, then one for each tenth of a second', () => {
  const allowance = fullAllowance(limit, 0);
  for (let frame = 0; frame < 20; frame += 1) expect(takeOne(allowance, limit, 0)).toBe(0);
  expect(takeOne(allowance, limit, 0)).toBe(100);
  expect(takeOne(allowance, limit, 99)).toBe(1);
  expect(takeOne(allowance, limit, 100)).toBe(0);
  expect(takeOne(allowance, limit, 100)).toBe(100);
});

test('rest fills it up to the burst and no further', () => {
  const allowance = fullAllowance(limit, 0);
  for (let frame = 0; frame < 20; frame += 1) takeOne(allowance, limit, 0);
  let passed = 0;
  while (takeOne(allowance, limit, 3_600_000) === 0) passed += 1;
  expect(passed).toBe(20);
});

test('a clock that goes back neither gives nor takes', () => {
  const allowance = fullAllowance(limit, 10_000);
  expect(takeOne(allowance, limit, 5000)).toBe(0);
  expect(allowance.left).toBe(19);
});
