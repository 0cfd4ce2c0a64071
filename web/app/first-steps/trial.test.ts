import { expect, test } from 'vitest';
import { trialOf, type Watched } from './trial.ts';

const plain = { number: 3, factor: 1, offset: 0, decimals: null };
const rule: Watched = {
  ruleName: 'Pressure high',
  lower: null,
  upper: 20,
  debounce: 60,
  sensor: { uuid: 's', uid: 'HW-1', type: 2, format: 'auto' },
  channel: plain,
};
const digital = { ...rule.sensor, type: 1 };
const valueFor = (change: Partial<Watched>) => trialOf({ ...rule, ...change })?.value;

test('returns a value clearly outside the limits', () => {
  expect(trialOf(rule)).toEqual({
    ruleName: 'Pressure high',
    debounce: 60,
    sensor: { uuid: 's', uid: 'HW-1', format: 'auto' },
    channel: 3,
    value: 22,
  });
  expect(valueFor({ upper: 0.5 })).toBe(1.5);
  expect(valueFor({ upper: null, lower: 4 })).toBe(3);
  expect(valueFor({ upper: null, lower: -40 })).toBe(-44);
});

test("returns the raw value, before the channel's factor and offset", () => {
  expect(valueFor({ channel: { ...plain, factor: 0.01 } })).toBe(2200);
  expect(valueFor({ channel: { ...plain, factor: -2, offset: 10 } })).toBe(-6);
  expect(valueFor({ upper: 1.4, channel: { ...plain, decimals: 0 } })).toBe(2.4);
});

test('returns the state outside the limits for a digital channel', () => {
  expect(valueFor({ sensor: digital, upper: 0.5 })).toBe(1);
  expect(valueFor({ sensor: digital, upper: null, lower: 0.5 })).toBe(0);
});

test('returns undefined if no value violates the rule', () => {
  expect(trialOf({ ...rule, sensor: digital, upper: 1 })).toBeUndefined();
  expect(trialOf({ ...rule, upper: null })).toBeUndefined();
});
