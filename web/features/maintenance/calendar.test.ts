import fc from 'fast-check';
import { expect, test } from 'vitest';
import { monthAfter, overlapping, placeEntries, stateOfEntry, weeksOf } from './calendar.ts';

const ZONE = 'Europe/London';
const entry = (name: string, startsAt: string, endsAt: string | null) => ({
  ...{ uuid: name, startsAt, endsAt },
  maintenanceWindow: {
    ...{ uuid: name, name, scope: 'site', targetUuid: name, targetName: '', siteName: '', site: null },
    ...{ repeats: 'once', endedAt: null },
  },
});

test('shows whole weeks from Monday to Sunday', () => {
  const weeks = weeksOf('2026-11', ZONE);
  expect(weeks).toHaveLength(6);
  expect(weeks[0]?.map(({ date }) => date)).toEqual([26, 27, 28, 29, 30, 31, 1]);
  expect(weeks[0]?.map(({ isInMonth }) => isInMonth).indexOf(true)).toBe(6);
  expect(weeks[5]?.[0]).toMatchObject({ date: 30, isInMonth: true });
  expect(weeksOf('2026-02', ZONE)).toHaveLength(5);
  expect(weeksOf('2027-02', ZONE)).toHaveLength(4);
});

test('moves to the next and previous month, even across a year boundary', () => {
  expect(monthAfter('2026-12', 1)).toBe('2027-01');
  expect(monthAfter('2026-01', -1)).toBe('2025-12');
});

test('places an occurrence on its days, and continues it in the next week', () => {
  const weeks = weeksOf('2026-11', ZONE);
  const long = entry('long', '2026-11-13T08:00:00Z', '2026-11-17T12:00:00Z');
  expect(placeEntries(weeks[2] ?? [], [long])).toMatchObject([{ column: 5, span: 3, line: 1, isContinued: false }]);
  expect(placeEntries(weeks[3] ?? [], [long])).toMatchObject([{ column: 1, span: 2, line: 1, isContinued: true }]);
  expect(placeEntries(weeks[4] ?? [], [long])).toEqual([]);
});

test('places occurrences so that none covers another', () => {
  const week = weeksOf('2026-11', ZONE)[2] ?? [];
  const anyEntry = fc.tuple(fc.integer({ min: 0, max: 13 }), fc.integer({ min: 1, max: 9 })).map(([from, halves]) => {
    const start = Date.parse('2026-11-09T00:00:00Z') + from * 43_200_000;
    const [startsAt, endsAt] = [start, start + halves * 43_200_000].map((at) => new Date(at).toISOString());
    return entry('one', startsAt ?? '', endsAt ?? '');
  });
  fc.assert(
    fc.property(fc.array(anyEntry, { maxLength: 8 }), (entries) => {
      const placed = placeEntries(week, entries);
      expect(placed).toHaveLength(entries.length);
      const cells = placed.flatMap(({ column, span, line }) =>
        Array.from({ length: span }, (_, index) => `${line} ${column + index}`),
      );
      expect(new Set(cells).size).toBe(cells.length);
    }),
  );
});

test('an occurrence is planned, active or past', () => {
  const work = entry('work', '2026-11-12T08:00:00Z', '2026-11-12T12:00:00Z');
  const stateAt = (time: string) => stateOfEntry(work, new Date(time));
  expect(stateAt('2026-11-12T07:59:59Z')).toBe('planned');
  expect(stateAt('2026-11-12T08:00:00Z')).toBe('active');
  expect(stateAt('2026-11-12T12:00:00Z')).toBe('past');
  expect(stateOfEntry({ ...work, endsAt: null }, new Date('2027-01-01'))).toBe('active');
});

test('an occurrence overlaps another one, but not one that only touches it', () => {
  const work = entry('work', '2026-11-12T08:00:00Z', '2026-11-12T12:00:00Z');
  const found = (from: string, to: string, other = work) =>
    overlapping({ startsAt: Date.parse(`2026-11-12T${from}:00Z`), endsAt: Date.parse(`2026-11-12T${to}:00Z`) }, [
      other,
    ]);
  expect(found('11:00', '13:00')).toBe(work);
  expect(found('12:00', '13:00')).toBeUndefined();
  expect(found('07:00', '08:00')).toBeUndefined();
  expect(found('12:00', '13:00', { ...work, endsAt: null })).toBeDefined();
});
