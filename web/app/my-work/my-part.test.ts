import { expect, test } from 'vitest';
import { byPart, partOf } from './my-part.ts';

const me = 'me';
const alarm = (alert: string[], escalate: string[], escalationStep = 0) => ({
  recipients: { alert: alert.map((uuid) => ({ uuid })), escalate: escalate.map((uuid) => ({ uuid })) },
  escalationStep,
});

test('what named somebody at first is addressed to them, also where it is escalated to them later', () => {
  expect(partOf(alarm(['me'], []), me)).toBe('addressed');
  expect(partOf(alarm(['me'], ['me'], 1), me)).toBe('addressed');
});

test('an escalation is to come until it happened', () => {
  expect(partOf(alarm(['other'], ['me']), me)).toBe('coming');
  expect(partOf(alarm(['other'], ['me'], 2), me)).toBe('escalated');
});

test('an alarm that names nobody waits for those who were sent a message', () => {
  expect(partOf({ recipients: null, escalationStep: 0 }, me)).toBe('addressed');
  expect(partOf(alarm(['other'], []), me)).toBe('addressed');
});

test('what was escalated stands first, and a part without alarms is left out', () => {
  const [first, escalated] = [alarm(['me'], []), alarm([], ['me'], 1)];
  expect(byPart([first, escalated], me)).toEqual([
    { part: 'escalated', alarms: [escalated] },
    { part: 'addressed', alarms: [first] },
  ]);
});
