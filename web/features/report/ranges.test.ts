import { afterEach, expect, test } from 'vitest';
import { setLocale } from '../../ui/locale.ts';
import { formatBarLabel, formatDates, formatDayOfYear, formatMonth, writeDay } from './ranges.ts';

const from = new Date('2026-08-17T00:00:00Z');
const before = new Date('2026-11-09T00:00:00Z');
afterEach(() => setLocale(''));

test.each([
  ['en-GB', '17 Aug to 8 Nov 2026', '17 Aug', '25 Oct', 'Oct 2026', '22 Jan 2025'],
  ['en-US', 'Aug 17 to Nov 8, 2026', 'Aug 17', 'Oct 25', 'Oct 2026', 'Jan 22, 2025'],
  ['de-DE', '17. Aug. to 8. Nov. 2026', '17. Aug.', '25. Okt.', 'Okt. 2026', '22. Jan. 2025'],
])("writes dates in the user's locale: %s", (locale, range, day, barDay, barMonth, since) => {
  setLocale(locale);
  expect(formatDates(from, before, 'UTC')).toBe(range);
  expect(formatDayOfYear(from, 'UTC')).toBe(day);
  expect([formatBarLabel('2026-10-25'), formatBarLabel('2026-10')]).toEqual([barDay, barMonth]);
  expect(writeDay('2025-01-22', true)).toBe(since);
});

test('writes one day as one date, and both years of a range over New Year', () => {
  setLocale('en-GB');
  expect(formatDates(from, new Date('2026-08-18T00:00:00Z'), 'UTC')).toBe('17 Aug 2026');
  expect(formatDates(new Date('2025-12-30T00:00:00Z'), from, 'UTC')).toBe('30 Dec 2025 to 16 Aug 2026');
});

test('writes the month in the language of the locale', () => {
  setLocale('de-DE');
  expect(formatMonth(new Date('2026-10-01T00:00:00Z'), 'UTC')).toBe('Oktober');
});
