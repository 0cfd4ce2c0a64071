import { describe, expect, test } from 'vitest';
import {
  type Criteria,
  clearWords,
  debounceWords,
  limitWords,
  pastLimitWords,
  readCriteria,
  shortLimitWords,
} from './criteria.ts';

const limits = {
  kind: 'limits',
  name: 'Wet well level',
  version: 7,
  lower: 0.8,
  upper: 4.2,
  clearLower: null,
  clearUpper: 4.05,
  debounce: 120,
  unit: 'm',
};

describe('the limits, state or conditions that opened an alarm', () => {
  test('are parsed from the stored record', () => {
    expect(readCriteria(limits)).toMatchObject({ kind: 'limits', version: 7, lower: 0.8, upper: 4.2, debounce: 120 });
    expect(readCriteria({ kind: 'silence', hours: 2 })).toEqual({ kind: 'silence', hours: 2 });
    const conditions = { kind: 'conditions', version: 2, words: 'Level is below 0.4 m', debounce: 0 };
    const measured = 'Level: 0.3 m (below 0.4 m)';
    const values = { p: 0.3, q: null };
    expect(readCriteria({ ...conditions, measured, datapoints: ['p', 7], ruleJson: '{}', values })).toEqual({
      ...conditions,
      ...{ measured, datapoints: ['p'], ruleJson: '{}', values: { p: 0.3 } },
    });
    expect(readCriteria(conditions), 'an old record').toEqual({
      ...conditions,
      measured: '',
      datapoints: [],
      ruleJson: '',
      values: {},
    });
  });

  test.each([null, undefined, 'limits', 7, {}, { kind: 'moon' }])('are null for %j', (json) =>
    expect(readCriteria(json)).toBeNull(),
  );

  test.each<[object, string]>([
    [limits, 'outside 0.8 to 4.2'],
    [{ ...limits, lower: null }, 'above 4.2'],
    [{ ...limits, upper: null, lower: -15.25 }, 'below −15.25'],
    [{ kind: 'silence', hours: 1 }, 'silent after 1\u00a0h'],
    [{ kind: 'digital', alarmState: 'low', lowText: 'Off', highText: 'On', debounce: 0 }, ''],
  ])('%j has the short text %j', (json, words) =>
    expect(shortLimitWords(readCriteria(json) as Criteria, 'en')).toBe(words),
  );

  test.each<[object, string]>([
    [limits, 'below 0.8 or above 4.2\u00a0m'],
    [{ ...limits, lower: null }, 'above 4.2\u00a0m'],
    [{ ...limits, upper: null, lower: -15.25, unit: '°C' }, 'below −15.25\u00a0°C'],
    [{ ...limits, lower: null, upper: 1234.5678, unit: '' }, 'above 1,234.5678'],
    [{ kind: 'digital', alarmState: 'low', lowText: 'Off', highText: 'On', debounce: 0 }, 'while Off'],
    [{ kind: 'digital', alarmState: 'high', lowText: '', highText: '' }, 'while high'],
    [{ kind: 'conditions', words: 'Level above 4 and pump off', debounce: 5 }, 'Level above 4 and pump off'],
    [{ kind: 'silence', hours: 2 }, 'no data for 2 hours'],
  ])('%j has the text %s', (json, words) => expect(limitWords(readCriteria(json) as Criteria, 'en-GB')).toBe(words));

  test.each([
    [limits, 'was below 0.8 or above 4.2\u00a0m'],
    [{ kind: 'digital', alarmState: 'high', highText: 'Tripped' }, 'was Tripped'],
  ])('%j has the text %s beside a value that is back inside', (json, words) =>
    expect(pastLimitWords(readCriteria(json) as Criteria, 'en-GB')).toBe(words),
  );

  test('writes the clear limits only if they differ from the limits', () => {
    expect(clearWords(readCriteria(limits) as Criteria, 'en-GB')).toBe('between 0.8 and 4.05\u00a0m');
    expect(clearWords(readCriteria({ ...limits, clearUpper: 4.2 }) as Criteria, 'en-GB')).toBe('');
  });

  test('writes the debounce', () => {
    expect(debounceWords(readCriteria(limits) as Criteria)).toBe('2 minutes');
    expect(debounceWords(readCriteria({ ...limits, debounce: 0 }) as Criteria)).toBe('');
  });
});
