import { expect, test } from 'vitest';
import { alarmWords, choicesOf, digitalAlarmProblem, scalingWords, sensorStatuses } from './sensor-words.ts';

const channel = {
  channelAlarmCondition: 2,
  channelMajorAlarmStatus: false,
  channelLowText: 'Off',
  channelHighText: '',
};

test('returns null for a channel without a digital alarm', () => expect(alarmWords(channel)).toBeNull());

test("names the alarm state by the channel's own text", () => {
  expect(alarmWords({ ...channel, channelAlarmCondition: 0, channelMajorAlarmStatus: true })).toBe(
    'Off is a major alarm',
  );
});

test('calls a state without a text low or high', () => {
  expect(alarmWords({ ...channel, channelAlarmCondition: 1 })).toBe('High is a minor alarm');
});

test('says why a digital alarm has no effect', () => {
  expect(digitalAlarmProblem([])).toBe('Only digital data points raise this alarm.');
  expect(digitalAlarmProblem([1, 1])).toBeNull();
  expect(digitalAlarmProblem([2])).toMatch(
    /^No effect: the channel’s data point is Analog, and only digital data points raise this alarm/,
  );
  expect(digitalAlarmProblem([2, 3])).toMatch(/^No effect: the channel’s data points are Analog and Counter,/);
  expect(digitalAlarmProblem([1, 2])).toBe('1 of the channel’s 2 data points is not digital and raises no alarm.');
});

test('shows a status by its name and stores its number', () => {
  expect(choicesOf(sensorStatuses)).toContainEqual({ value: '2', label: 'Maintenance' });
});

test('writes the scaling as a formula', () => {
  expect(scalingWords({ channelFactor: 0.1, channelOffset: -2, channelDecimals: 1 })).toBe('× 0.1 − 2, 1 decimal');
  expect(scalingWords({ channelFactor: -1, channelOffset: 1, channelDecimals: null })).toBe('× −1 + 1');
  expect(scalingWords({ channelFactor: 1, channelOffset: 0, channelDecimals: 0 })).toBe('0 decimals');
  expect(scalingWords({ channelFactor: 1, channelOffset: 0, channelDecimals: null })).toBeNull();
});
