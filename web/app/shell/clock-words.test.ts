import { expect, test } from 'vitest';
import { adviceWords, databaseWords, jumpWords } from './clock-words.ts';

const jumpedOn = '2026-03-04T08:00:00Z';

test.each([
  [7200, 'jumped 2 hours ahead'],
  [-1800, 'jumped 30 minutes back'],
])('names a jump of %i s', (jumpSeconds, words) => {
  expect(jumpWords({ jumpedOn, jumpSeconds, differenceSeconds: 0, databaseSeconds: 0 })).toBe(words);
});

test('names no jump without one on record', () => {
  expect(jumpWords({ jumpedOn: null, jumpSeconds: 0, differenceSeconds: 60, databaseSeconds: 0 })).toBeUndefined();
});

test.each([
  [7200, /is 2 hours behind the server’s clock.*then restart Tocsin/],
  [-1800, /is 30 minutes ahead of the server’s clock.*time synchronisation/],
  [-4, /agree again/],
])('says what a difference of %i s means', (differenceSeconds, words) => {
  expect(adviceWords({ jumpedOn, jumpSeconds: 7200, differenceSeconds, databaseSeconds: 0 })).toMatch(words);
});

test.each([
  [7200, 'The server’s clock is 2 hours behind the database’s clock. Check the time synchronisation of both machines.'],
  [
    -60,
    'The server’s clock is 1 minute ahead of the database’s clock. Check the time synchronisation of both machines.',
  ],
  [5, undefined],
])('names a difference of %i s from the database', (databaseSeconds, words) => {
  expect(databaseWords({ jumpedOn: null, jumpSeconds: 0, differenceSeconds: 0, databaseSeconds })).toBe(words);
});

test('omits Tocsin’s time if only the database’s clock differs', () => {
  expect(adviceWords({ jumpedOn: null, jumpSeconds: 0, differenceSeconds: 0, databaseSeconds: 60 })).toBeUndefined();
});
