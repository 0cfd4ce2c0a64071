import { describe, expect, test } from 'vitest';
import {
  daysBeforeWords,
  daysOf,
  daysReported,
  dayWords,
  monthWords,
  presets,
  type ReportRange,
  rangeBefore,
  rangeWords,
  readRange,
} from './range.ts';

const zone = 'Europe/Berlin';
/** Half past midnight on New Year's Day in Berlin. In UTC it is still the old year. */
const now = new Date('2025-12-31T23:30:00Z');
const read = (given: Parameters<typeof readRange>[0]) => {
  const reading = readRange(given, now, zone);
  if (!reading.ok) throw new Error(reading.sentence);
  return reading.range;
};
const days = ({ firstDay, lastDay }: ReportRange) => `${firstDay} ${lastDay}`;

test.each([
  ['7d', '2025-12-26 2026-01-01'],
  ['30d', '2025-12-03 2026-01-01'],
  ['90d', '2025-10-04 2026-01-01'],
  ['month', '2026-01-01 2026-01-01'],
  ['last-month', '2025-12-01 2025-12-31'],
  ['year', '2026-01-01 2026-01-01'],
  ['last-year', '2025-01-01 2025-12-31'],
])('resolves the preset %s in the local time zone', (range, expected) => expect(days(read({ range }))).toBe(expected));

test('accepts every preset and defaults to 30 days', () => {
  for (const range of presets) expect(readRange({ range }, now, zone)).toMatchObject({ ok: true, preset: range });
  expect(readRange({ range: 'nonsense' }, now, zone)).toMatchObject({ ok: true, preset: '30d' });
});

test('has 25 hours on the day the clock goes back, and 23 when it goes forward', () => {
  const hours = (day: string) => {
    const { from, to } = read({ from: day, to: day });
    return (to.getTime() - from.getTime()) / 3_600_000;
  };
  expect([hours('2025-10-26'), hours('2026-03-29'), hours('2025-12-31')]).toEqual([25, 23, 24]);
  expect(read({ from: '2025-10-26', to: '2025-10-26' }).from.toISOString()).toBe('2025-10-25T22:00:00.000Z');
});

test('returns the same number of days just before the range', () => {
  const range = read({ from: '2026-01-01', to: '2026-01-31' });
  const before = rangeBefore(range, zone);
  expect(days(before)).toBe('2025-12-01 2025-12-31');
  expect(before.to).toEqual(range.from);
  expect(days(rangeBefore(read({ from: '2026-01-02', to: '2026-01-31' }), zone))).toBe('2025-12-03 2026-01-01');
});

test('compares whole months with the months before, whatever their length', () => {
  const before = (from: string, to: string) => days(rangeBefore(read({ from, to }), zone));
  expect(before('2026-03-01', '2026-03-31')).toBe('2026-02-01 2026-02-28');
  expect(before('2026-02-01', '2026-02-28')).toBe('2026-01-01 2026-01-31');
  expect(before('2025-01-01', '2025-12-31')).toBe('2024-01-01 2024-12-31');
  expect(before('2026-01-01', '2026-03-31')).toBe('2025-10-01 2025-12-31');
});

test('lists all days of the range', () => {
  expect(daysOf({ firstDay: '2025-12-30', lastDay: '2026-01-01' })).toEqual(['2025-12-30', '2025-12-31', '2026-01-01']);
  expect(daysOf({ firstDay: '2025-10-25', lastDay: '2025-10-27' })).toHaveLength(3);
});

test.each([
  ['2026-08-17', '2026-11-08', '17 Aug to 8 Nov 2026'],
  ['2016-11-20', '2026-11-15', '20 Nov 2016 to 15 Nov 2026'],
  ['2026-10-25', '2026-10-25', '25 Oct 2026'],
])('writes %s to %s', (firstDay, lastDay, words) => expect(rangeWords({ firstDay, lastDay })).toBe(words));

test('abbreviates the month in English, whatever the language', () => {
  expect([dayWords('2026-09-07'), monthWords('2026-09-07')]).toEqual(['7 Sep', 'September']);
});

test('names the previous range by its number of days', () => {
  const words = (firstDay: string, lastDay: string) => daysBeforeWords({ firstDay, lastDay }, 'en');
  expect(words('2026-01-01', '2026-01-01')).toBe('The day before');
  expect(words('2026-01-01', '2026-01-30')).toBe('30 days before');
  expect(words('2016-01-02', '2025-12-31')).toBe('3,652 days before');
  expect(words('2026-02-01', '2026-02-28')).toBe('The month before');
  expect(words('2026-01-01', '2026-03-31')).toBe('3 months before');
  expect(words('2025-01-01', '2025-12-31')).toBe('The year before');
  expect(words('2025-04-01', '2026-03-31')).toBe('12 months before');
});

test('compares an incomplete month with the same number of days', () => {
  expect(daysBeforeWords({ firstDay: '2026-11-01', lastDay: '2026-11-15' }, 'en')).toBe('15 days before');
});

describe('refuses an invalid range', () => {
  test.each([
    [{ from: '2026-02-30', to: '2026-03-01' }, 'from', 'Enter the first day as year-month-day, such as 2026-03-01.'],
    [{ from: '', to: '2026-03-01' }, 'from', 'Enter the first day as year-month-day, such as 2026-03-01.'],
    [{ from: '2026-01-01', to: 'tomorrow' }, 'to', 'Enter the last day as year-month-day, such as 2026-03-31.'],
    [{ from: '2026-01-02', to: '2026-01-01' }, 'to', 'Choose a last day on or after the first day.'],
    [{ from: '2016-01-01', to: '2026-01-02' }, 'from', 'A report covers at most ten years. Choose a later start.'],
  ])('%j', (given, field, sentence) => expect(readRange(given, now, zone)).toEqual({ ok: false, field, sentence }));

  test('accepts ten years', () => expect(read({ from: '2016-01-01', to: '2025-12-31' })).toBeDefined());
});

test.each([
  [null, 31],
  ['2025-01-01', 31],
  ['2026-01-22', 10],
  ['2026-01-31', 1],
  ['2026-03-01', 31],
])('counts the days of January since %s as %i', (since, days) =>
  expect(daysReported({ firstDay: '2026-01-01', lastDay: '2026-01-31' }, since)).toBe(days),
);
