import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Recipient, Recipients } from '../notification/draft.ts';
import { type Severity, severities } from '../rule/priority.ts';
import { type JoinedAlarm, type Joining, planJoins } from './join.ts';

const MINUTE = 60_000;
const person = (uuid: string): Recipient => ({ uuid, name: uuid, methods: [], skipped: [] });
const recipients = (alert: string[], escalate: string[] = []): Recipients => ({
  alert: alert.map(person),
  resolve: [],
  escalate: escalate.map(person),
  notes: [],
  subject: '',
  text: '',
});
const plan = (people: string[], afterMinutes = 15) => ({ afterMinutes, everyMinutes: 15, times: 3, people });

const alarm: JoinedAlarm = {
  uuid: 'alarm',
  rule: 'first',
  priority: 'medium',
  severity: 'minor',
  recipients: recipients(['ann'], ['eve']),
  plan: plan(['eve']),
  must: false,
  acknowledged: false,
  next: 15 * MINUTE,
  quietBecause: null,
  quietUntil: null,
};
const joining: Joining = {
  alarmUuid: 'alarm',
  watchUuid: 'second',
  priority: 'high',
  severity: 'major',
  recipients: recipients(['ann', 'bob']),
  plan: plan([]),
  mustAcknowledge: true,
  quiet: undefined,
};
const quiet = { because: 'shelved', until: 5 * MINUTE, source: 'shelving', sentence: '' } as const;
const join = (more: Partial<Joining> = {}, to: Partial<JoinedAlarm> = {}) =>
  planJoins([{ ...alarm, ...to }], [{ ...joining, ...more }], 0);

describe('a rule that joins an open alarm', () => {
  test('raises the severity and adds its recipients', () => {
    const { changed, brought } = join();
    expect(changed).toMatchObject([{ severity: 'major', priority: 'high', must: true }]);
    expect(changed[0]?.recipients?.alert.map(({ uuid }) => uuid)).toEqual(['ann', 'bob']);
    expect(brought).toEqual([{ people: [person('bob')], severity: 'major', alarmSeverity: 'major' }]);
  });

  test('never lowers the severity', () => {
    const { changed, brought } = join({}, { severity: 'critical', priority: 'critical' });
    expect(changed).toMatchObject([{ severity: 'critical', priority: 'critical' }]);
    expect(brought).toMatchObject([{ severity: undefined, alarmSeverity: 'critical' }]);
  });

  test('changes nothing if it opened the alarm itself', () => {
    expect(join({ watchUuid: 'first' })).toEqual({ changed: [], brought: [undefined] });
  });

  test('brings an earlier escalation forward', () => {
    const { changed } = join({ plan: plan(['fay'], 5) });
    expect(changed).toMatchObject([{ plan: { afterMinutes: 5, people: ['eve', 'fay'] }, next: 5 * MINUTE }]);
  });

  test('leaves the escalation of an acknowledged alarm stopped', () => {
    expect(join({ plan: plan(['fay'], 5) }, { acknowledged: true, next: null }).changed).toMatchObject([
      { next: null },
    ]);
  });

  test('does not bring the escalation forward when it joins again', () => {
    const again = { ...joining, plan: plan(['eve'], 15) };
    const { changed } = planJoins([{ ...alarm, next: 45 * MINUTE }], [again], 0);
    expect(changed).toMatchObject([{ next: 45 * MINUTE, plan: alarm.plan }]);
  });

  test('adds nothing if it is shelved and the alarm is not', () => {
    expect(join({ quiet })).toEqual({
      changed: [],
      brought: [{ people: [], severity: undefined, alarmSeverity: 'minor' }],
    });
  });

  test('ends the shelving of the alarm now if it is not shelved itself, else when the first shelving ends', () => {
    const shelved = { quietBecause: 'shelved', quietUntil: 10 * MINUTE, next: null } as const;
    expect(join({ plan: plan(['fay'], 5) }, shelved)).toMatchObject({
      changed: [{ quietUntil: 0, next: null, recipients: { alert: [{ uuid: 'ann' }, { uuid: 'bob' }] } }],
      brought: [{ people: [] }],
    });
    expect(join({ quiet }, shelved).changed).toMatchObject([{ quietUntil: 5 * MINUTE, next: null }]);
    const open = { ...shelved, quietUntil: null };
    expect(join({ quiet }, open).changed).toMatchObject([{ quietUntil: 5 * MINUTE, next: null }]);
    expect(join({}, open).changed).toMatchObject([{ quietUntil: 0, next: null }]);
    expect(join({ quiet: { ...quiet, until: null } }, open).changed).toMatchObject([{ quietUntil: null, next: null }]);
  });

  test('gives recipients to an alarm that a person reported', () => {
    const { changed } = join({}, { rule: null, recipients: null, plan: null });
    expect(changed[0]?.recipients?.alert.map(({ uuid }) => uuid)).toEqual(['ann', 'bob']);
  });

  test('notifies every recipient once, whatever rules join in whatever order', () => {
    const anyJoining = fc.record({
      watchUuid: fc.constantFrom('first', 'second', 'third'),
      severity: fc.constantFrom<Severity>('critical', 'major', 'minor'),
      people: fc.uniqueArray(fc.constantFrom('ann', 'bob', 'cid'), { maxLength: 3 }),
    });
    fc.assert(
      fc.property(fc.array(anyJoining, { maxLength: 6 }), (rules) => {
        const joinings = rules.map(({ watchUuid, severity, people }): Joining => {
          return { ...joining, watchUuid, severity, recipients: recipients(people) };
        });
        const { changed, brought } = planJoins([alarm], joinings, 0);
        const notified = ['ann', ...brought.flatMap((entry) => entry?.people.map(({ uuid }) => uuid) ?? [])];
        expect(new Set(notified).size).toBe(notified.length);
        const others = joinings.filter(({ watchUuid }) => watchUuid !== 'first');
        const worst = severities.find((one) => one === 'minor' || others.some(({ severity }) => severity === one));
        const [after = alarm] = changed;
        expect(after.severity).toBe(worst);
        expect(after.recipients?.alert.map(({ uuid }) => uuid)).toEqual(notified);
      }),
    );
  });
});
