import { expect, test } from 'vitest';
import { perDayOf, perDayWords } from './per-day.ts';

test('a day has so many as a rule', () => expect(perDayWords(316_482, 30, 'en')).toBe('10,549.4 a day'));

test('days before the plant was there do not count', () => {
  const january = { firstDay: '2026-01-01', lastDay: '2026-01-31' };
  expect(perDayOf(62, january, null, 'en')).toBe('2.0 a day');
  expect(perDayOf(62, january, '2026-01-22', 'en')).toBe('6.2 a day');
});
