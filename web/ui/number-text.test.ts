import { expect, test } from 'vitest';
import { numberProblem, plainText, readNumber } from './number-text.ts';

test.each([
  ['4.2', 4.2],
  [' 50 ', 50],
  ['4.', 4],
  ['.5', 0.5],
  ['1e3', 1000],
  ['1e+21', 1e21],
  ['−20.5', -20.5],
  ['–17,5', -17.5],
  ['0,125', 0.125],
  ['', ''],
])('%j is read as %j', (text, value) => {
  expect(readNumber(plainText(text))).toBe(value);
  expect(numberProblem(value)).toBeNull();
});

test.each(['5x0', '1,250', '1.250,5', '1 250', '0x10', '1e999', '-', 'Infinity'])(
  '%j stays as it was typed',
  (text) => {
    expect(readNumber(plainText(text))).toBe(text);
    expect(numberProblem(text)).toBe('Enter a number, such as 1250 or 4.2.');
  },
);
