import { expect, test } from 'vitest';
import { valueWord } from './value-words.ts';

const mains = { sensorType: 1, latestValue: 1, sensorChannel: { channelLowText: 'Off', channelHighText: 'On' } };

test("shows a digital value by its state's text", () => {
  expect(valueWord(mains)).toBe('On');
  expect(valueWord({ ...mains, latestValue: 0 })).toBe('Off');
});

test('shows a number for a digital value without a text or channel', () => {
  expect(valueWord({ ...mains, sensorChannel: { channelLowText: '', channelHighText: '' } })).toBeNull();
  expect(valueWord({ ...mains, sensorChannel: null })).toBeNull();
});

test('returns null for an analog value and for a missing value', () => {
  expect(valueWord({ ...mains, sensorType: 2 })).toBeNull();
  expect(valueWord({ ...mains, latestValue: null })).toBeNull();
});
