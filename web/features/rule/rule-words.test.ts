import { describe, expect, test } from 'vitest';
import { debounceWords, limitWords, occasionWords, recipientWords, versionWords } from './rule-words.ts';

describe('limits in words', () => {
  test.each([
    [{ valueLower: 0.8, valueUpper: null }, 'm', 'Below 0.8\u00a0m'],
    [{ valueLower: null, valueUpper: 7.1 }, 'mm/s', 'Above 7.1\u00a0mm/s'],
    [{ valueLower: -25, valueUpper: -18 }, '°C', 'Below −25\u00a0°C or above −18\u00a0°C'],
    [{ valueLower: 0, valueUpper: null }, '', 'Below 0'],
    [{ valueLower: null, valueUpper: null }, 'm', 'No limit'],
  ])('%j in %j', (limits, unit, words) => expect(limitWords(limits, unit, 'en-GB')).toBe(words));
});

describe('a debounce in words', () => {
  test.each([
    [0, 'At once'],
    [30, 'For 30 s'],
    [60, 'For 1 min'],
    [90, 'For 1 min 30 s'],
    [300, 'For 5 min'],
    [3600, 'For 1 h'],
    [5400, 'For 1 h 30 min'],
    [86_401, 'For 24 h 1 s'],
  ])('of %d seconds', (seconds, words) => expect(debounceWords(seconds)).toBe(words));
});

test('a version lists everything that can change', () => {
  const version = { valueLower: null, valueUpper: 9, clearLower: null, clearUpper: null, debounce: 0, enabled: true };
  expect(versionWords({ ...version, priority: 'low' }, 'm', 'en')).toBe('Above 9\u00a0m, at once, minor');
  expect(
    versionWords({ ...version, clearUpper: 8, debounce: 60, priority: 'critical', enabled: false }, 'm', 'en'),
  ).toBe('Above 9\u00a0m, for 1 min, clears at 8\u00a0m or less, critical, disabled');
});

describe('recipients in words', () => {
  const person = { isAlert: true, isResolve: false, isHealth: false };

  test('says nobody without recipients', () => {
    expect(recipientWords([])).toBe('Nobody');
    expect(recipientWords([{ ...person, isAlert: false }])).toBe('Nobody');
  });

  test('counts people by occasion', () => {
    expect(recipientWords([person])).toBe('1 person');
    expect(
      recipientWords([{ ...person, isResolve: true }, person, { isAlert: false, isResolve: true, isHealth: true }]),
    ).toBe('2 people, 2 when it resolves, 1 when the site is silent');
  });
});

test.each([
  [[true, false, false], 'Notified when an alarm opens.'],
  [[true, true, false], 'Notified when an alarm opens and when it resolves.'],
  [[true, true, true], 'Notified when an alarm opens, when it resolves and when the site is silent.'],
  [[false, true, false], 'Notified when an alarm resolves.'],
  [[false, false, true], 'Notified when the site is silent.'],
  [[false, false, false], 'Nobody is notified. Select Opens, Resolves or Silent.'],
])('names only the selected occasions of %j', ([isAlert = false, isResolve = false, isHealth = false], words) => {
  expect(occasionWords([{ isAlert, isResolve, isHealth }])).toBe(words);
});
