import { expect, test } from 'vitest';
import { nextRow } from './row-keys.ts';

test.each([
  ['ArrowDown', 0, 1],
  ['j', 1, 2],
  ['j', 2, 2],
  ['ArrowUp', 2, 1],
  ['k', 0, 0],
  ['Home', 2, 0],
  ['End', 0, 2],
])('%s from row %d of three leads to row %d', (key, from, to) => expect(nextRow(key, from, 3)).toBe(to));

test.each(['Enter', 'x', ' ', 'a', 'Tab'])('%j does not move', (key) => expect(nextRow(key, 1, 3)).toBeNull());
