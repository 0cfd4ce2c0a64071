import { describe, expect, test } from 'vitest';
import type { Recurrence } from './recurrence.ts';
import { refuseRecurrence } from './refusals.ts';
import { recurrenceWords } from './words.ts';

const once: Recurrence = {
  ...{ repeats: 'once', firstDay: '2026-11-17', lastDay: null, fromTime: '08:00', toTime: '12:00', days: 0 },
  ...{ weekday: null, week: null, dayOfMonth: null },
};
const NOW = Date.parse('2026-11-12T14:32Z');
const refusal = (change: Partial<Recurrence>) => refuseRecurrence({ ...once, ...change }, 'Europe/London', NOW);

describe('a window', () => {
  test.each<[string, Partial<Recurrence>, string, RegExp]>([
    ['that ends when it starts', { toTime: '08:00' }, 'toTime', /^The end is not after the start/],
    ['that has ended', { firstDay: '2026-11-11' }, 'toTime', /^The window has ended already/],
    ['on a day that does not exist', { firstDay: '2027-02-31' }, 'firstDay', /^Enter a date/],
    ['at a time that does not exist', { fromTime: '24:00' }, 'fromTime', /^Enter a time/],
    [
      'in the skipped hour',
      { firstDay: '2027-03-28', fromTime: '01:00', toTime: '01:30' },
      'fromTime',
      /^The clocks skip/,
    ],
    [
      'on day 31 in February only',
      { repeats: 'monthly-day', dayOfMonth: 31, firstDay: '2027-02-01', lastDay: '2027-02-28' },
      ...(['lastDay', /^No occurrence falls on or before this day/] as const),
    ],
    [
      'whose last day is before the first',
      { repeats: 'weekly', weekday: 1, lastDay: '2026-11-16' },
      ...(['lastDay', /^The last day is before the first day/] as const),
    ],
    [
      'whose last day is over',
      { repeats: 'weekly', weekday: 1, firstDay: '2026-01-01', lastDay: '2026-10-01' },
      ...(['lastDay', /^The last day is in the past/] as const),
    ],
    ['that repeats weekly without a weekday', { repeats: 'weekly' }, 'weekday', /^Choose a weekday/],
    ['that repeats in the sixth week', { repeats: 'monthly-weekday', weekday: 1, week: 6 }, 'week', /^Choose a week/],
    ['that repeats on day 0', { repeats: 'monthly-day', dayOfMonth: 0 }, 'dayOfMonth', /^Choose a day/],
    ['that lasts until it repeats', { repeats: 'weekly', weekday: 1, days: 7 }, 'days', /at most 6 days/],
    ['that lasts for years', { days: 400 }, 'days', /at most 366 days/],
  ])('%s is refused', (_, change, field, sentence) => {
    expect(refusal(change)).toMatchObject({ field, sentence: expect.stringMatching(sentence) });
  });

  test('is accepted if it is active or will be', () => {
    expect(refusal({})).toBeUndefined();
    expect(refusal({ firstDay: '2026-11-12', fromTime: '08:00', toTime: '16:00' })).toBeUndefined();
    expect(refusal({ repeats: 'monthly-day', dayOfMonth: 31, firstDay: '2027-02-01' })).toBeUndefined();
  });
});

test('a recurrence is written in words', () => {
  const words = (change: Partial<Recurrence>) => recurrenceWords({ ...once, ...change });
  expect(words({})).toBe('Once, on Tue 17 Nov 2026, 08:00 to 12:00');
  expect(words({ days: 2 })).toBe('Once, on Tue 17 Nov 2026, 08:00 to Thu 19 Nov 2026, 12:00');
  expect(words({ repeats: 'monthly-weekday', weekday: 2, week: 3 })).toBe(
    'On the third Tuesday of every month, 08:00 to 12:00, with no end date',
  );
  expect(words({ repeats: 'weekly', weekday: 3, days: 1, lastDay: '2026-12-31' })).toBe(
    'Every Wednesday, 08:00 to 12:00 on the next day, until Thu 31 Dec 2026',
  );
  expect(words({ repeats: 'monthly-day', dayOfMonth: 31 })).toBe(
    'On day 31 of every month that has it, 08:00 to 12:00, with no end date',
  );
});
