import { expect, test } from 'vitest';
import { alarmWords, choicesOf, sensorStatuses } from './sensor-words.ts';

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

test('a status is chosen by its word and kept by its number', () => {
  expect(choicesOf(sensorStatuses)).toContainEqual({ value: '2', label: 'Maintenance' });
});
