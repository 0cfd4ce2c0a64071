import { describe, expect, test } from 'vitest';
import { offerReasons, someOf, unrecorded } from './reasons.ts';

describe('the reasons that are offered', () => {
  test('for one alarm are those of its rule, by name', () => {
    expect(offerReasons([{ uuid: 'a', reasons: ['Sensor fault', 'Crew on the way'] }])).toEqual({
      kind: 'choice',
      reasons: [
        { reason: 'Crew on the way', takenBy: ['a'] },
        { reason: 'Sensor fault', takenBy: ['a'] },
      ],
      withoutList: [],
    });
  });

  test('are the person’s own words where no rule has a list', () => {
    expect(offerReasons([{ uuid: 'a', reasons: [] }])).toEqual({ kind: 'own-words' });
    expect(offerReasons([])).toEqual({ kind: 'own-words' });
  });

  test('for many stand with whose they are, those first that settle most', () => {
    const offer = offerReasons([
      { uuid: 'a', reasons: ['Cleaning', 'Sensor fault'] },
      { uuid: 'b', reasons: ['sensor fault ', 'Power cut'] },
    ]);
    expect(offer).toEqual({
      kind: 'choice',
      reasons: [
        { reason: 'Sensor fault', takenBy: ['a', 'b'] },
        { reason: 'Cleaning', takenBy: ['a'] },
        { reason: 'Power cut', takenBy: ['b'] },
      ],
      withoutList: [],
    });
  });

  test('an alarm whose rule has no list takes any of them, or words of its own', () => {
    const offer = offerReasons([
      { uuid: 'a', reasons: [] },
      { uuid: 'b', reasons: ['Power cut'] },
    ]);
    expect(offer).toEqual({
      kind: 'choice',
      reasons: [{ reason: 'Power cut', takenBy: ['a', 'b'] }],
      withoutList: ['a'],
    });
  });
});

test('some of many alarms are named, or those that are not among them, whichever are fewer', () => {
  const alarms = ['North', 'South', 'East', 'West', 'Quay'].map((name) => ({
    uuid: name,
    message: 'Level high',
    siteName: name,
  }));
  expect(someOf(['South'], alarms.slice(0, 2))).toBe('1 of 2: Level high, South');
  expect(someOf(['North', 'South', 'West', 'Quay'], alarms)).toBe('4 of 5, not Level high, East');
  expect(someOf(['South', 'West'], alarms)).toBe('2 of 5: Level high, South; Level high, West');
  const more = [...alarms, { uuid: 'Mill', message: 'Fence', siteName: 'Mill' }];
  expect(someOf(['North', 'East', 'Mill'], more)).toBe('3 of 6: Level high, North; Level high, East and 1 more');
});

describe('what was written and is recorded nowhere', () => {
  const given = (reason: string, text: string) => ({ name: 'Owen Hughes', at: '2026-11-12T14:24:40Z', reason, text });

  test('is a note for an alarm that somebody else was first with, also where another took its own words', () => {
    const alarms = [{ acknowledgeJson: given('Mended it', '') }, { acknowledgeJson: given('Rain', 'Theirs') }];
    expect(unrecorded({ own: 'Mended it', note: 'On my way ' }, alarms)).toEqual(['On my way']);
  });

  test('is a reason in own words beside which one out of a list was taken', () => {
    const alarms = [{ acknowledgeJson: given('Rain', 'On my way') }, { acknowledgeJson: given('Wind', '') }];
    expect(unrecorded({ own: 'Mended it', note: 'On my way' }, alarms)).toEqual(['Mended it']);
  });

  test('is nothing where one of them has it, or nothing was written', () => {
    const alarms = [{ acknowledgeJson: given('Rain', 'On my way') }, { acknowledgeJson: null }];
    expect(unrecorded({ own: '', note: 'On my way' }, alarms)).toEqual([]);
    expect(unrecorded({ own: ' ', note: null }, alarms)).toEqual([]);
  });
});
