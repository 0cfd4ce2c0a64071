import { expect, test } from 'vitest';
import type { LiveDatapoint } from '../../../kit/live/live.queries.ts';
import { watchedDatapoints, withLiveValues } from './live-alarm.ts';

const stored = { latestValue: 2, lastUpdated: '2026-03-02T10:00:00.000Z' };
const at = Date.parse(stored.lastUpdated);
const condition = { uuid: 'flow', ...stored };
const alarm = {
  tocsinDatapointUuid: 'level',
  resolvedDate: null,
  datapoint: { ...stored, datapointTitleText: 'Low' },
  conditionDatapoints: { nodes: [condition] },
} as unknown as Parameters<typeof withLiveValues>[0];
const liveValue =
  (time: number | null, value: number | null) =>
  (datapointUuid: string): LiveDatapoint => ({
    datapointUuid,
    value,
    time,
    status: null,
    color: null,
    titleText: 'High',
  });

test('an open alarm gets newer live values, and so do its conditions', () => {
  const newer = { latestValue: 3, lastUpdated: '2026-03-02T10:00:05.000Z' };
  const now = withLiveValues(alarm, liveValue(at + 5000, 3));
  expect(now.datapoint).toEqual({ ...newer, datapointTitleText: 'High' });
  expect(now.conditionDatapoints.nodes).toEqual([{ ...condition, ...newer }]);
  expect(watchedDatapoints(alarm)).toEqual(['level', 'flow']);
});

test('ignores live values that are not newer, and all live values of a resolved alarm', () => {
  expect(withLiveValues(alarm, liveValue(at, 3))).toEqual(alarm);
  expect(withLiveValues(alarm, liveValue(null, null))).toEqual(alarm);
  expect(withLiveValues(alarm, () => undefined)).toEqual(alarm);
  const resolved = { ...alarm, resolvedDate: '2026-03-02T10:01:00.000Z' };
  expect(withLiveValues(resolved, liveValue(at + 5000, 3))).toBe(resolved);
  expect(watchedDatapoints(resolved)).toEqual([]);
});
