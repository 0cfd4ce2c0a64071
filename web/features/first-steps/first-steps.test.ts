import { describe, expect, test } from 'vitest';
import { type Begun, firstSteps, nextStep, settingUp } from './first-steps.ts';

const nothing: Begun = {
  sites: false,
  sensors: false,
  assets: false,
  datapoints: false,
  rules: false,
  users: false,
  ruleAlerts: false,
};
const all: Begun = {
  sites: true,
  sensors: true,
  assets: true,
  datapoints: true,
  rules: true,
  users: true,
  ruleAlerts: true,
};

describe('the first steps', () => {
  test('begin with a site, and each leads to the form that does it', () => {
    expect(nextStep(firstSteps(nothing))).toMatchObject({ name: 'Add a site', to: '/admin/sites' });
    expect(nextStep(firstSteps({ ...nothing, sites: true }))?.name).toBe('Register a sensor');
    expect(nextStep(firstSteps({ ...all, ruleAlerts: false }))?.search).toEqual({ record: 'new', tab: 'alerts' });
  });

  test('are over once somebody is told, also where nobody else was invited', () => {
    expect(settingUp(firstSteps(all))).toBe(false);
    expect(settingUp(firstSteps({ ...all, users: false }))).toBe(false);
    expect(nextStep(firstSteps({ ...all, users: false }))).toBeUndefined();
    expect(settingUp(firstSteps({ ...all, rules: false }))).toBe(true);
  });
});
