import { expect, test } from 'vitest';
import { pointOf } from './alarm-datapoint.ts';

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
  judgedBy: { kind: 'digital', alarmState: 'high', lowText: 'Healthy', highText: 'Tripped' },
};
const level = { latestValue: 3.9, lastUpdated: null, uom: 'm', sensorType: 2, datapointTitleText: '' };
const high = { dateTime: opened, value: 4.5, judgedBy: { kind: 'limits', upper: 4.2, unit: 'm' } };

test('a stored value that is older than the alarm is not shown for it: the alarm’s own is newer', () => {
  expect(pointOf({ ...tripped, datapoint: pump })).toEqual({
    ...pump,
    latestValue: 1,
    lastUpdated: opened,
    datapointTitleText: 'Tripped',
  });
  expect(pointOf({ ...high, datapoint: level })).toMatchObject({ latestValue: 4.5, uom: 'm' });
});

test('a stored value of the same moment or later is', () => {
  const back = { ...pump, lastUpdated: '2026-03-02T10:00:30Z' };
  expect(pointOf({ ...tripped, datapoint: back })).toBe(back);
  const same = { ...pump, latestValue: 1, lastUpdated: opened, datapointTitleText: 'Tripped' };
  expect(pointOf({ ...tripped, datapoint: same })).toBe(same);
});

test('the reading before an alarm that the clock opened keeps its own time', () => {
  const before = { ...level, latestValue: 4.5, lastUpdated: '2026-03-02T09:59:00Z' };
  expect(pointOf({ ...high, datapoint: before })).toBe(before);
});

test('a state without a word of the alarm’s keeps no word of the other state', () => {
  const limited = { ...tripped, judgedBy: { kind: 'limits', upper: 0 } };
  expect(pointOf({ ...limited, datapoint: pump })).toMatchObject({ latestValue: 1, datapointTitleText: '' });
  expect(pointOf({ ...limited, value: 2, datapoint: { ...pump, latestValue: 1 } })).toMatchObject({
    datapointTitleText: 'Healthy',
  });
});

test('an alarm that measured nothing, or has no data point, shows what there is', () => {
  expect(pointOf({ ...tripped, value: null, datapoint: pump })).toBe(pump);
  expect(pointOf({ ...tripped, datapoint: null })).toBeNull();
});
