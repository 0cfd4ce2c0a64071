import { describe, expect, test } from 'vitest';
import { firstSteps, nextStep, type SetupState, type SetupUser } from './first-steps.ts';

const operator: SetupUser = { uuid: 'ruth', name: 'Ruth', level: 20, partnerAccount: false, linked: true };
const unlinked: SetupUser = { ...operator, linked: false };
const manager: SetupUser = { ...unlinked, level: 5 };
const alert = { uuid: 'alert', name: 'Pressure high' };
const trial = {
  ruleName: 'Pressure high',
  debounce: 0,
  sensor: { uuid: 's', uid: 'HW-1', format: 'auto' },
  channel: 1,
  value: 22,
};

const nothing: SetupState = {
  sites: false,
  sensor: undefined,
  channels: false,
  assets: false,
  datapoints: false,
  rules: false,
  people: [],
  ruleAlert: undefined,
  recipients: [],
  trial: undefined,
  readings: false,
};
const all: SetupState = {
  sites: true,
  sensor: { uuid: 's', name: 'HW-1' },
  channels: true,
  assets: true,
  datapoints: true,
  rules: true,
  people: [operator],
  ruleAlert: alert,
  recipients: [{ ...operator, alert }],
  trial,
  readings: true,
};
const step = (name: string, setup: SetupState) => firstSteps(setup).find((one) => one.name === name);

describe('the setup steps', () => {
  test('start with a site, and each links to its form', () => {
    expect(nextStep(firstSteps(nothing))).toMatchObject({ name: 'Add a site', to: '/admin/sites' });
    expect(nextStep(firstSteps({ ...nothing, sites: true }))?.name).toBe('Register a sensor');
    expect(nextStep(firstSteps({ ...all, ruleAlert: undefined, recipients: [] }))?.search).toEqual({
      record: 'new',
      tab: 'alerts',
    });
  });

  test('a sensor without a channel is incomplete, and the step links to its first channel', () => {
    expect(nextStep(firstSteps({ ...all, channels: false }))).toMatchObject({
      name: 'Register a sensor',
      why: 'HW-1 has no channel yet, so its values are rejected. Add a channel for each value it sends.',
      search: { record: 's', channel: 'new' },
    });
  });

  test('a person counts as invited once they may open an alarm', () => {
    const invited = (people: SetupUser[]) => step('Invite people', { ...all, recipients: [], people });
    expect(invited([])).toMatchObject({ done: false, search: { record: 'new' } });
    expect(invited([unlinked])).toMatchObject({
      done: false,
      why: 'Ruth is not linked to a site and cannot open alarms. Link them to a site.',
      search: { record: 'ruth' },
    });
    expect(invited([{ ...manager, partnerAccount: true }])).toMatchObject({ done: false, search: { record: 'new' } });
    expect(invited([unlinked, operator])?.done).toBe(true);
    expect(invited([manager])?.done).toBe(true);
    // The only recipient of the rule alert is a manager, who may open every alarm.
    expect(step('Invite people', { ...all, people: [], recipients: [{ ...manager, alert }] })?.done).toBe(true);
  });

  test('recipients are complete once one of them may open the alarm', () => {
    const recipients = (people: SetupUser[]) =>
      step('Choose who is notified', { ...all, recipients: people.map((person) => ({ ...person, alert })) });
    expect(recipients([])).toMatchObject({ done: false, why: 'The rule alert “Pressure high” notifies nobody yet.' });
    expect(recipients([unlinked])).toMatchObject({
      done: false,
      why: 'Ruth is a recipient of the rule alert “Pressure high” but cannot open its alarms. Open the rule alert to see what to do.',
      search: { record: 'alert', tab: 'alerts' },
    });
    expect(recipients([unlinked, operator])?.done).toBe(true);
  });

  test('end with a value that violates the rule', () => {
    expect(nextStep(firstSteps({ ...all, readings: false }))).toMatchObject({ name: 'Send a test value', trial });
  });

  test('are complete once a value arrived and somebody is notified, even if nobody else was invited', () => {
    expect(nextStep(firstSteps(all))).toBeUndefined();
    const alone = { ...all, people: [], recipients: [{ ...manager, level: 0, alert }] };
    expect(nextStep(firstSteps(alone))).toBeUndefined();
    expect(nextStep(firstSteps({ ...all, rules: false }))?.name).toBe('Add a rule');
  });
});
