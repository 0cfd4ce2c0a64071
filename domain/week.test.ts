import { describe, expect, test } from 'vitest';
import {
  daysBefore,
  localTime,
  momentOf,
  monthStarts,
  startOfDay,
  startOfWeek,
  weekStarts,
  weeksUntil,
} from './week.ts';

const at = (text: string) => new Date(text);
const iso = (date: Date) => date.toISOString().replace('.000', '');

describe('a local time', () => {
  const time = (text: string, zone: string) => {
    const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = text.split(/\D/).map(Number);
    return iso(momentOf({ year, month, day, hour, minute }, zone));
  };

  test('is converted to UTC correctly on every day of the year', () => {
    for (const zone of ['Europe/London', 'America/New_York', 'Asia/Kolkata', 'Pacific/Auckland']) {
      for (let hour = 0; hour < 366 * 24; hour += 7) {
        const wanted = new Date(Date.UTC(2026, 0, 1, hour, 30));
        const local = localTime(wanted, zone);
        expect(localTime(momentOf(local, zone), zone)).toEqual(local);
      }
    }
  });

  test('that occurs twice means the first time, and one that is skipped is moved forward by the change', () => {
    expect(time('2026-10-25T01:30', 'Europe/London')).toBe('2026-10-25T00:30:00Z');
    expect(time('2026-03-29T01:30', 'Europe/London')).toBe('2026-03-29T01:30:00Z');
    expect(time('2026-11-01T01:30', 'America/New_York')).toBe('2026-11-01T05:30:00Z');
    expect(time('2026-03-08T02:30', 'America/New_York')).toBe('2026-03-08T07:30:00Z');
  });
});

describe('the start of a day', () => {
  test.each([
    ['Europe/London', '2026-11-12T14:32:00Z', '2026-11-12T00:00:00Z'],
    ['Europe/London', '2026-07-01T23:30:00Z', '2026-07-01T23:00:00Z'],
    ['Asia/Kolkata', '2026-11-12T18:29:59Z', '2026-11-11T18:30:00Z'],
    ['Asia/Kolkata', '2026-11-12T18:30:00Z', '2026-11-12T18:30:00Z'],
    ['Pacific/Auckland', '2026-01-01T12:00:00Z', '2026-01-01T11:00:00Z'],
    ['America/Los_Angeles', '2026-01-01T07:59:59Z', '2025-12-31T08:00:00Z'],
    ['UTC', '2028-02-29T00:00:00Z', '2028-02-29T00:00:00Z'],
  ])('in %s at %s is %s', (zone, moment, start) => expect(iso(startOfDay(at(moment), zone))).toBe(start));

  test.each([
    // The clock changes after midnight, so midnight still has the offset of the day before.
    ['Europe/London', '2026-03-29T12:00:00Z', '2026-03-29T00:00:00Z'],
    ['Europe/London', '2026-10-25T12:00:00Z', '2026-10-24T23:00:00Z'],
    ['America/New_York', '2026-03-08T12:00:00Z', '2026-03-08T05:00:00Z'],
    ['America/New_York', '2026-11-01T12:00:00Z', '2026-11-01T04:00:00Z'],
    ['Australia/Lord_Howe', '2026-04-05T12:00:00Z', '2026-04-04T13:00:00Z'],
  ])('in %s on a day with a clock change, %s, is %s', (zone, moment, start) =>
    expect(iso(startOfDay(at(moment), zone))).toBe(start),
  );

  test('is 01:00 if the clock goes forward at midnight', () => {
    const start = startOfDay(at('2018-11-04T15:00:00Z'), 'America/Sao_Paulo');
    expect(iso(start)).toBe('2018-11-04T03:00:00Z');
    expect(localTime(start, 'America/Sao_Paulo')).toMatchObject({ day: 4, hour: 1 });
  });

  test('is the first midnight if the clock goes back over it', () => {
    expect(iso(startOfDay(at('2025-11-02T20:00:00Z'), 'America/Havana'))).toBe('2025-11-02T04:00:00Z');
  });
});

