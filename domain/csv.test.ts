import { expect, test } from 'vitest';
import { csvCell, csvText, plainWords } from './csv.ts';

test.each([
  ['=1+1', "'=1+1"],
  ['+44 20', "'+44 20"],
  ['-3 dB', "'-3 dB"],
  ['@cmd', "'@cmd"],
  ['\t=1+1', "'\t=1+1"],
  ['\r=1+1', '"\'\r=1+1"'],
  ['\n=1+1', '"\'\n=1+1"'],
  ['＝1+1', "'＝1+1"],
  ['＋1', "'＋1"],
  ['－1', "'－1"],
  ['＠cmd', "'＠cmd"],
  [-3.5, '-3.5'],
  [Number.NaN, ''],
  ['say "hi", now', '"say ""hi"", now"'],
  ['two\nlines', '"two\nlines"'],
  [true, 'yes'],
  [null, ''],
])('writes %j as %j', (value, cell) => {
  expect(csvCell(value)).toBe(cell);
});

test('writes a heading and one line for each row', () => {
  expect(csvText(['Name', 'Hours'], [['Kelder Road', 1]])).toBe('Name,Hours\r\nKelder Road,1\r\n');
});

test('replaces the minus sign of the console with a hyphen', () => {
  expect(plainWords('below \u221225\u00a0°C or above \u221218\u00a0°C')).toBe('below -25 °C or above -18 °C');
});
