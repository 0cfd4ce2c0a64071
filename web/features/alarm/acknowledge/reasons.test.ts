import { describe, expect, test } from 'vitest';
import { countAndNames, offerReasons, unsavedTexts } from './reasons.ts';

describe('offered reasons', () => {
  test('are those of the rule, sorted by name, for one alarm', () => {
    expect(offerReasons([{ uuid: 'a', reasons: ['Sensor fault', 'Crew on the way'] }])).toEqual({
      kind: 'choice',
      reasons: [
        { reason: 'Crew on the way', acceptedBy: ['a'] },
        { reason: 'Sensor fault', acceptedBy: ['a'] },
      ],
      withoutList: [],
    });
  });

  test('are written by the user if no rule has a list', () => {
    expect(offerReasons([{ uuid: 'a', reasons: [] }])).toEqual({ kind: 'own-words' });
    expect(offerReasons([])).toEqual({ kind: 'own-words' });
  });

  test('name the alarms that accept them, the most accepted first', () => {
    const offer = offerReasons([
      { uuid: 'a', reasons: ['Cleaning', 'Sensor fault'] },
      { uuid: 'b', reasons: ['sensor fault ', 'Power cut'] },
    ]);
    expect(offer).toEqual({
      kind: 'choice',
      reasons: [
        { reason: 'Sensor fault', acceptedBy: ['a', 'b'] },
        { reason: 'Cleaning', acceptedBy: ['a'] },
        { reason: 'Power cut', acceptedBy: ['b'] },
      ],
      withoutList: [],
    });
  });

  test('are all accepted by an alarm whose rule has no list', () => {
    const offer = offerReasons([
      { uuid: 'a', reasons: [] },
      { uuid: 'b', reasons: ['Power cut'] },
    ]);
    expect(offer).toEqual({
      kind: 'choice',
      reasons: [{ reason: 'Power cut', acceptedBy: ['a', 'b'] }],
      withoutList: ['a'],
    });
  });
});

test('names some of several alarms, or the excluded ones if they are fewer', () => {
  const alarms = ['North', 'South', 'East', 'West', 'Quay'].map((name) => ({
    uuid: name,
    message: 'Level high',
    siteName: name,
  }));
  expect(countAndNames(['South'], alarms.slice(0, 2))).toBe('1 of 2: Level high, South');
  expect(countAndNames(['North', 'South', 'West', 'Quay'], alarms)).toBe('4 of 5, all except Level high, East');
  expect(countAndNames(['South', 'West'], alarms)).toBe('2 of 5: Level high, South; Level high, West');
  const more = [...alarms, { uuid: 'Mill', message: 'Fence', siteName: 'Mill' }];
  expect(countAndNames(['North', 'East', 'Mill'], more)).toBe('3 of 6: Level high, North; Level high, East and 1 more');
});

describe('text that no acknowledgement contains', () => {
  const given = (reason: string, text: string) => ({ name: 'Owen Hughes', at: '2026-11-12T14:24:40Z', reason, text });

  test('is the note if another user acknowledged first, even if the typed reason was recorded', () => {
    const alarms = [{ acknowledgeJson: given('Mended it', '') }, { acknowledgeJson: given('Rain', 'Theirs') }];
    expect(unsavedTexts({ own: 'Mended it', note: 'On my way ' }, alarms)).toEqual(['On my way']);
  });

  test('is a typed reason if a listed reason was recorded instead', () => {
    const alarms = [{ acknowledgeJson: given('Rain', 'On my way') }, { acknowledgeJson: given('Wind', '') }];
    expect(unsavedTexts({ own: 'Mended it', note: 'On my way' }, alarms)).toEqual(['Mended it']);
  });

  test('is empty if an acknowledgement contains it or nothing was written', () => {
    const alarms = [{ acknowledgeJson: given('Rain', 'On my way') }, { acknowledgeJson: null }];
    expect(unsavedTexts({ own: '', note: 'On my way' }, alarms)).toEqual([]);
    expect(unsavedTexts({ own: ' ', note: null }, alarms)).toEqual([]);
  });
});
