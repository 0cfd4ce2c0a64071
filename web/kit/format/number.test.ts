import { expect, test } from 'vitest';
import { counted, formatNumber } from './number.ts';

test.each([
  [0, '0'],
  [2.07, '2.07'],
  [-4.2, '−4.2'],
  [1234.5, '1,234.5'],
  [0.123456, '0.123'],
])('%d is written %s', (value, text) => expect(formatNumber(value, 'en-GB')).toBe(text));

test('writes U+2212 as minus sign, not a hyphen', () => expect(formatNumber(-1, 'en-GB').charCodeAt(0)).toBe(0x2212));

test('uses the singular for 1 only', () => {
  expect(counted(1, 'site')).toBe('1 site');
  expect(counted(0, 'site')).toBe('0 sites');
  expect(counted(3, 'person', 'people')).toBe('3 people');
});
