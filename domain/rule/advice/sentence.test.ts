import { expect, test } from 'vitest';
import type { Advice, ShownTrial } from './advise.ts';
import { adviceNotes, adviceSentence } from './sentence.ts';

const trial: ShownTrial = {
  openings: [],
  settings: { lower: null, upper: 7, clearLower: null, clearUpper: null, debounce: 5 },
  ...{ alarms: 20, openMs: 0, nuisanceAvoided: 0, realKept: 2, missed: [], delayMs: 0, isSafe: true },
};
const advice: Advice = {
  ...{ because: 'proposal', from: 0, readings: 5000, tried: 40, isComplete: true },
  counts: { nuisance: 18, real: 2, unknown: 1 },
  present: trial,
  proposal: { ...trial, nuisanceAvoided: 17, delayMs: 10_000 },
  best: [],
};

test('says what the proposal avoids, keeps and delays', () => {
  expect(adviceSentence(advice)).toBe(
    'The proposal avoids 17 of 18 nuisance alarms and keeps 2 real alarms. Real alarms open up to 10 s later.',
  );
  const none = { ...advice, proposal: { ...trial, nuisanceAvoided: 1, realKept: 0 } };
  expect(adviceSentence(none)).toBe('The proposal avoids 1 of 18 nuisance alarms.');
});

test('says how many readings are missing', () => {
  expect(adviceSentence({ ...advice, because: 'few-readings', readings: 1 })).toBe(
    'Only 1 reading is stored for this period. Advice needs at least 100.',
  );
});

test.each([
  [2, '1 more acknowledgement with a nuisance reason is needed. Advice needs 3 in this period.'],
  [1, '2 more acknowledgements with a nuisance reason are needed. Advice needs 3 in this period.'],
])('says how many acknowledgements are missing beside %i', (nuisance, sentence) => {
  const counts = { nuisance, real: 0, unknown: 1 };
  expect(adviceSentence({ ...advice, because: 'few-nuisance', counts })).toBe(sentence);
});

test('notes what the replay cannot show', () => {
  expect(adviceNotes(advice, 0)).toEqual([]);
  expect(adviceNotes({ ...advice, isComplete: false, present: { ...trial, missed: ['a'], realKept: 1 } }, 3)).toEqual([
    '3 alarms opened before the first stored reading and cannot be compared.',
    'The present settings do not open 1 of 2 real alarms in the replay.',
    'The readings change too often to try all settings. Only 40 settings were tried.',
  ]);
  expect(adviceNotes({ ...advice, counts: { nuisance: 18, real: 0, unknown: 1 } }, 0)).toEqual([
    'No alarm was acknowledged as real, so the replay cannot show what a proposal would miss.',
  ]);
});
