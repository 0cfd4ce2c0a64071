import { expect, test } from 'vitest';
import { titleOf } from './title-count.ts';

test('puts the count before the title, and omits it when it is 0', () => {
  expect(titleOf('Alarms', 0)).toBe('Alarms · Tocsin');
  expect(titleOf('Alarms', 3)).toBe('(3) Alarms · Tocsin');
  expect(titleOf('', 2000)).toBe('(99+) Tocsin');
});
