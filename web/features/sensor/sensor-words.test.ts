import { expect, test } from 'vitest';
import { alarmWords, choicesOf, ownAlarmNeeds, scalingWords, sensorStatuses } from './sensor-words.ts';

const channel = {
  channelAlarmCondition: 2,
  channelMajorAlarmStatus: false,
  channelLowText: 'Off',
  channelHighText: '',
};

test('a channel without an alarm of its own says nothing', () => expect(alarmWords(channel)).toBeNull());

test("the state that is the alarm is named by the channel's own text", () => {
  expect(alarmWords({ ...channel, channelAlarmCondition: 0, channelMajorAlarmStatus: true })).toBe(
    'Off is a major alarm',
  );
});

test('a state without a text is low or high', () => {
  expect(alarmWords({ ...channel, channelAlarmCondition: 1 })).toBe('High is a minor alarm');
});

test('an alarm of its own says where it does nothing', () => {
  expect(ownAlarmNeeds([])).toBe('Only a data point of type Digital raises it.');
  expect(ownAlarmNeeds([1, 1])).toBeNull();
  expect(ownAlarmNeeds([2])).toMatch(/^Does nothing here: its data point is Analog, and only a Digital one raises it/);
  expect(ownAlarmNeeds([2, 3])).toMatch(/^Does nothing here: its data points are Analog and Counter,/);
  expect(ownAlarmNeeds([1, 2])).toBe('1 of its 2 data points is not Digital and raises none.');
});

test('a status is chosen by its word and kept by its number', () => {
  expect(choicesOf(sensorStatuses)).toContainEqual({ value: '2', label: 'Maintenance' });
});

test('a scaling is said as it is computed', () => {
  expect(scalingWords({ channelFactor: 0.1, channelOffset: -2, channelDecimals: 1 })).toBe('× 0.1 − 2, 1 decimal');
  expect(scalingWords({ channelFactor: -1, channelOffset: 1, channelDecimals: null })).toBe('× −1 + 1');
  expect(scalingWords({ channelFactor: 1, channelOffset: 0, channelDecimals: 0 })).toBe('0 decimals');
  expect(scalingWords({ channelFactor: 1, channelOffset: 0, channelDecimals: null })).toBeNull();
});
