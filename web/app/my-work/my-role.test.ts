import { expect, test } from 'vitest';
import { byRole, roleOf } from './my-role.ts';

const me = 'me';
const alarm = (alert: string[], escalate: string[], escalationStep = 0) => ({
  recipients: { alert: alert.map((uuid) => ({ uuid })), escalate: escalate.map((uuid) => ({ uuid })) },
  escalationStep,
});

test('what named somebody at first is addressed to them, also where it is escalated to them later', () => {
  expect(roleOf(alarm(['me'], []), me)).toBe('addressed');
  expect(roleOf(alarm(['me'], ['me'], 1), me)).toBe('addressed');
});

test('an escalation is to come until it happened', () => {
  expect(roleOf(alarm(['other'], ['me']), me)).toBe('coming');
  expect(roleOf(alarm(['other'], ['me'], 2), me)).toBe('escalated');
});

test('an alarm that names nobody waits for those who were sent a message', () => {
  expect(roleOf({ recipients: null, escalationStep: 0 }, me)).toBe('addressed');
  expect(roleOf(alarm(['other'], []), me)).toBe('addressed');
});

test('what was escalated stands first, and a part without alarms is left out', () => {
  const [first, escalated] = [alarm(['me'], []), alarm([], ['me'], 1)];
  expect(byRole([first, escalated], me)).toEqual([
    { part: 'escalated', alarms: [escalated] },
    { part: 'addressed', alarms: [first] },
  ]);
});
