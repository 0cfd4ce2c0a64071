import { expect, test } from 'vitest';
import { valueWord } from './value-words.ts';

const mains = { sensorType: 1, latestValue: 1, sensorChannel: { channelLowText: 'Off', channelHighText: 'On' } };

test('a digital value is the text of its state', () => {
  expect(valueWord(mains)).toBe('On');
  expect(valueWord({ ...mains, latestValue: 0 })).toBe('Off');
});

test('a digital value without a text, or without a channel, stays a number', () => {
  expect(valueWord({ ...mains, sensorChannel: { channelLowText: '', channelHighText: '' } })).toBeNull();
  expect(valueWord({ ...mains, sensorChannel: null })).toBeNull();
});

test('an analog value and no value have no word', () => {
  expect(valueWord({ ...mains, sensorType: 2 })).toBeNull();
  expect(valueWord({ ...mains, latestValue: null })).toBeNull();
});
