import { expect, test } from 'vitest';
import { runsOf } from './range.ts';

test('ends the range at a gap and starts a new one after it', () => {
  const highs = [5, 6, 7, null, 8, 9];
  expect(runsOf(highs, [1, 2, 3, null, 4, 5], 0, 5)).toEqual([
    [0, 1, 2],
    [4, 5],
  ]);
  expect(runsOf(highs, [1, 2, 3, 4, null, 5], 0, 5)).toEqual([[0, 1, 2]]);
});

test('does not break the range where only another line has a value', () => {
  expect(runsOf([5, undefined, 7], [1, undefined, 3], 0, 2)).toEqual([[0, 2]]);
});

test('draws no range for raw readings or outside the window', () => {
  expect(runsOf([], [], 0, 3)).toEqual([]);
  expect(runsOf([1, 2, 3, 4], [0, 1, 2, 3], 1, 2)).toEqual([[1, 2]]);
});
