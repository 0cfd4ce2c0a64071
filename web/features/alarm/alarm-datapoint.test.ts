import { expect, test } from 'vitest';
import { newestDatapoint } from './alarm-datapoint.ts';

const opened = '2026-03-02T10:00:00Z';
const pump = {
  latestValue: 0,
  lastUpdated: '2026-03-02T09:59:00Z',
  uom: '',
  sensorType: 1,
  datapointTitleText: 'Healthy',
};
const tripped = {
  dateTime: opened,
  value: 1,
  criteria: { kind: 'digital', alarmState: 'high', lowText: 'Healthy', highText: 'Tripped' },
};
const level = { latestValue: 3.9, lastUpdated: null, uom: 'm', sensorType: 2, datapointTitleText: '' };
const high = { dateTime: opened, value: 4.5, criteria: { kind: 'limits', upper: 4.2, unit: 'm' } };

test('shows the alarm’s own value while the stored value is older than the alarm', () => {
  expect(newestDatapoint({ ...tripped, datapoint: pump })).toEqual({
    ...pump,
    latestValue: 1,
    lastUpdated: opened,
    datapointTitleText: 'Tripped',
  });
  expect(newestDatapoint({ ...high, datapoint: level })).toMatchObject({ latestValue: 4.5, uom: 'm' });
});

test('shows the stored value if it is as new as the alarm or newer', () => {
  const back = { ...pump, lastUpdated: '2026-03-02T10:00:30Z' };
  expect(newestDatapoint({ ...tripped, datapoint: back })).toBe(back);
  const same = { ...pump, latestValue: 1, lastUpdated: opened, datapointTitleText: 'Tripped' };
  expect(newestDatapoint({ ...tripped, datapoint: same })).toBe(same);
});

test('keeps the time of a reading that equals the alarm’s value', () => {
  const before = { ...level, latestValue: 4.5, lastUpdated: '2026-03-02T09:59:00Z' };
  expect(newestDatapoint({ ...high, datapoint: before })).toBe(before);
});

test('drops the text of the stored state when the alarm’s state differs and has no text', () => {
  const limited = { ...tripped, criteria: { kind: 'limits', upper: 0 } };
  expect(newestDatapoint({ ...limited, datapoint: pump })).toMatchObject({ latestValue: 1, datapointTitleText: '' });
  expect(newestDatapoint({ ...limited, value: 2, datapoint: { ...pump, latestValue: 1 } })).toMatchObject({
    datapointTitleText: 'Healthy',
  });
});

test('returns the data point unchanged without an alarm value, and null without a data point', () => {
  expect(newestDatapoint({ ...tripped, value: null, datapoint: pump })).toBe(pump);
  expect(newestDatapoint({ ...tripped, datapoint: null })).toBeNull();
});
