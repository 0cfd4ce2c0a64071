import { expect, test } from 'vitest';
import { perDayWords } from './per-day.ts';

const january = { firstDay: '2026-01-01', lastDay: '2026-01-31' };

test('divides the count by the days of the range', () => {
  expect(perDayWords(327_031, january, null, '2026-03-02', 'en')).toBe('10,549.4 a day over 31 days');
  expect(perDayWords(62, january, '2025-06-01', '2026-03-02', 'en')).toBe('2.0 a day over 31 days');
  expect(perDayWords(3, { firstDay: '2026-01-31', lastDay: '2026-01-31' }, null, '2026-03-02', 'en')).toBe(
    '3.0 a day over 1 day',
  );
});

test('counts from the day of the first site and names it', () => {
  expect(perDayWords(62, january, '2026-01-22', '2026-03-02', 'en')).toBe('6.2 a day since 22 Jan');
  expect(perDayWords(62, { ...january, firstDay: '2025-01-01' }, '2025-12-31', '2026-03-02', 'en')).toBe(
    '1.9 a day since 31 Dec 2025',
  );
  expect(perDayWords(0, january, '2026-02-01', '2026-03-02', 'en')).toBe('no site yet');
  // Alarms in a range before the first site existed are alarms of a deleted site.
  expect(perDayWords(31, january, '2026-02-01', '2026-03-02', 'en')).toBe('1.0 a day over 31 days');
});

test('leaves out future days', () => {
  const ahead = { firstDay: '2026-03-01', lastDay: '2026-03-31' };
  expect(perDayWords(8, ahead, null, '2026-03-02', 'en')).toBe('4.0 a day over 2 days');
  expect(perDayWords(0, { firstDay: '2026-03-03', lastDay: '2026-03-31' }, null, '2026-03-02', 'en')).toBe(
    'in the future',
  );
});
