import { expect, test } from 'vitest';
import { blankDatapoint, changeOf, datapointErrors } from './datapoint-values.ts';

const level = {
  ...blankDatapoint,
  tocsinDatapointName: 'Level',
  tocsinAssetUuid: { value: 'a', label: 'Wet well' },
  tocsinSensorUuid: { value: 's', label: 'pump-7' },
  tocsinSensorChannelUuid: 'c',
};

test('an order alone is an order alone', () => {
  expect(changeOf(level, { ...level, tocsinAssetDatapointOrder: 4 })).toEqual({ only: 'order', order: 4 });
});

test('a state, and what is shown with it, is a state alone', () => {
  expect(changeOf(level, { ...level, status: '1', datapointTitleText: 'Running' })).toEqual({
    only: 'status',
    status: 1,
    datapointTitleText: 'Running',
  });
});

test('what the readings change is left out where nobody changed it by hand', () => {
  const change = changeOf(level, { ...level, tocsinDatapointName: 'Wet well level' });
  expect(change).toMatchObject({ only: null, patch: { tocsinDatapointName: 'Wet well level' } });
  expect(JSON.stringify(change)).not.toContain('status');
  expect(JSON.stringify(change)).not.toContain('Color');
});

test('a channel is asked for once there is a sensor', () => {
  const ok = () => true;
  expect(datapointErrors(level, ok)).toEqual({});
  expect(Object.keys(datapointErrors(blankDatapoint, ok))).toEqual([
    'tocsinDatapointName',
    'tocsinAssetUuid',
    'tocsinSensorUuid',
  ]);
  expect(datapointErrors({ ...level, tocsinSensorChannelUuid: '' }, ok)).toHaveProperty('tocsinSensorChannelUuid');
  expect(datapointErrors({ ...level, tocsinAssetDatapointOrder: '' }, ok)).toHaveProperty('tocsinAssetDatapointOrder');
});
