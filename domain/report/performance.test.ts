import { describe, expect, test } from 'vitest';
import {
  causeWords,
  loadLevel,
  type PerformanceTotals,
  performanceMeasures,
  severityShares,
  targetState,
} from './performance.ts';
import { performanceLines } from './performance-lines.ts';
import { type PerformanceTargets, targetProblems } from './performance-targets.ts';

const targets: PerformanceTargets = {
  ...{ dayAlarmsTarget: 150, dayAlarmsLimit: 300, periodAlarmsTarget: 1, periodAlarmsLimit: 2, floodEndAlarms: 5 },
  ...{ staleHours: 24, staleTarget: 5, busyShareTarget: 1, floodShareTarget: 1, topRulesShareTarget: 5 },
  ...{ majorShareTarget: 15, criticalShareTarget: 5 },
};
const none: PerformanceTotals = {
  ...{ alarms: 0, critical: 0, major: 0, minor: 0, silent: 0, days: 1, periods: 144, busyPeriods: 0, busyAlarms: 0 },
  ...{ floodCount: 0, floodPeriods: 0, floodAlarms: 0, topAlarms: 0, chattering: 0, fleeting: 0, stale: 0 },
  ...{ acknowledged: 0, medianSeconds: null, p90Seconds: null, addressed: 0, recipientCount: 0, recipientAlarms: 0 },
  ...{ recipients: [], causes: [] },
};

describe('targetState', () => {
  test.each([
    [150, 'within'],
    [150.1, 'manageable'],
    [300, 'manageable'],
    [300.1, 'above'],
  ] as const)('says that %s alarms a day are %s', (value, state) => {
    expect(targetState(value, 150, 300)).toBe(state);
  });

  test('has no state in between without a limit', () => {
    expect([targetState(5, 5), targetState(5.1, 5)]).toEqual(['within', 'above']);
  });
});

describe('performanceMeasures', () => {
  test('is within all targets without alarms', () => {
    const measures = performanceMeasures(none, targets, 'en');
    expect(new Set(measures.map(({ state }) => state))).toEqual(new Set(['within']));
    expect(measures.every(({ share, mark }) => Number.isFinite(share) && Number.isFinite(mark))).toBe(true);
  });

  test('divides the load by recipients and days, and keeps bars inside their track', () => {
    const totals = {
      ...{ ...none, alarms: 1344, topAlarms: 620, days: 14, periods: 2016, busyPeriods: 10 },
      ...{ recipientCount: 2, recipientAlarms: 10_080, recipients: [{ alarms: 8400, peak: 16 }] },
      causes: [{ kind: 'unreached', cause: 'failed', alarms: 7, rules: 4 }],
    };
    const measures = performanceMeasures(totals, targets, 'en');
    expect(measures.map(({ value, unit, state, words }) => [value, unit, state, words])).toEqual([
      ['360.0', 'busiest 600.0', 'above', 'above the target of 150'],
      ['2.50', 'busiest 4.17', 'above', 'above the target of 1'],
      ['0.5 %', '10 of 2,016', 'within', 'within 1 %'],
      ['0', '', 'within', 'within 1 % of the time'],
      ['46.1 %', '620 of 1,344', 'above', 'above the target of 5 %'],
      ['7', '1 cause', 'above', 'above the target of 0'],
    ]);
    for (const { share, mark } of measures) expect(Math.max(share, mark)).toBeLessThanOrEqual(1);
    const manageable = performanceMeasures({ ...totals, recipientAlarms: 5600 }, targets, 'en')[0];
    expect(manageable?.words).toBe('above 150, manageable up to 300');
  });
});

test('severityShares leaves out silent sites, and accepts fewer minor alarms only if others are within', () => {
  const rows = severityShares({ critical: 1, major: 2, minor: 7 }, targets);
  expect(rows.map(({ severity, share, target, state }) => [severity, share, target, state])).toEqual([
    ['minor', 70, 80, 'within'],
    ['major', 20, 15, 'above'],
    ['critical', 10, 5, 'above'],
  ]);
});

test.each([
  [{ kind: 'suppressed', cause: '' }, 'Repeated within 10 minutes'],
  [{ kind: 'suppressed', cause: 'maintenance' }, 'Maintenance'],
  [{ kind: 'suppressed', cause: 'some-new-reason' }, 'Suppressed: some-new-reason'],
  [{ kind: 'shelved', cause: 'Pump exchange' }, 'Shelved: Pump exchange'],
  [{ kind: 'unreached', cause: 'failed' }, 'Sending failed'],
])('causeWords names %j', (row, words) => {
  expect(causeWords(row)).toBe(words);
});

test('loadLevel has the shades of the key', () => {
  expect([0, 1, 2, 3, 5, 6, 10, 11].map(loadLevel)).toEqual([0, 1, 1, 2, 2, 3, 3, 4]);
});

test('performanceLines compares with targets, and has no result without a target', () => {
  const lines = performanceLines({ ...none, alarms: 3, stale: 6 }, targets);
  const line = (wanted: string) => lines.find(({ name }) => name === wanted);
  expect(line('Stale alarms')).toEqual({ name: 'Stale alarms', unit: 'alarms', value: 6, target: 5, state: 'above' });
  expect(line('Alarms')).toMatchObject({ value: 3, target: null, state: null });
  expect(line('Time to acknowledge, median')).toMatchObject({ value: null, state: null });
});

describe('targetProblems', () => {
  const texts = Object.fromEntries(Object.entries(targets).map(([field, number]) => [field, String(number)])) as Record<
    keyof PerformanceTargets,
    string
  >;

  test('accepts the defaults', () => {
    expect(targetProblems(texts)).toEqual({});
  });

  test.each([
    ['dayAlarmsTarget', '0', 'Enter a whole number from 1 to 10,000.'],
    ['dayAlarmsTarget', '1.5', 'Enter a whole number from 1 to 10,000.'],
    ['floodEndAlarms', '11', 'Enter a whole number from 1 to 10.'],
    ['staleHours', '', 'Enter a whole number of hours from 1 to 8,760 (one year).'],
    ['busyShareTarget', '101', 'Enter a whole percentage from 0 to 100.'],
    ['dayAlarmsLimit', '149', 'Enter a number that is not below the acceptable maximum.'],
    ['criticalShareTarget', '86', 'Major and critical together cannot exceed 100 %. Enter a smaller share.'],
  ] as const)('refuses %s of %j', (field, text, sentence) => {
    expect(targetProblems({ ...texts, [field]: text })).toEqual({ [field]: sentence });
  });
});
