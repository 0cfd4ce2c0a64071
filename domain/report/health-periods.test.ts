import { expect, test } from 'vitest';
import {
  cellsPerRow,
  daysOf,
  type HealthRange,
  periodsBefore,
  periodsUntil,
  runningWeekEnd,
} from './health-periods.ts';
import { dayOf } from './range.ts';

const zone = 'Europe/Berlin';
const now = new Date('2026-01-14T10:20:00Z');
const days = ({ weekStarts, today }: HealthRange) =>
  [weekStarts[0], weekStarts[12], today].map((at) => dayOf(at as Date, zone));

test('ends twelve weeks at a day, and the twelve before where these start', () => {
  const weeks = periodsUntil('week', now, zone, false);
  expect(days(weeks)).toEqual(['2025-10-27', '2026-01-14', '2026-01-14']);
  expect(days(periodsBefore(weeks, zone))).toEqual(['2025-08-04', '2025-10-26', '2025-10-26']);
  expect(cellsPerRow(weeks)).toBe(13);
});

test('returns the end of an incomplete last week, and null for a complete one', () => {
  const until = (day: string) => {
    const last = runningWeekEnd(periodsUntil('week', new Date(day), zone, false), zone);
    return last && dayOf(last, zone);
  };
  expect(until('2026-01-14T10:20:00Z')).toBe('2026-01-13');
  expect(until('2026-01-13T10:20:00Z')).toBe('2026-01-12');
  expect(until('2026-01-12T10:20:00Z')).toBeNull();
  // 29 March 2026, the last day of this week, has only 23 hours. The week still counts as complete.
  expect(until('2026-03-30T10:20:00Z')).toBeNull();
  expect(runningWeekEnd(periodsUntil('month', now, zone, false), zone)).toBeNull();
});

test('returns whole months, and the twelve before where these start', () => {
  const months = periodsUntil('month', now, zone, false);
  expect(days(months).slice(0, 2)).toEqual(['2025-01-01', '2026-01-01']);
  expect(days(periodsBefore(months, zone)).slice(0, 2)).toEqual(['2024-01-01', '2025-01-01']);
  expect(cellsPerRow(months)).toBe(12);
  expect(daysOf(months, zone)).toEqual({ firstDay: '2025-01-01', lastDay: '2025-12-31' });
});

test('includes a month once its last day is over', () => {
  const last = new Date('2025-10-31T08:00:00Z');
  expect(daysOf(periodsUntil('month', last, zone, true), zone)).toEqual({
    firstDay: '2024-11-01',
    lastDay: '2025-10-31',
  });
  expect(daysOf(periodsUntil('month', last, zone, false), zone).lastDay).toBe('2025-09-30');
  const day = new Date('2025-10-30T08:00:00Z');
  expect(daysOf(periodsUntil('month', day, zone, true), zone).lastDay).toBe('2025-09-30');
});