describe('the start of a week', () => {
  test.each([
    ['Europe/London', '2026-11-12T14:32:00Z', '2026-11-09T00:00:00Z'],
    ['Europe/London', '2026-11-09T00:00:00Z', '2026-11-09T00:00:00Z'],
    ['Europe/London', '2026-11-08T23:59:59Z', '2026-11-02T00:00:00Z'],
    // At 15:00 UTC on this Sunday, it is already Monday in Tokyo.
    ['Asia/Tokyo', '2026-11-08T15:00:00Z', '2026-11-08T15:00:00Z'],
    ['Europe/Berlin', '2026-03-29T20:00:00Z', '2026-03-22T23:00:00Z'],
    ['Europe/Berlin', '2026-01-01T12:00:00Z', '2025-12-28T23:00:00Z'],
  ])('in %s at %s is %s', (zone, moment, start) => expect(iso(startOfWeek(at(moment), zone))).toBe(start));
});

describe('twelve weeks', () => {
  test('are the whole weeks before this one, each with its own UTC offset', () => {
    const starts = weekStarts(at('2026-11-12T14:32:00Z'), 'Europe/London').map(iso);
    expect(starts).toHaveLength(13);
    expect(starts[0]).toBe('2026-08-16T23:00:00Z');
    // Daylight saving time ended on 25 October.
    expect(starts.slice(9)).toEqual([
      '2026-10-18T23:00:00Z',
      '2026-10-26T00:00:00Z',
      '2026-11-02T00:00:00Z',
      '2026-11-09T00:00:00Z',
    ]);
  });

  test('start on Mondays at midnight in every zone, all year', () => {
    for (const zone of [
      'Europe/London',
      'America/New_York',
      'Asia/Kolkata',
      'Pacific/Chatham',
      'Australia/Lord_Howe',
    ]) {
      for (let week = 0; week < 53; week += 1) {
        const now = new Date(Date.UTC(2026, 0, 1, 17) + week * 7 * 86_400_000);
        for (const start of weekStarts(now, zone)) {
          const local = localTime(start, zone);
          expect({ ...local, year: 0, month: 0, day: 0 }).toEqual({
            year: 0,
            month: 0,
            day: 0,
            hour: 0,
            minute: 0,
            second: 0,
          });
          expect(new Date(Date.UTC(local.year, local.month - 1, local.day)).getUTCDay()).toBe(1);
        }
      }
    }
  });
});

test('daysBefore counts calendar days, not multiples of 24 hours', () => {
  expect(iso(daysBefore(at('2026-10-26T12:00:00Z'), 1, 'Europe/London'))).toBe('2026-10-24T23:00:00Z');
  expect(iso(daysBefore(at('2026-03-01T12:00:00Z'), 30, 'Europe/London'))).toBe('2026-01-30T00:00:00Z');
});

describe('twelve weeks until a day', () => {
  test('end on the day before it, the last one incomplete', () => {
    const starts = weeksUntil(at('2026-11-12T14:32:00Z'), 'Europe/London').map(iso);
    expect(starts).toHaveLength(13);
    expect(starts[0]).toBe('2026-08-23T23:00:00Z');
    expect(starts.slice(10)).toEqual(['2026-11-02T00:00:00Z', '2026-11-09T00:00:00Z', '2026-11-12T00:00:00Z']);
  });

  test('are whole weeks if it is a Monday', () => {
    const monday = at('2026-11-09T08:00:00Z');
    expect(weeksUntil(monday, 'Europe/London')).toEqual(weekStarts(monday, 'Europe/London'));
  });
});

test('returns the first days of the last whole months, each with its own UTC offset', () => {
  const starts = monthStarts(at('2026-01-15T10:00:00Z'), 'Europe/London').map(iso);
  expect(starts).toHaveLength(13);
  expect(starts[0]).toBe('2025-01-01T00:00:00Z');
  expect(starts.slice(9)).toEqual([
    '2025-09-30T23:00:00Z',
    '2025-11-01T00:00:00Z',
    '2025-12-01T00:00:00Z',
    '2026-01-01T00:00:00Z',
  ]);
});
