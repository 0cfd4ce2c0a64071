import { expect, test } from 'vitest';
import { isUnnotified, notifiedWords } from './notified-words.ts';

test.each([
  ['kept', [3], 'Nobody notified: no sender is set up for SMS'],
  ['kept', [1, 3, 4], 'Nobody notified: no sender is set up for e-mail, SMS and app push'],
  ['failed', [3], 'Nobody notified: SMS could not be delivered'],
  ['retrying', [1], 'Nobody notified yet: e-mail could not be sent, trying again'],
  ['no-recipients', [], 'Nobody notified: no recipient is set'],
  ['unreachable', [], 'Nobody notified: no recipient has a working method'],
])(
  'names the method and the cause when nobody was notified: %s by %j',
  (notNotifiedBecause, notNotifiedMethods, words) => {
    const alarm = { notifiedCount: 0, notNotifiedBecause, notNotifiedMethods };
    expect(notifiedWords(alarm)).toBe(words);
    expect(isUnnotified(alarm)).toBe(true);
  },
);

test('counts the notified people, and gives no reason while messages are being sent', () => {
  expect(notifiedWords({ notifiedCount: 3, notNotifiedBecause: null })).toBe('3 notified');
  expect(notifiedWords({ notifiedCount: 0, notNotifiedBecause: null })).toBe('nobody notified');
  expect(isUnnotified({ notifiedCount: 0, notNotifiedBecause: null })).toBe(false);
});

test('says that the cause was in alarm when the alarm opened, without highlighting it', () => {
  const alarm = { notifiedCount: 0, notNotifiedBecause: 'dependency' };
  expect(notifiedWords(alarm)).toBe('Nobody notified: the cause was in alarm when the alarm opened');
  expect(isUnnotified(alarm)).toBe(false);
});

test('says that the alarm was shelved when it opened, without highlighting it', () => {
  const alarm = { notifiedCount: 0, notNotifiedBecause: 'shelved' };
  expect(notifiedWords(alarm)).toBe('Nobody notified: the alarm was shelved when it opened');
  expect(isUnnotified(alarm)).toBe(false);
});

test('says that an alarm waits for its digest, without highlighting it', () => {
  const alarm = { notifiedCount: 0, notNotifiedBecause: 'flood' };
  expect(notifiedWords(alarm)).toBe('Nobody notified yet: waiting for the next flood digest');
  expect(isUnnotified(alarm)).toBe(false);
});
