import { expect, test } from 'vitest';
import type { LiveDatapoint } from '../../../kit/live/live.queries.ts';
import { pointsOf, withLiveValues } from './live-alarm.ts';

const stored = { latestValue: 2, lastUpdated: '2026-03-02T10:00:00.000Z' };
const at = Date.parse(stored.lastUpdated);
const condition = { uuid: 'flow', ...stored };
const alarm = {
  tocsinDatapointUuid: 'level',
  resolvedDate: null,
  datapoint: { ...stored, datapointTitleText: 'Low' },
  conditionDatapoints: { nodes: [condition] },
} as unknown as Parameters<typeof withLiveValues>[0];
const heard =
  (time: number | null, value: number | null) =>
  (datapointUuid: string): LiveDatapoint => ({
    datapointUuid,
    value,
    time,
    status: null,
    color: null,
    titleText: 'High',
  });

test('an open alarm has the values that arrived since it was fetched, also those of its conditions', () => {
  const newer = { latestValue: 3, lastUpdated: '2026-03-02T10:00:05.000Z' };
  const now = withLiveValues(alarm, heard(at + 5000, 3));
  expect(now.datapoint).toEqual({ ...newer, datapointTitleText: 'High' });
  expect(now.conditionDatapoints.nodes).toEqual([{ ...condition, ...newer }]);
  expect(pointsOf(alarm)).toEqual(['level', 'flow']);
});

test('what is not newer than the stored value changes nothing, and neither does anything once it is resolved', () => {
  expect(withLiveValues(alarm, heard(at, 3))).toEqual(alarm);
  expect(withLiveValues(alarm, heard(null, null))).toEqual(alarm);
  expect(withLiveValues(alarm, () => undefined)).toEqual(alarm);
  const over = { ...alarm, resolvedDate: '2026-03-02T10:01:00.000Z' };
  expect(withLiveValues(over, heard(at + 5000, 3))).toBe(over);
  expect(pointsOf(over)).toEqual([]);
});
