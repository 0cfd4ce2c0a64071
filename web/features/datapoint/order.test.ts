import { expect, test } from 'vitest';
import { moved, newPlaces, placeAt } from './order.ts';

test('moves an entry to its new place, within the list', () => {
  expect(moved(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a']);
  expect(moved(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b']);
  expect(moved(['a', 'b', 'c'], 1, 9)).toEqual(['a', 'c', 'b']);
  expect(moved(['a', 'b', 'c'], 1, -1)).toEqual(['b', 'a', 'c']);
  expect(moved(['a'], 5, 0)).toEqual(['a']);
});

test('writes only entries whose number changed', () => {
  const list = [
    { uuid: 'b', tocsinAssetDatapointOrder: 2 },
    { uuid: 'a', tocsinAssetDatapointOrder: 1 },
    { uuid: 'c', tocsinAssetDatapointOrder: 3 },
  ];
  expect(newPlaces(list)).toEqual([
    { uuid: 'b', place: 1 },
    { uuid: 'a', place: 2 },
  ]);
});

test('finds the entry whose middle the pointer has not passed', () => {
  expect(placeAt(5, [10, 30, 50])).toBe(0);
  expect(placeAt(31, [10, 30, 50])).toBe(2);
  expect(placeAt(99, [10, 30, 50])).toBe(2);
  expect(placeAt(1, [])).toBe(0);
});
