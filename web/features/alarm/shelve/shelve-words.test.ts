import { expect, test } from 'vitest';
import type { ShelvingChoice } from './shelve.queries.ts';
import { namesOf, reasonText, scopeExtent, targetWords } from './shelve-words.ts';

test('a choice says how much it concerns', () => {
  const choice = (scope: ShelvingChoice['scope']) =>
    scopeExtent({ scope, targetUuid: '', name: 'Pump 1', rules: 4, openAlarms: 1, critical: false });
  expect(choice('alarm')).toBe('this occurrence only');
  expect(choice('rule')).toBe('1 open alarm');
  expect(choice('asset')).toBe('4 rules, 1 open');
});

test('a sentence names what is shelved', () => {
  expect(targetWords('alarm', 'Level high')).toBe('this alarm');
  expect(targetWords('datapoint', 'Level')).toBe('the data point “Level”');
});

test.each([
  ['Sensor fault', '', 'Sensor fault'],
  ['Sensor fault', ' new one on Monday ', 'Sensor fault: new one on Monday'],
  ['', 'Two trailers at the dock', 'Two trailers at the dock'],
  ['', ' ', ''],
])('the reason “%s” with the text “%s” is stored as “%s”', (chosen, typed, stored) =>
  expect(reasonText(chosen, typed)).toBe(stored),
);

test('only people with a working method count as recipients', () => {
  const alert = [
    { name: 'Vera', methods: [{ method: 1 }] },
    { name: 'Olga', methods: [] },
  ];
  expect(namesOf({ alert }, 'alert')).toEqual(['Vera']);
  expect(namesOf({ alert }, 'escalate')).toEqual([]);
  expect(namesOf(null, 'alert')).toEqual([]);
});
