import { expect, test } from 'vitest';
import { type EscalationFields, escalationOf, escalationWords } from './escalation-words.ts';

const plan = { afterMinutes: 15, everyMinutes: 15, times: 3, people: ['p'] };
const base: EscalationFields = {
  plan,
  escalationStep: 0,
  nextEscalationAt: null,
  mustAcknowledge: true,
  acknowledgeJson: null,
  resolvedDate: null,
  quietBecause: null,
};
const nextEscalationAt = '2026-03-02T08:15:00Z';

test.each<[string, Partial<EscalationFields>, string | null]>([
  ['is not escalated yet', { nextEscalationAt }, 'not yet, first at'],
  ['has been escalated once', { nextEscalationAt, escalationStep: 1 }, '1 of 3, next at'],
  ['has been escalated as often as planned', { escalationStep: 3 }, '3 of 3, not acknowledged'],
  ['was acknowledged between escalations', { escalationStep: 1, acknowledgeJson: {} }, '1 of 3, stopped: acknowledged'],
  [
    'was acknowledged after the last escalation',
    { escalationStep: 3, acknowledgeJson: {} },
    '3 of 3, acknowledged after the last escalation',
  ],
  [
    'was acknowledged before the first escalation',
    { acknowledgeJson: {} },
    'none: acknowledged before the first escalation',
  ],
  ['was resolved', { escalationStep: 2, resolvedDate: nextEscalationAt }, '2 of 3, stopped: resolved'],
  [
    'was resolved and acknowledged later',
    { escalationStep: 1, resolvedDate: nextEscalationAt, acknowledgeJson: { at: '2026-03-02T08:16:00Z' } },
    '1 of 3, stopped: resolved',
  ],
  ['is shelved', { quietBecause: 'shelved' }, 'none while shelved'],
  ['is in maintenance', { quietBecause: 'maintenance' }, 'none during maintenance'],
  ['is a consequence', { quietBecause: 'dependency' }, 'none while its cause is in alarm'],
  [
    'is a consequence after an escalation',
    { quietBecause: 'dependency', escalationStep: 1 },
    '1 of 3, stopped while its cause is in alarm',
  ],
  ['is shelved after an escalation', { quietBecause: 'shelved', escalationStep: 1 }, '1 of 3, stopped while shelved'],
  [
    'was resolved while it was shelved',
    { quietBecause: 'shelved', resolvedDate: nextEscalationAt },
    'none: resolved before the first escalation',
  ],
  ['has no escalate users', { plan: { ...plan, people: [] } }, 'none: no recipients'],
  ['is to be escalated 0 times', { plan: { ...plan, times: 0 } }, 'none: the rule alert allowed no escalations'],
  ['need not be acknowledged', { mustAcknowledge: false }, 'none: acknowledgement not required'],
  ['is older than escalation plans', { plan: null }, null],
])('describes the escalation of an alarm that %s', (_, fields, words) => {
  const alarm = { ...base, ...fields };
  expect(escalationWords(escalationOf(alarm), alarm.quietBecause)).toBe(words);
});
