import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { endOfExtension, extensionOf, extensionProblems, suggestedEnd } from './extension.ts';
import type { WindowRow } from './maintenance.queries.ts';

const ZONE = 'Europe/London';
const ENDS = '2026-11-12T16:00:00Z';
const NOW = Date.parse('2026-11-12T14:32:00Z');
const once = {
  ...{ uuid: 'window', name: 'Wet well cleaning', scope: 'site', targetUuid: 'site', suppresses: 'notifications' },
  ...{ repeats: 'once', firstDay: '2026-11-12', lastDay: null, fromTime: '08:00', toTime: '16:00', days: 0 },
  ...{ weekday: null, week: null, dayOfMonth: null },
} as unknown as WindowRow;
const weekly = { ...once, repeats: 'weekly', weekday: 4 } as WindowRow;
const problems = (window: WindowRow, day: string, time: string) =>
  extensionProblems(window, ENDS, { day, time }, ZONE, NOW);

describe('an extension', () => {
  test('suggests one hour more', () => {
    expect(suggestedEnd(ENDS, ZONE)).toEqual({ day: '2026-11-12', time: '17:00' });
    expect(suggestedEnd('2026-11-12T23:30:00Z', ZONE)).toEqual({ day: '2026-11-13', time: '00:30' });
  });

  test('changes the end of a window that does not repeat', () => {
    const extension = extensionOf(once, ENDS, { day: '2026-11-13', time: '09:00' }, ZONE);
    expect(extension).toMatchObject({ uuid: 'window', firstDay: '2026-11-12', fromTime: '08:00', days: 1 });
    expect(endOfExtension(extension, ZONE, NOW)).toBe('2026-11-13T09:00:00.000Z');
  });

  test('adds a window at the end of an occurrence, and leaves the recurrence as it is', () => {
    const extension = extensionOf(weekly, ENDS, { day: '2026-11-12', time: '18:00' }, ZONE);
    expect(extension).toMatchObject({ repeats: 'once', firstDay: '2026-11-12', fromTime: '16:00', toTime: '18:00' });
    expect(extension).not.toHaveProperty('uuid');
  });

  test('needs an end that is later than the current one', () => {
    const notLater = { time: expect.stringContaining('Choose a later end') };
    expect(problems(once, '2026-11-12', '16:00')).toEqual(notLater);
    expect(problems(once, '2026-11-11', '18:00')).toEqual(notLater);
    expect(problems(weekly, '2026-11-12', '15:00')).toEqual(notLater);
    expect(problems(once, '2026-11-12', '16:01')).toEqual({});
    expect(problems(weekly, '2026-11-12', '16:01')).toEqual({});
    expect(problems(once, 'tomorrow', '18:00')).toEqual({ day: expect.stringMatching(/^Enter a date, such as/) });
    expect(problems(once, '2026-11-13', '')).toEqual({ time: 'Enter a time, such as 12:00.' });
    expect(problems(once, '2028-11-13', '08:00')).toEqual({ day: expect.stringContaining('at most 366 days') });
  });

  test('without a problem ends later than the window, also when the clock changes', () => {
    const minutes = fc.integer({ min: -3 * 24 * 60, max: 3 * 24 * 60 });
    const ends = fc.constantFrom(ENDS, '2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z', '2027-03-28T00:59:00Z');
    fc.assert(
      fc.property(ends, minutes, fc.constantFrom(once, weekly), (endsAt, more, kind) => {
        const start = Date.parse(endsAt) - 4 * 3_600_000;
        const window = {
          ...kind,
          firstDay: new Date(start).toISOString().slice(0, 10),
          fromTime: '00:10',
        } as WindowRow;
        const wall = new Date(Date.parse(endsAt) + more * 60_000).toISOString();
        const end = { day: wall.slice(0, 10), time: wall.slice(11, 16) };
        if (Object.keys(extensionProblems(window, endsAt, end, ZONE, start)).length > 0) return;
        const found = endOfExtension(extensionOf(window, endsAt, end, ZONE), ZONE, start);
        expect(Date.parse(found ?? '')).toBeGreaterThan(Date.parse(endsAt));
      }),
    );
  });
});
