import { describe, expect, test } from 'vitest';
import { healthWords, statusOf } from './site-status.ts';

describe("a site's status", () => {
  test('is its worst alarm, and counts all of them', () => {
    const alarms = [
      { severity: 'minor', acknowledged: false },
      { severity: 'critical', acknowledged: true },
    ];
    expect(statusOf(2, alarms)).toEqual({
      state: 'critical',
      acknowledged: true,
      words: 'Critical, acknowledged',
      note: '2 open alarms, 1 not acknowledged',
    });
    expect(statusOf(2, [...alarms, { severity: 'critical', acknowledged: false }])).toMatchObject({
      words: 'Critical, not acknowledged',
      note: '3 open alarms, 2 not acknowledged',
    });
  });

  test('counts shelved alarms separately, and is shelved if all alarms are', () => {
    expect(statusOf(2, [{ severity: 'minor', acknowledged: false }], 1, 0, true, { shelved: 2 })).toMatchObject({
      state: 'minor',
      note: '1 open alarm, 2 shelved',
    });
    expect(statusOf(2, [], 0, 0, true, { shelved: 2 })).toMatchObject({
      ...{ state: 'shelved', words: 'Shelved', note: '2 shelved alarms' },
    });
    expect(statusOf(2, [], 0, 0, true, { maintenance: 2 })).toMatchObject({
      ...{ state: 'maintenance', words: 'Maintenance', note: '2 alarms in maintenance' },
    });
  });

  test('counts consequences separately, and is a consequence if all alarms are', () => {
    expect(
      statusOf(2, [{ severity: 'minor', acknowledged: false }], 1, 0, true, { shelved: 1, consequence: 3 }),
    ).toMatchObject({
      state: 'minor',
      note: '1 open alarm, 1 shelved, 3 consequences',
    });
    expect(statusOf(2, [], 0, 0, true, { consequence: 3 })).toMatchObject({
      ...{ state: 'consequence', words: 'Consequence', note: '3 consequences' },
    });
  });

  test('counts alarms beyond those listed', () =>
    expect(statusOf(2, [{ severity: 'major', acknowledged: false }], 120).note).toBe('120 open alarms'));

  test('is not called normal while a value is outside without an alarm', () => {
    expect(statusOf(1, [], 0, 2)).toMatchObject({
      state: 'normal',
      words: 'No open alarms',
      note: '2 values out of limits',
    });
    expect(statusOf(3, [], 0, 2).words).toBe('Silent');
  });

  test('is not called normal without rules', () => {
    expect(statusOf(1, [], 0, 0, false)).toMatchObject({ state: 'normal', words: 'No open alarms', note: '' });
    expect(statusOf(0, [], 0, 0, false).words).toBe('No data yet');
    expect(statusOf(1, [{ severity: 'minor', acknowledged: false }], 1, 0, false).words).toMatch(/^Minor/);
  });

  test.each([
    [0, 'No data yet'],
    [1, 'Normal'],
    [2, 'Alarm'],
    [3, 'Silent'],
  ])('without alarms follows the status of the site: %d is %s', (status, words) =>
    expect(statusOf(status, []).words).toBe(words),
  );
});

describe('the health of the last seven days', () => {
  test('is counted in hours', () => {
    expect(healthWords({ received: 167, expected: 168 }, 1)).toEqual({ words: '167 of 168 h', missing: false });
    expect(healthWords({ received: 20, expected: 28 }, 6)).toEqual({ words: '120 of 168 h', missing: true });
  });

  test('is unknown for a new site and never above 100 %', () => {
    expect(healthWords({ received: 0, expected: 0 }, 1).words).toBe('not known yet');
    expect(healthWords(null, 1).words).toBe('not known yet');
    expect(healthWords({ received: 3, expected: 2 }, 1).words).toBe('2 of 2 h');
  });
});
