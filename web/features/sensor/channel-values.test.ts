import { expect, test } from 'vitest';
import { channelErrors, lookOf, newChannel, sentOf } from './channel-values.ts';

const anyColor = () => true;
const channel = { ...newChannel([]), name: 'Level' };

test('a new channel takes the first free number', () => {
  expect(newChannel([1, 2, 4]).channelNumber).toBe(3);
});

test('a good channel has no errors, and an empty number of decimals is none', () => {
  expect(channelErrors(channel, anyColor)).toEqual({});
  expect(sentOf({ ...channel, channelFactor: '0.1' })).toMatchObject({ channelFactor: 0.1, channelDecimals: null });
});

test.each([
  ['channelNumber', ''],
  ['channelNumber', 1.5],
  ['channelNumber', 10_000],
  ['name', '  '],
  ['channelFactor', 0],
  ['channelFactor', ''],
  ['channelOffset', '-'],
  ['channelDecimals', 11],
] as const)('%s may not be %j', (field, value) => {
  expect(Object.keys(channelErrors({ ...channel, [field]: value }, anyColor))).toEqual([field]);
});

test('a colour must be one', () => {
  expect(channelErrors(channel, (text) => text !== '#c6162b')).toHaveProperty('channelAlarmColor');
});

test('a half typed number is no number for the preview', () => {
  expect(lookOf({ ...channel, channelFactor: '-' }).channelFactor).toBeNaN();
});
