import { expect, test } from 'vitest';
import { readSort, sortRows, writeSort } from './order.ts';

test.each([
  ['messages', { column: 'messages', descending: false }],
  ['-messages', { column: 'messages', descending: true }],
  ['', null],
  ['--x', null],
  ['a b', null],
])('parses %j as %j', (text, sort) => {
  expect(readSort(text)).toEqual(sort);
  if (sort) expect(writeSort(sort)).toBe(text);
});

const rows = [
  { name: 'Pump 10', count: 3, at: new Date(5) },
  { name: 'Pump 9', count: null, at: new Date(9) },
  { name: 'äther', count: 3, at: new Date(1) },
  { name: 'Zulu', count: 12, at: new Date(2) },
];
const columns = {
  name: (row: (typeof rows)[number]) => row.name,
  count: (row: (typeof rows)[number]) => row.count,
  at: (row: (typeof rows)[number]) => row.at,
};
const names = (sort: string) => sortRows(rows, readSort(sort), columns).map(({ name }) => name);

test('sorts text naturally, and numbers and times by size', () => {
  expect(names('name')).toEqual(['äther', 'Pump 9', 'Pump 10', 'Zulu']);
  expect(names('-at')).toEqual(['Pump 9', 'Pump 10', 'Zulu', 'äther']);
});

test('keeps the order of equal rows and puts unknown values last in both directions', () => {
  expect(names('count')).toEqual(['Pump 10', 'äther', 'Zulu', 'Pump 9']);
  expect(names('-count')).toEqual(['Zulu', 'Pump 10', 'äther', 'Pump 9']);
});

test('ignores an empty order and unknown columns', () => {
  for (const sort of ['', 'constructor', 'weight']) expect(names(sort)).toEqual(rows.map(({ name }) => name));
});
