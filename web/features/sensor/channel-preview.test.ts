import { expect, test } from 'vitest';
import { previewOf, tileTypeOf } from './channel-preview.ts';

const mains = {
  name: 'Mains',
  channelTitleText: '',
  channelLowText: 'Off',
  channelHighText: 'On',
  channelNormalColor: '#7d858f',
  channelAlarmColor: '#c6162b',
  channelAlarmCondition: 0,
  channelMajorAlarmStatus: true,
  channelFactor: 1,
  channelOffset: 0,
  channelDecimals: null,
};

test('shows a digital value by its state name, in the alarm colour for the alarm state', () => {
  expect(previewOf(mains, 1, 0)).toEqual({ title: 'Mains', value: 'Off', color: '#c6162b', state: 'major' });
  expect(previewOf(mains, 1, 1)).toEqual({ title: 'Mains', value: 'On', color: '#7d858f', state: 'normal' });
  expect(previewOf({ ...mains, channelMajorAlarmStatus: false }, 1, 0).state).toBe('minor');
  expect(previewOf({ ...mains, channelAlarmCondition: 2 }, 1, 0).state).toBe('normal');
});

test('scales an analog value and gives it no colour', () => {
  const level = { ...mains, channelFactor: 0.1, channelOffset: -2, channelDecimals: 1, channelTitleText: 'Level' };
  expect(previewOf(level, 2, 123.4)).toEqual({ title: 'Level', value: '10.3', color: null, state: 'normal' });
});

test('compares a digital value after scaling, as the pipeline does', () => {
  expect(previewOf({ ...mains, channelFactor: -1, channelOffset: 1 }, 1, 1).value).toBe('Off');
});

test('shows a dash for a value that cannot be scaled', () => {
  expect(previewOf({ ...mains, channelFactor: Number.NaN }, 2, 1).value).toBe('–');
});

test('uses the type of the data points, or of the sensor if there are none', () => {
  expect(tileTypeOf(2, [])).toBe(2);
  expect(tileTypeOf(2, [1])).toBe(1);
  expect(tileTypeOf(1, [2])).toBe(2);
  expect(tileTypeOf(2, [2, 1])).toBe(1);
});
