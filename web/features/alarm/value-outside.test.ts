import { describe, expect, test } from 'vitest';
import type { Criteria } from './criteria.ts';
import { isInside, outsideWords } from './value-outside.ts';

const limits: Criteria = {
  kind: 'limits',
  version: 1,
  lower: 0.5,
  upper: 4,
  clearLower: null,
  clearUpper: 3.8,
  debounce: 0,
  unit: 'm',
};
const level = (latestValue: number | null) => ({ latestValue, uom: 'm', sensorType: 2, datapointTitleText: '' });
const conditions: Criteria = {
  ...{ kind: 'conditions', version: 1, words: 'a', measured: '', datapoints: [], debounce: 0 },
  ...{ ruleJson: '', values: {} },
};
const words = (criteria: Criteria, value: number | null) =>
  outsideWords(criteria, 'Level', level(value), undefined, 'en')?.words;

describe('outsideWords', () => {
  test.each<[number | null, string | undefined]>([
    [4.2, 'Level 4.2\u00a0m is still above 4\u00a0m.'],
    [0.25, 'Level 0.25\u00a0m is still below 0.5\u00a0m.'],
    [4.001, 'Level 4.001\u00a0m is still above 4\u00a0m.'],
    [4, undefined],
    [3.9, undefined],
    [null, undefined],
  ])('returns for the value %s: %j', (value, expected) => expect(words(limits, value)).toBe(expected));

  test('names the state of a digital channel', () => {
    const pump: Criteria = { kind: 'digital', alarmState: 'high', lowText: 'Off', highText: 'Tripped', debounce: 0 };
    const point = { ...level(1), uom: '', sensorType: 1, datapointTitleText: 'Tripped' };
    expect(outsideWords(pump, 'Pump', point)?.words).toBe('Pump is still Tripped.');
    expect(outsideWords(pump, 'Pump', { ...point, latestValue: 0, datapointTitleText: 'Off' })).toBeNull();
  });

  test('says when a new alarm opens', () => {
    expect(outsideWords(limits, 'Level', level(5))?.afterwards).toBe(
      'The next reading in the alarm range opens a new alarm.',
    );
    expect(outsideWords({ ...limits, debounce: 60 }, 'Level', level(5))?.afterwards).toBe(
      'If the value stays in the alarm range, a new alarm opens after 1 minute.',
    );
  });

  test('announces no new alarm for an offline site, and returns null without a data point', () => {
    expect(outsideWords({ kind: 'silence', hours: 2 }, '', null)).toEqual({
      words: 'The site is still silent.',
      afterwards: 'A new alarm opens only if the site sends data and becomes silent again.',
    });
    expect(outsideWords(limits, 'Level', null)).toBeNull();
  });

  test('uses the alarm’s events for conditions, and returns null if they are unknown', () => {
    const still = (isClearing: boolean | undefined, debounce = 0) =>
      outsideWords({ ...conditions, debounce }, 'Level', level(9), isClearing);
    expect(still(false)).toEqual({
      words: 'The conditions are still met.',
      afterwards: 'The next reading that meets the conditions opens a new alarm.',
    });
    expect(still(false, 120)?.afterwards).toBe('If the conditions stay true, a new alarm opens after 2 minutes.');
    expect([still(true), still(undefined)]).toEqual([null, null]);
  });
});

test('a value is inside as soon as it is within the limits, and never inside if that is unknown', () => {
  const pump: Criteria = { kind: 'digital', alarmState: 'low', lowText: 'Off', highText: 'On', debounce: 0 };
  const back = (criteria: Criteria | null, value: number | null) => isInside(criteria, level(value));
  expect([4.2, 4, 3.9, 0.5, 0.4, null].map((value) => back(limits, value))).toEqual([
    false,
    true,
    true,
    true,
    false,
    false,
  ]);
  expect([0, 1].map((value) => back(pump, value))).toEqual([false, true]);
  expect(back(conditions, 1)).toBe(false);
  expect(back(null, 1)).toBe(false);
  expect(isInside(limits, null)).toBe(false);
});
