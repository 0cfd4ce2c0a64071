import { expect, test } from 'vitest';
import { plural, timesWords } from './plural.ts';

test.each([
  [0, 'sites', 'are', '0 times'],
  [1, 'site', 'is', 'once'],
  [2, 'sites', 'are', '2 times'],
])('%d: %s, %s, %s', (count, noun, verb, times) => {
  expect([plural(count, 'site'), plural(count, 'is', 'are'), timesWords(count, 'en')]).toEqual([noun, verb, times]);
});
