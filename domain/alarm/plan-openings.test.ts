import { describe, expect, test } from 'vitest';
import type { Person } from '../notification/recipients.ts';
import type { Context } from '../rule/context.ts';
import { type AlarmDraft, draftAlarm } from './alarm-draft.ts';
import { alarmsToInsert, joiningsOf, openingMessages, planOpenings } from './plan-openings.ts';

const context: Context = {
  ...{ watchUuid: 'rule', kind: 'limits', ruleName: 'High level', version: 1, customerUuid: 'customer' },
  ...{ timeZone: 'UTC', defaultMessage: null, siteUuid: 'site', siteName: 'Kelder Road' },
  ...{ assetUuid: 'asset', assetName: 'Well', datapointUuid: 'point', datapointName: 'Level', unit: 'm' },
  ...{ channelKey: 1, channelMajor: false, channelName: '', channelTitle: '', lowText: '', highText: '' },
  ...{ alarmCondition: null, lower: null, upper: 4, clearLower: null, clearUpper: null, debounce: 0 },
  ...{ priority: 'high', message: 'Well is full', ruleJson: null, actions: [] },
  alert: {
    ...{ uuid: 'alert', indAck: true, afterMinutes: 5, everyMinutes: 10, times: 2, escalate: ['eve'] },
    users: [{ uuid: 'ann', isAlert: true, isResolve: true, isHealth: false }],
  },
};
const person = (uuid: string): Person => ({
  ...{ uuid, name: uuid, active: true, varified: true, email: `${uuid}@plant.example`, phone: '', pushAddresses: [] },
  wants: { email: true, sms: false, whatsapp: false, push: false },
});
const people = new Map(['ann', 'eve', 'kim'].map((uuid) => [uuid, person(uuid)]));
const samplesOf = () => [
  { at: 1000, value: 4.5 },
  { at: 2000, value: 3 },
];

function draft(uuid: string, more: Partial<Context> = {}): AlarmDraft {
  const step = { from: 'pending', to: 'open', at: 2000, because: 'above', value: 3 } as const;
  return draftAlarm(
    { context: { ...context, ...more }, step: step as never, since: 1000, conditions: undefined },
    samplesOf,
    people,
    uuid,
  );
}
const stored = (uuid: string, message = 'Well is full') => ({ uuid, site: 'site', message });

describe('the draft of an alarm', () => {
  test('has the last value outside, even if the debounce ended at a reading inside', () => {
    expect(draft('x').value).toBe(4.5);
  });

  test('freezes recipients and escalation of the rule alert', () => {
    const { recipients, plan, mustAcknowledge } = draft('x');
    expect(recipients.alert.map(({ uuid }) => uuid)).toEqual(['ann']);
    expect(plan).toEqual({ afterMinutes: 5, everyMinutes: 10, times: 2, people: ['eve'] });
    expect(mustAcknowledge).toBe(true);
  });

  test('escalates to nobody if nobody must acknowledge', () => {
    const alert = { ...(context.alert as NonNullable<Context['alert']>), indAck: false };
    expect(draft('x', { alert })).toMatchObject({ mustAcknowledge: false, plan: { people: [] } });
  });

  test('adds the people of actions, and notes those who are missing', () => {
    const action = {
      ...{ uuid: 'action', action: 2, acknowledge: false, escalate: true, command: '', sensorUid: null },
      people: ['kim', 'lost'],
    };
    const { recipients } = draft('x', { actions: [action] });
    expect(recipients.alert.map(({ uuid }) => uuid)).toEqual(['ann', 'kim']);
    expect(recipients.escalate.map(({ uuid }) => uuid)).toEqual(['eve', 'kim']);
    expect(recipients.notes).toHaveLength(2);
  });
});

describe('the plan of openings', () => {
  test('inserts one alarm for rules with the same message at one site', () => {
    const drafts = [draft('x'), draft('y', { watchUuid: 'other' }), draft('z', { siteUuid: 'elsewhere' })];
    expect(alarmsToInsert(drafts).map(({ uuid }) => uuid)).toEqual(['x', 'z']);
    const { placed, occurredAgain } = planOpenings(drafts, [stored('x'), { ...stored('z'), site: 'elsewhere' }]);
    expect(placed.map(({ alarmUuid, isNew }) => [alarmUuid, isNew])).toEqual([
      ['x', true],
      ['x', false],
      ['z', true],
    ]);
    expect(occurredAgain).toEqual(['x']);
  });

  test('joins an alarm that was open before, whose occurrence the insert has counted', () => {
    const drafts = [draft('x'), draft('y', { watchUuid: 'other' })];
    const plan = planOpenings(drafts, [stored('old')]);
    expect(plan.opened).toEqual([]);
    expect(joiningsOf(plan).map(({ alarmUuid, watchUuid }) => [alarmUuid, watchUuid])).toEqual([
      ['old', 'rule'],
      ['old', 'other'],
    ]);
    expect(plan.occurredAgain).toEqual(['old']);
  });

  test('notifies nobody of a new alarm while its rule is shelved, and says so', () => {
    const plan = planOpenings([draft('x')], [stored('x')]);
    const sentence = 'Nobody was notified, because Lena shelved the rule.';
    for (const placed of plan.placed) placed.quiet = { because: 'shelved', until: 5, source: 's', sentence };
    const { events, notifications } = openingMessages(plan, []);
    expect(notifications).toEqual([]);
    expect(events.map(({ kind }) => kind)).toEqual(['opened', 'not-notified']);
    expect(events[1]).toMatchObject({ sentence, detail: { because: 'shelved', suppressed: 'opening' } });
  });

  test('notifies the recipients of a new alarm, and only new recipients of one that was open', () => {
    const drafts = [draft('x'), draft('y', { watchUuid: 'other', ruleName: 'Very high' })];
    const kim = { uuid: 'kim', name: 'kim', methods: [], skipped: [] };
    const plan = planOpenings(drafts, [stored('x')]);
    const { events, notifications } = openingMessages(plan, [
      { people: [kim], severity: 'critical', alarmSeverity: 'critical' },
    ]);
    expect(events.map(({ kind, alarmUuid }) => [kind, alarmUuid])).toEqual([
      ['opened', 'x'],
      ['occurred', 'x'],
    ]);
    expect(events[1]?.sentence).toContain('The severity is now critical.');
    const notified = notifications.flatMap(({ kind, severity, people: to }) =>
      to.map(({ uuid }) => [kind, severity, uuid]),
    );
    expect(notified).toEqual([
      ['alarm', 'major', 'ann'],
      // kim is not in the rule alert, so only an action notifies kim.
      ['action', 'critical', 'kim'],
    ]);
  });

  test('notifies nobody when the rule that opened the alarm occurs again', () => {
    const { notifications } = openingMessages(planOpenings([draft('x')], [stored('old')]), [undefined]);
    expect(notifications.flatMap(({ people: to }) => to)).toEqual([]);
  });
});
