import { expect, test } from 'vitest';
import { columnsOf, placeByKey, placeUnder } from './tile-place.ts';

const grid = [0, 1, 2, 3, 4].map((index) => ({
  left: (index % 3) * 110,
  top: Math.floor(index / 3) * 80,
  width: 100,
  height: 70,
}));

test('finds the number of columns and the tile under the pointer', () => {
  expect(columnsOf(grid)).toBe(3);
  expect(columnsOf([])).toBe(1);
  expect(placeUnder(120, 10, grid)).toBe(1);
  expect(placeUnder(200, 120, grid)).toBe(4);
  expect(placeUnder(0, 0, [])).toBe(-1);
});

test.each([
  ['ArrowRight', 0, 1],
  ['ArrowRight', 4, -1],
  ['ArrowLeft', 0, -1],
  ['ArrowDown', 1, 4],
  ['ArrowDown', 2, -1],
  ['ArrowUp', 4, 1],
  ['Enter', 1, -1],
])('%s on tile %d leads to %d', (key, from, to) => expect(placeByKey(key, from, 5, 3)).toBe(to));
