import { expect, test } from 'vitest';
import { formatMoment, formatOnPaper } from './short-time.ts';

const now = new Date('2026-11-12T14:32:00Z');

test.each([
  ['2026-11-12T14:24:40Z', '14:24'],
  ['2026-11-12T00:00:00Z', '00:00'],
  ['2026-11-11T10:20:00Z', 'Wed 10:20'],
  ['2026-11-06T23:59:00Z', 'Fri 23:59'],
  ['2026-11-05T22:14:00Z', '5 Nov 22:14'],
  ['2025-12-31T08:00:00Z', '31 Dec 2025 08:00'],
  ['2026-11-12T18:00:00Z', '18:00'],
  ['2026-11-13T00:00:00Z', 'Fri 00:00'],
  ['2026-11-18T23:59:00Z', 'Wed 23:59'],
  ['2026-11-19T00:00:00Z', '19 Nov 00:00'],
  ['2027-01-05T08:00:00Z', '5 Jan 2027 08:00'],
])('%s reads %s', (at, words) => expect(formatMoment(new Date(at), now, 'Europe/London', 'en-GB')).toBe(words));

test("uses the day of the plant's time zone", () => {
  expect(formatMoment(new Date('2026-11-12T14:24:00Z'), new Date('2026-11-12T15:30:00Z'), 'Asia/Tokyo', 'en-GB')).toBe(
    'Thu 23:24',
  );
});

test('prints every time with its day and year', () => {
  expect(formatOnPaper(new Date('2026-11-12T14:24:40Z'), 'Asia/Tokyo', 'en-GB')).toBe('12 Nov 2026 23:24');
});

test('keeps the comma before the year in US English', () => {
  expect(formatOnPaper(new Date('2026-11-12T14:24:40Z'), 'UTC', 'en-US')).toBe('Nov 12, 2026 14:24');
});
