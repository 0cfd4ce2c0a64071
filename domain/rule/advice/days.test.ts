import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countPerDay, readingDays } from './days.ts';

test('summarises the readings of each day, and leaves days without readings empty', () => {
  const days = readingDays([100, 200, 300, 400], [90, 100, 150, 199, 300, 450], [9, 1, 2, 6, 4, 9]);
  expect(days).toEqual([
    { readings: 3, lowest: 1, highest: 6, mean: 3 },
    { readings: 0, lowest: null, highest: null, mean: null },
    { readings: 1, lowest: 4, highest: 4, mean: 4 },
  ]);
});

test('counts each time on exactly one day', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 399 })), (drawn) => {
      const times = drawn.toSorted((a, b) => a - b);
      const counts = countPerDay([0, 100, 200, 300, 400], times);
      expect(counts).toEqual([0, 1, 2, 3].map((day) => times.filter((at) => Math.floor(at / 100) === day).length));
    }),
  );
});
