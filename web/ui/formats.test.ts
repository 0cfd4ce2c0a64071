import { describe, expect, test } from 'vitest';
import { dateFormat, formatLimit, writeExactly, writeNumber } from './formats.ts';
import { setLocale } from './locale.ts';

describe('a number of at most two decimals', () => {
  test.each([
    [2.3333, '2.33'],
    [0.5, '0.5'],
    [0.1234, '0.123'],
    [0.01234, '0.0123'],
    [0.0004, '0.0004'],
    [-0.00012345, '\u22120.000123'],
    [0.1 + 0.2 - 0.3, '0'],
    [0, '0'],
  ])('keeps three significant digits below one: %d is %s', (value, text) =>
    expect(writeNumber(value, 'en-GB', { maximumFractionDigits: 2 })).toBe(text),
  );
});

test('keeps a fixed number of decimals, as on an axis', () => {
  expect(writeNumber(0.001, 'en-GB', { minimumFractionDigits: 2, maximumFractionDigits: 2 })).toBe('0.00');
});

test.each([
  [30.1234, '30.1234'],
  [-0.000123456, '\u22120.000123456'],
  [0.1 + 0.2, '0.3'],
  [1e-9, '1e\u22129'],
  [-1e-9, '\u22121e\u22129'],
  [1234567890123, '1,234,567,890,123'],
  [1e300, '1e+300'],
  [0, '0'],
])('writeExactly formats %d with all its digits: %s', (value, text) => expect(writeExactly(value, 'en-GB')).toBe(text));

test("a format without a locale uses the user's current choice", () => {
  const day = () =>
    dateFormat(undefined, { timeZone: 'UTC', day: '2-digit', month: '2-digit', year: 'numeric' }).format(0);
  const written = () => [formatLimit(1234.5), day()];
  setLocale('de-DE');
  expect(written()).toEqual(['1.234,5', '01.01.1970']);
  setLocale('en-GB');
  expect(written()).toEqual(['1,234.5', '01/01/1970']);
  setLocale('');
});
