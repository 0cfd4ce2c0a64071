import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { localTime } from '../week.ts';
import { nextOccurrences, occurrencesBetween, type Recurrence } from './recurrence.ts';

const base: Recurrence = {
  ...{ repeats: 'once', firstDay: '2026-11-17', lastDay: null, fromTime: '08:00', toTime: '12:00', days: 0 },
  ...{ weekday: null, week: null, dayOfMonth: null },
};
const LONDON = 'Europe/London';
const NEW_YORK = 'America/New_York';
const at = (text: string) => Date.parse(text);
const shown = (recurrence: Partial<Recurrence>, zone: string, from: string, count = 3) =>
  nextOccurrences({ ...base, ...recurrence }, zone, at(from), count).map(({ startsAt, endsAt }) =>
    [startsAt, endsAt].map((time) => new Date(time).toISOString().slice(0, 16)).join(' '),
  );

describe('a recurrence', () => {
  test('that does not repeat takes place once, even over several days', () => {
    expect(shown({}, LONDON, '2026-11-12T14:32Z')).toEqual(['2026-11-17T08:00 2026-11-17T12:00']);
    expect(shown({ days: 3 }, LONDON, '2026-11-19T00:00Z')).toEqual(['2026-11-17T08:00 2026-11-20T12:00']);
    expect(shown({}, LONDON, '2026-11-17T12:00Z')).toEqual([]);
  });

  test('repeats every week from the first to the last day', () => {
    const weekly = { repeats: 'weekly', weekday: 3, fromTime: '06:00', toTime: '06:30' } as const;
    expect(shown(weekly, LONDON, '2026-11-12T14:32Z')).toEqual([
      '2026-11-18T06:00 2026-11-18T06:30',
      '2026-11-25T06:00 2026-11-25T06:30',
      '2026-12-02T06:00 2026-12-02T06:30',
    ]);
    expect(shown({ ...weekly, lastDay: '2026-11-25' }, LONDON, '2026-11-18T06:30Z')).toHaveLength(1);
  });

  test('repeats on the third Tuesday of every month', () => {
    const monthly = { repeats: 'monthly-weekday', weekday: 2, week: 3 } as const;
    expect(shown(monthly, LONDON, '2026-11-12T14:32Z').map((text) => text.slice(0, 10))).toEqual([
      ...['2026-11-17', '2026-12-15', '2027-01-19'],
    ]);
  });

  test('repeats on the last Friday of every month, whether it is the fourth or the fifth', () => {
    const last = { repeats: 'monthly-weekday', weekday: 5, week: 5, firstDay: '2026-10-01' } as const;
    expect(shown(last, LONDON, '2026-10-01T00:00Z').map((text) => text.slice(0, 10))).toEqual([
      ...['2026-10-30', '2026-11-27', '2026-12-25'],
    ]);
  });

  test('follows on the last Saturday once in a month that ends on it', () => {
    const last = { repeats: 'monthly-weekday', weekday: 6, week: 5, firstDay: '2026-01-01' } as const;
    expect(shown(last, LONDON, '2026-01-01T00:00Z', 4).map((text) => text.slice(0, 10))).toEqual([
      ...['2026-01-31', '2026-02-28', '2026-03-28', '2026-04-25'],
    ]);
  });

  test('skips months without its day', () => {
    const monthly = { repeats: 'monthly-day', dayOfMonth: 31, firstDay: '2026-01-01' } as const;
    expect(shown(monthly, LONDON, '2026-02-01T00:00Z').map((text) => text.slice(0, 10))).toEqual([
      ...['2026-03-31', '2026-05-31', '2026-07-31'],
    ]);
  });
});

