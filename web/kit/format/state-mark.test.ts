import { describe, expect, test } from 'vitest';
import { datapointMark, siteMark, worstOf } from './state-mark.ts';

const seen = (severity: string) => ({ severity, reason: 'Crew on the way' });
const unseen = (severity: string) => ({ severity, reason: null });

describe('the worst of several alarms', () => {
  test('is the most severe, whoever saw it', () => {
    expect(worstOf([unseen('minor'), seen('critical'), unseen('major')])).toEqual({
      state: 'critical',
      acknowledged: true,
    });
  });

  test('is hollow only once all of its kind are acknowledged', () => {
    expect(worstOf([seen('major'), unseen('major')])).toEqual({ state: 'major', acknowledged: false });
  });

  test('of none is none', () => expect(worstOf([])).toBeNull());
});

describe('the state of a site', () => {
  test('normal is normal', () => expect(siteMark(1, []).state).toBe('normal'));

  test('a silent site is silent, whatever else is still open there', () => {
    expect(siteMark(3, [unseen('critical'), seen('silent')])).toEqual({ state: 'silent', acknowledged: true });
  });

  test('an alarm that resolved between two answers is still called an alarm', () => {
    expect(siteMark(2, [])).toEqual({ state: 'major', acknowledged: false, word: 'Alarm' });
  });

  test('a site that never sent anything says so in words', () => expect(siteMark(0, []).word).toBe('No data yet'));
});

test('a data point of a silent sensor is stale', () => expect(datapointMark(3, []).state).toBe('stale'));
