import { expect, test } from 'vitest';
import { plural, timesWords } from './plural.ts';

test.each([
  [0, 'sites', 'are', '0 times'],
  [1, 'site', 'is', 'once'],
  [2, 'sites', 'are', '2 times'],
])('of %d there are %s, which %s, and it is %s', (count, noun, verb, times) => {
  expect([plural(count, 'site'), plural(count, 'is', 'are'), timesWords(count, 'en')]).toEqual([noun, verb, times]);
});
