import { describe, expect, test } from 'vitest';
import { sumCounts } from '../../features/alarm/bell/open-alarms.ts';
import { acknowledgementOf, hasJustOpened, inOrder, isQuiet, lasted, severityOf } from './alarm.ts';

describe('an acknowledgement', () => {
  test("is parsed from the alarm's JSON", () => {
    expect(
      acknowledgementOf({
        at: '2026-11-12T14:24:40Z',
        by: 'x',
        name: 'Owen Hughes',
        reason: 'Crew on the way',
        text: null,
        channel: 'app',
      }),
    ).toEqual({
      by: 'x',
      name: 'Owen Hughes',
      at: '2026-11-12T14:24:40Z',
      reason: 'Crew on the way',
      text: '',
      channel: 'app',
    });
  });

  test.each([null, undefined, 'text', 7])('is null for the JSON %j', (json) =>
    expect(acknowledgementOf(json)).toBeNull(),
  );

  test('is valid without a name or a time', () => {
    expect(acknowledgementOf({ at: 'soon' })).toMatchObject({ name: 'Somebody', at: null });
  });
});

describe('summary of open alarms', () => {
  test('counts by severity and names the oldest unacknowledged alarm', () => {
    const row = {
      severity: 'critical',
      open: 2,
      unacknowledged: 1,
      oldestUnacknowledged: '2026-11-12T14:29:00+00:00',
      newestUnacknowledged: null,
      shelved: 1,
      consequences: 4,
    };
    const summed = sumCounts([
      row,
      {
        severity: 'minor',
        open: 7,
        unacknowledged: 2,
        oldestUnacknowledged: '2026-11-12T13:54:00+00:00',
        newestUnacknowledged: null,
        shelved: 0,
        consequences: 1,
      },
      {
        ...{ severity: 'silent', open: 3, unacknowledged: 0, oldestUnacknowledged: null },
        ...{ newestUnacknowledged: null, shelved: 2, consequences: 0 },
      },
    ]);
    expect(summed).toEqual({
      open: 12,
      shelved: 3,
      consequences: 5,
      unacknowledged: 3,
      newest: null,
      oldest: '2026-11-12T13:54:00+00:00',
      bySeverity: { critical: 2, major: 0, minor: 7, silent: 3 },
    });
  });

  test('has only zeros without alarms', () => {
    expect(sumCounts([])).toMatchObject({ open: 0, unacknowledged: 0, oldest: null });
  });
});

test('sorts events by time, and puts those without a time last', () => {
  const events = [{ at: null }, { at: '2026-11-12T14:06:09+00:00' }, { at: '2026-11-12T14:06:02Z' }];
  expect(inOrder(events)).toEqual([events[2], events[1], events[0]]);
});

test('an alarm is shelved only while it is open', () => {
  const quietBecause = 'shelved';
  expect(isQuiet({ quietBecause, resolvedDate: null })).toBe(true);
  expect(isQuiet({ quietBecause })).toBe(true);
  expect(isQuiet({ quietBecause, resolvedDate: '2026-03-02T08:00:00Z' })).toBe(false);
  expect(isQuiet({ quietBecause: null, resolvedDate: null })).toBe(false);
});

test('treats an unknown severity as major', () => expect(severityOf('catastrophic')).toBe('major'));

test('an alarm counts as just opened for 15 seconds', () => {
  const now = new Date('2026-03-02T08:00:20Z');
  const alarm = (dateTime: string, resolvedDate: string | null = null) => [{ dateTime, resolvedDate }];
  expect(hasJustOpened(alarm('2026-03-02T08:00:06Z'), now)).toBe(true);
  expect(hasJustOpened(alarm('2026-03-02T08:00:05Z'), now)).toBe(false);
  expect(hasJustOpened(alarm('2026-03-02T08:00:06Z', '2026-03-02T08:00:07Z'), now)).toBe(false);
  expect(hasJustOpened(undefined, now)).toBe(false);
});

test.each([
  ['2026-11-12T14:06:02.999Z', 'less than a second'],
  ['2026-11-12T14:06:03Z', '1\u00a0s'],
  ['2026-11-12T15:18:02Z', '1\u00a0h 12\u00a0min'],
  [null, ''],
])('an alarm that was resolved at %s lasted %s', (resolvedDate, words) =>
  expect(lasted({ dateTime: '2026-11-12T14:06:02Z', resolvedDate })).toBe(words),
);
