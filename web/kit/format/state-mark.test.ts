import { describe, expect, test } from 'vitest';
import { datapointMark, siteMark, worstOf } from './state-mark.ts';

const seen = (severity: string) => ({ severity, reason: 'Crew on the way', quietBecause: null });
const unseen = (severity: string) => ({ severity, reason: null, quietBecause: null });
const shelved = (severity: string) => ({ severity, reason: null, quietBecause: 'shelved' });

describe('the worst of several alarms', () => {
  test('is the most severe, acknowledged or not', () => {
    expect(worstOf([unseen('minor'), seen('critical'), unseen('major')])).toEqual({
      state: 'critical',
      acknowledged: true,
    });
  });

  test('counts as acknowledged only when all of its severity are', () => {
    expect(worstOf([seen('major'), unseen('major')])).toEqual({ state: 'major', acknowledged: false });
  });

  test('is null without alarms', () => expect(worstOf([])).toBeNull());

  test('leaves out shelved alarms, and is shelved if all are', () => {
    expect(worstOf([shelved('critical'), unseen('minor')])).toEqual({ state: 'minor', acknowledged: false });
    expect(worstOf([shelved('critical'), shelved('minor')])?.state).toBe('shelved');
  });

  test('is a consequence if all are consequences, and never normal', () => {
    const consequence = { severity: 'critical', reason: null, quietBecause: 'dependency' };
    expect(worstOf([consequence])?.state).toBe('consequence');
    expect(worstOf([consequence, unseen('minor')])?.state).toBe('minor');
    expect(worstOf([consequence, shelved('minor')])?.state).toBe('shelved');
  });
});

describe('the state of a site', () => {
  test('shows a normal site as normal', () => expect(siteMark(1, []).state).toBe('normal'));

  test('shows a silent site as silent, even with other open alarms', () => {
    expect(siteMark(3, [unseen('critical'), seen('silent')])).toEqual({ state: 'silent', acknowledged: true });
  });

  test('is shelved while all its alarms are, even if it is silent', () => {
    expect(siteMark(2, [shelved('critical')]).state).toBe('shelved');
    expect(siteMark(3, [shelved('silent')]).state).toBe('shelved');
  });

  test('still shows an alarm that was resolved between two queries', () => {
    expect(siteMark(2, [])).toEqual({ state: 'major', acknowledged: false, word: 'Alarm' });
  });

  test('shows a site that has never sent as "No data yet"', () => expect(siteMark(0, []).word).toBe('No data yet'));
});

test('shows a data point as shelved while all its alarms are', () => {
  expect(datapointMark(2, [shelved('major')]).state).toBe('shelved');
});

test('shows a data point of a silent sensor as stale', () => expect(datapointMark(3, []).state).toBe('stale'));
