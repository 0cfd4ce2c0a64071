import { expect, test } from 'vitest';
import type { ChannelRule, TestedChannel } from '../../../domain/rule/test-value.ts';
import { proposeValue } from './test-value-words.ts';

const high: ChannelRule = { kind: 'limits', name: 'Level high', debounce: 0, lower: null, upper: 80 };
const channel: TestedChannel = {
  number: 3,
  scaling: { factor: 1, offset: 0, decimals: null },
  isDigital: false,
  rules: [high],
};
const analog = { isDigital: false };
const propose = (rules: ChannelRule[], disabled = 0) =>
  proposeValue({ channels: [{ ...channel, rules }], disabled }, analog);

test('names the rule that the value breaks', () => {
  expect(propose([high])).toEqual({
    sent: { channel: 3, value: 88 },
    sentences: ['The value 88 violates the rule “Level high”. The alarm opens as soon as the value arrives.'],
  });
});

test('says how long the value must last for each rule with a debounce', () => {
  expect(propose([high, { ...high, name: 'Slow', debounce: 90 }]).sentences[1]).toBe(
    'It also violates the rule “Slow”. The alarm opens 1 minute 30 seconds after the value arrives, unless a normal value arrives first.',
  );
});

test('says what is stored where the channel scales the value', () => {
  const scaled = { ...channel, scaling: { factor: 0.01, offset: 0, decimals: null } };
  expect(proposeValue({ channels: [scaled], disabled: 0 }, analog).sentences[0]).toContain('(stored as 88)');
});

test('names the channel whose state is an alarm', () => {
  const door: ChannelRule = { kind: 'state', name: 'Door open', debounce: 0, alarmCondition: 1 };
  const digital = { ...channel, isDigital: true, rules: [door] };
  expect(proposeValue({ channels: [digital], disabled: 0 }, { isDigital: true })).toEqual({
    sent: { channel: 3, value: 1 },
    sentences: [
      'The value 1 is an alarm state of the channel “Door open”. The alarm opens as soon as the value arrives.',
    ],
  });
});

test('says why no alarm opens', () => {
  expect(propose([])).toEqual({
    sent: { channel: 3, value: 20.5 },
    sentences: ['This sensor has no rule yet, so this value opens no alarm.'],
  });
  expect(propose([], 1).sentences).toEqual(['Every rule of this sensor is disabled, so this value opens no alarm.']);
  expect(propose([{ ...high, upper: 3.4028235e38 }]).sentences).toEqual([
    'No single value from this sensor can violate “Level high”, so this value opens no alarm.',
  ]);
});

test('says nothing about rules to a person who is not allowed to read them', () => {
  expect(proposeValue(undefined, analog)).toEqual({ sent: { channel: 1, value: 20.5 }, sentences: [] });
  expect(proposeValue(undefined, { isDigital: true }).sent.value).toBe(1);
});