describe('a clock change', () => {
  const sunday = (day: string, fromTime: string, toTime: string) => ({ firstDay: day, fromTime, toTime });
  const one = (recurrence: Partial<Recurrence>, zone: string) => shown(recurrence, zone, '2026-01-01T00:00Z', 1)[0];

  test('keeps the local times', () => {
    const weekly = { repeats: 'weekly', weekday: 2, firstDay: '2026-03-01' } as const;
    expect(shown(weekly, LONDON, '2026-03-24T00:00Z', 2)).toEqual([
      ...['2026-03-24T08:00 2026-03-24T12:00', '2026-03-31T07:00 2026-03-31T11:00'],
    ]);
    expect(shown(weekly, NEW_YORK, '2026-03-03T00:00Z', 2)).toEqual([
      ...['2026-03-03T13:00 2026-03-03T17:00', '2026-03-10T12:00 2026-03-10T16:00'],
    ]);
  });

  test.each([
    ['London', LONDON, '2026-03-29', '01:30', '03:00', '2026-03-29T01:00 2026-03-29T02:00'],
    ['New York', NEW_YORK, '2026-03-08', '02:30', '04:00', '2026-03-08T07:00 2026-03-08T08:00'],
  ])('in %s moves a skipped start to the clock change', (_, zone, day, from, to, expected) => {
    expect(one(sunday(day, from, to), zone)).toBe(expected);
  });

  test.each([
    ['London', LONDON, '2026-03-29', '00:30', '01:30', '2026-03-29T00:30 2026-03-29T01:00'],
    ['New York', NEW_YORK, '2026-03-08', '01:30', '02:30', '2026-03-08T06:30 2026-03-08T07:00'],
  ])('in %s moves a skipped end to the clock change', (_, zone, day, from, to, expected) => {
    expect(one(sunday(day, from, to), zone)).toBe(expected);
  });

  test('leaves out an occurrence that is skipped as a whole', () => {
    expect(one(sunday('2026-03-29', '01:00', '02:00'), LONDON)).toBeUndefined();
    expect(one(sunday('2026-03-08', '02:15', '03:00'), NEW_YORK)).toBeUndefined();
  });

  test.each([
    ['London', LONDON, '2026-10-25', '2026-10-25T00:30 2026-10-25T01:45'],
    ['New York', NEW_YORK, '2026-11-01', '2026-11-01T05:30 2026-11-01T06:45'],
  ])('in %s covers a doubled hour both times', (_, zone, day, expected) => {
    expect(one(sunday(day, '01:30', '01:45'), zone)).toBe(expected);
  });
});

const anyRecurrence: fc.Arbitrary<Recurrence> = fc
  .record({
    repeats: fc.constantFrom('weekly' as const, 'monthly-day' as const, 'monthly-weekday' as const),
    firstDay: fc
      .integer({ min: 0, max: 400 })
      .map((day) => new Date(at('2026-01-01') + day * 86_400_000).toISOString().slice(0, 10)),
    from: fc.integer({ min: 0, max: 95 }),
    to: fc.integer({ min: 0, max: 95 }),
    days: fc.integer({ min: 0, max: 6 }),
    weekday: fc.integer({ min: 1, max: 7 }),
    week: fc.integer({ min: 1, max: 5 }),
    dayOfMonth: fc.integer({ min: 1, max: 31 }),
  })
  .filter(({ from, to, days }) => days > 0 || to > from)
  .map(({ from, to, ...rest }) => ({ ...rest, lastDay: null, fromTime: clock(from), toTime: clock(to) }));
const clock = (quarter: number) =>
  `${String(Math.floor(quarter / 4)).padStart(2, '0')}:${String((quarter % 4) * 15).padStart(2, '0')}`;

test('occurrences are in order, never overlap, and begin and end at their local times', () => {
  const year = [at('2026-01-01T00:00Z'), at('2027-06-01T00:00Z')] as const;
  fc.assert(
    fc.property(anyRecurrence, fc.constantFrom(LONDON, NEW_YORK, 'UTC', 'Asia/Kolkata'), (recurrence, zone) => {
      const found = occurrencesBetween(recurrence, zone, ...year);
      expect(found.length).toBeGreaterThan(0);
      for (const [index, { startsAt, endsAt }] of found.entries()) {
        expect(endsAt).toBeGreaterThan(startsAt);
        const before = found[index - 1];
        if (before) expect(startsAt).toBeGreaterThan(before.endsAt);
        const times = [startsAt, endsAt].map((time) => {
          const { hour, minute } = localTime(new Date(time), zone);
          return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
        });
        // Only a local time that the clock skips is moved, to the end of the skipped hour.
        const isMoved = (time: number) =>
          localTime(new Date(time - 60_000), zone).hour + 1 < localTime(new Date(time), zone).hour;
        if (!isMoved(startsAt)) expect(times[0]).toBe(recurrence.fromTime);
        if (!isMoved(endsAt)) expect(times[1]).toBe(recurrence.toTime);
      }
    }),
    { numRuns: 60 },
  );
});

test('an occurrence is found by every range that it overlaps', () => {
  fc.assert(
    fc.property(anyRecurrence, fc.integer({ min: -3, max: 3 }), (recurrence, hours) => {
      const [first] = nextOccurrences(recurrence, LONDON, at('2026-01-01T00:00Z'), 1);
      const from = (first?.endsAt ?? 0) + hours * 3_600_000;
      const found = occurrencesBetween(recurrence, LONDON, from, from + 1);
      expect(found.some(({ startsAt }) => startsAt === first?.startsAt)).toBe(
        hours < 0 && (first?.startsAt ?? 0) <= from,
      );
    }),
    { numRuns: 60 },
  );
});
