import { expect, test } from 'vitest';
import { channelErrors, lookOf, newChannel, sentOf } from './channel-values.ts';

const anyColor = () => true;
const channel = { ...newChannel([]), name: 'Level' };

test('gives a new channel the first free number', () => {
  expect(newChannel([1, 2, 4]).channelNumber).toBe(3);
});

test('accepts a valid channel, and an empty number of decimals', () => {
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

test('requires a valid colour', () => {
  expect(channelErrors(channel, (text) => text !== '#c6162b')).toHaveProperty('channelAlarmColor');
});

test('treats an incomplete number as missing in the preview', () => {
  expect(lookOf({ ...channel, channelFactor: '-' }).channelFactor).toBeNaN();
});
