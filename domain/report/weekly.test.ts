import fc from 'fast-check';
import { expect, test } from 'vitest';
import { localTime } from '../week.ts';
import { lastDue, weekBefore } from './weekly.ts';

const at = (text: string) => new Date(text);

test.each([
  // London: the clock skips 01:00 on 29 March and repeats 01:00 on 25 October.
  ['Europe/London', { weekday: 7, hour: 1 }, '2026-03-29T12:00:00Z', '2026-03-29T01:00:00.000Z'],
  ['Europe/London', { weekday: 7, hour: 1 }, '2026-10-25T12:00:00Z', '2026-10-25T00:00:00.000Z'],
  ['Europe/London', { weekday: 1, hour: 8 }, '2026-03-30T07:00:00Z', '2026-03-30T07:00:00.000Z'],
  ['Europe/London', { weekday: 1, hour: 8 }, '2026-03-30T06:59:59Z', '2026-03-23T08:00:00.000Z'],
  // New York: the clock skips 02:00 on 8 March and repeats 01:00 on 1 November.
  ['America/New_York', { weekday: 7, hour: 2 }, '2026-03-08T12:00:00Z', '2026-03-08T07:00:00.000Z'],
  ['America/New_York', { weekday: 7, hour: 1 }, '2026-11-01T12:00:00Z', '2026-11-01T05:00:00.000Z'],
] as const)('in %s, %j was last due until %s at %s', (timeZone, time, now, due) => {
  expect(lastDue(time, at(now), timeZone).toISOString()).toBe(due);
});

test('a report is due once a week, at its weekday and hour, never in the future', () => {
  const zone = fc.constantFrom('Europe/London', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe');
  const moment = fc.date({ min: at('2025-01-01'), max: at('2027-12-31'), noInvalidDate: true });
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 7 }),
      fc.integer({ min: 0, max: 23 }),
      moment,
      zone,
      (weekday, hour, now, timeZone) => {
        const due = lastDue({ weekday, hour }, now, timeZone);
        expect(due.getTime()).toBeLessThanOrEqual(now.getTime());
        expect(now.getTime() - due.getTime()).toBeLessThanOrEqual(7 * 86_400_000 + 3_600_000);
        const local = localTime(due, timeZone);
        expect(new Date(Date.UTC(local.year, local.month - 1, local.day)).getUTCDay() || 7).toBe(weekday);
        // If the clock skips the hour, the report is due an hour later.
        expect([hour, hour + 1]).toContain(local.hour);
        // No other report is due between `due` and `now`.
        expect(lastDue({ weekday, hour }, due, timeZone)).toEqual(due);
        expect(lastDue({ weekday, hour }, new Date(due.getTime() - 1), timeZone).getTime()).toBeLessThan(due.getTime());
      },
    ),
  );
});

test('covers the seven days before the day of the report', () => {
  expect(weekBefore(at('2026-03-30T07:00:00Z'), 'Europe/London')).toEqual({ from: '2026-03-23', to: '2026-03-29' });
  expect(weekBefore(at('2026-03-02T04:30:00Z'), 'America/New_York')).toEqual({ from: '2026-02-22', to: '2026-02-28' });
});
