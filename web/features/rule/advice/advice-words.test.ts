import { expect, test } from 'vitest';
import { pairWords, secondsWords, settingRows, shareWords } from './advice-words.ts';

test('formats seconds', () => {
  expect([0, 45, 90, 7200, 5400].map(secondsWords)).toEqual(['0 s', '45 s', '1 min 30 s', '2 h', '1 h 30 min']);
});

test('formats shares, and rounds none of them up to all', () => {
  expect(shareWords(519, 588)).toBe('88 %');
  expect(shareWords(999, 1000)).toBe('99 %');
  expect(shareWords(5, 5)).toBe('100 %');
  expect(shareWords(0, 0)).toBe('–');
});

test('formats the limits of one side or of both', () => {
  expect(pairWords(null, 7.1)).toBe('7.1');
  expect(pairWords(2, 8)).toBe('2 / 8');
});

test('lists the settings of the rule, with the limit as clear limit if it has none', () => {
  const before = { valueLower: null, valueUpper: 7.1, clearLower: null, clearUpper: null, debounce: 5 };
  expect(settingRows(before, { ...before, clearUpper: 6.4, debounce: 45 })).toEqual([
    { name: 'Upper limit', before: '7.1', after: '7.1', isChanged: false },
    { name: 'Clears below', before: '7.1', after: '6.4', isChanged: true },
    { name: 'Debounce', before: '5 s', after: '45 s', isChanged: true },
  ]);
});
