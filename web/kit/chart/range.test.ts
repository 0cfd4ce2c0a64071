import { expect, test } from 'vitest';
import { runsOf } from './range.ts';

test('a range is drawn without a break until there is a hole', () => {
  const highs = [5, 6, 7, null, 8, 9];
  expect(runsOf(highs, [1, 2, 3, null, 4, 5], 0, 5)).toEqual([
    [0, 1, 2],
    [4, 5],
  ]);
  expect(runsOf(highs, [1, 2, 3, 4, null, 5], 0, 5)).toEqual([[0, 1, 2]]);
});

test('times at which only another line has a value do not break it', () => {
  expect(runsOf([5, undefined, 7], [1, undefined, 3], 0, 2)).toEqual([[0, 2]]);
});

test('readings for themselves have no range, and what lies outside of the window is left out', () => {
  expect(runsOf([], [], 0, 3)).toEqual([]);
  expect(runsOf([1, 2, 3, 4], [0, 1, 2, 3], 1, 2)).toEqual([[1, 2]]);
});
