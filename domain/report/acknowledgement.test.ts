import { expect, test } from 'vitest';
import { acknowledgedVia, countsForAcknowledgement, listHeading, ofAlarmsWords } from './acknowledgement.ts';

test.each([
  [1, 'delivered', true],
  [1, 'sent', true],
  [1, 'kept', false],
  [1, 'failed', false],
  [1, null, false],
  [2, 'delivered', false],
])('a message of type %i in state %s is counted: %s', (type, shownState, counted) =>
  expect(countsForAcknowledgement(type, shownState)).toBe(counted),
);

test.each([
  [{ listed: 0, counted: 0, smsOnly: true }, ''],
  [{ listed: 62, counted: 41, smsOnly: true }, '62 alarm SMS (41 sent and counted)'],
  [{ listed: 41, counted: 41, smsOnly: true }, '41 alarm SMS (all sent and counted)'],
  [{ listed: 1, counted: 1, smsOnly: false }, '1 message (sent and counted)'],
  [{ listed: 3, counted: 0, smsOnly: true }, '3 alarm SMS (none sent and counted)'],
  [{ listed: 6200, counted: 4100, smsOnly: false }, '6,200 messages (4,100 alarm messages sent and counted)'],
])('writes the heading of %j as %s', (given, words) => expect(listHeading(given, 'en')).toBe(words));

test('counts alarms that need no acknowledgement separately', () => {
  expect(ofAlarmsWords({ alarms: 20, needNone: 0 }, 'en')).toBe('of 20');
  expect(ofAlarmsWords({ alarms: 20, needNone: 3 }, 'en')).toBe('of 17 (3 not required)');
  expect(ofAlarmsWords({ alarms: 20, needNone: 1 }, 'en')).toBe('of 19 (1 not required)');
});

test('an acknowledgement by an answer differs from one by a link', () => {
  expect(['sms', 'sms-answer', 'whatsapp', 'whatsapp-answer', 'unknown', null].map(acknowledgedVia)).toEqual([
    ...['SMS link', 'SMS', 'WhatsApp link', 'WhatsApp', '', ''],
  ]);
});
