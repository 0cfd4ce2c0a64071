import { expect, test } from 'vitest';
import { problemWords } from '../notification/delivery-words.ts';
import { isUnnotified, toldWords } from './told-words.ts';

test.each([
  ['kept', [3], 'Nobody notified: no sender is set up for SMS'],
  ['kept', [1, 3, 4], 'Nobody notified: no sender is set up for e-mail, SMS and app push'],
  ['failed', [3], 'Nobody notified: SMS could not be delivered'],
  ['retrying', [1], 'Nobody notified yet: e-mail could not be sent, trying again'],
  ['nobody-joined', [], 'Nobody notified: no recipient is set'],
  ['unreachable', [], 'Nobody notified: its recipients have no method that works'],
])('names the method and the cause when nobody was notified: %s by %j', (untoldBecause, untoldMethods, words) => {
  const alarm = { toldCount: 0, untoldBecause, untoldMethods };
  expect(toldWords(alarm)).toBe(words);
  expect(isUnnotified(alarm)).toBe(true);
});

test('says how many were notified, and nothing loud while messages are on their way', () => {
  expect(toldWords({ toldCount: 3, untoldBecause: null })).toBe('3 notified');
  expect(toldWords({ toldCount: 0, untoldBecause: null })).toBe('nobody notified');
  expect(isUnnotified({ toldCount: 0, untoldBecause: null })).toBe(false);
});

test('the banner names the method, the cause and how much was not delivered', () => {
  const problem = { methodType: 3, messages: 3, alarms: 2, answer: '' };
  expect(problemWords({ ...problem, cause: 'no-sender' })).toBe(
    'SMS could not be sent: no SMS sender is set up. 3 messages about 2 alarms not delivered.',
  );
  expect(problemWords({ ...problem, cause: 'failing', alarms: 0, messages: 1, answer: 'The gateway says 503.' })).toBe(
    'SMS could not be sent: the SMS sender fails (The gateway says 503). 1 message not delivered.',
  );
});
