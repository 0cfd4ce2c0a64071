import { expect, test } from 'vitest';
import { blankDatapoint, changeOf, datapointErrors } from './datapoint-values.ts';

const level = {
  ...blankDatapoint,
  tocsinDatapointName: 'Level',
  tocsinAssetUuid: { value: 'a', label: 'Wet well' },
  tocsinSensorUuid: { value: 's', label: 'pump-7' },
  tocsinSensorChannelUuid: 'c',
};

test('sends only the order if nothing else was changed', () => {
  expect(changeOf(level, { ...level, tocsinAssetDatapointOrder: 4 })).toEqual({ only: 'order', order: 4 });
});

test('sends only state, title and colour if nothing else was changed', () => {
  expect(changeOf(level, { ...level, status: '1', datapointTitleText: 'Running' })).toEqual({
    only: 'status',
    status: 1,
    datapointTitleText: 'Running',
  });
});

test('omits fields that readings update unless the user changed them', () => {
  const change = changeOf(level, { ...level, tocsinDatapointName: 'Wet well level' });
  expect(change).toMatchObject({ only: null, patch: { tocsinDatapointName: 'Wet well level' } });
  expect(JSON.stringify(change)).not.toContain('status');
  expect(JSON.stringify(change)).not.toContain('Color');
});

test('requires a channel once a sensor is chosen', () => {
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
