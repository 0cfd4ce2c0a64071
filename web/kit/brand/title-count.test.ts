import { expect, test } from 'vitest';
import { titleOf } from './title-count.ts';

test('what waits stands before the title, and nothing where nothing does', () => {
  expect(titleOf('Alarms', 0)).toBe('Alarms · Tocsin');
  expect(titleOf('Alarms', 3)).toBe('(3) Alarms · Tocsin');
  expect(titleOf('', 2000)).toBe('(99+) Tocsin');
});
