import { expect, test } from 'vitest';
import { byRole, roleOf } from './my-role.ts';

const me = 'me';
const alarm = (alert: string[], escalate: string[], escalationStep = 0) => ({
  recipients: { alert: alert.map((uuid) => ({ uuid })), escalate: escalate.map((uuid) => ({ uuid })) },
  escalationStep,
});

test('an alarm is addressed to its first recipients, even if it escalates to them later', () => {
  expect(roleOf(alarm(['me'], []), me)).toBe('addressed');
  expect(roleOf(alarm(['me'], ['me'], 1), me)).toBe('addressed');
});

test('an escalation is coming until it happens', () => {
  expect(roleOf(alarm(['other'], ['me']), me)).toBe('coming');
  expect(roleOf(alarm(['other'], ['me'], 2), me)).toBe('escalated');
});

test('an alarm without recipients is addressed to users who got a message', () => {
  expect(roleOf({ recipients: null, escalationStep: 0 }, me)).toBe('addressed');
  expect(roleOf(alarm(['other'], []), me)).toBe('addressed');
});

test('puts escalated alarms first, and omits empty parts', () => {
  const [first, escalated] = [alarm(['me'], []), alarm([], ['me'], 1)];
  expect(byRole([first, escalated], me)).toEqual([
    { part: 'escalated', alarms: [escalated] },
    { part: 'addressed', alarms: [first] },
  ]);
});
