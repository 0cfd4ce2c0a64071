import { expect, test } from 'vitest';
import type { LiveDatapoint } from './live.queries.ts';
import { merged, PlantFeed } from './plant-feed.ts';

const point = (more: Partial<LiveDatapoint>): LiveDatapoint => ({
  datapointUuid: 'a',
  value: null,
  time: null,
  status: null,
  color: null,
  titleText: null,
  ...more,
});

test('keeps fields that an update omits, and accepts zero as a value', () => {
  const before = point({ value: 4, time: 10, status: 1, color: '#aa0000', titleText: 'Open' });
  expect(merged(before, point({ value: 0, time: 20 }))).toEqual({ ...before, value: 0, time: 20 });
});

test('takes only the status of an update that is older than the known value', () => {
  const before = point({ value: 4, time: 20, status: 1 });
  expect(merged(before, point({ value: 3, time: 10, status: 2 }))).toMatchObject({ value: 4, time: 20, status: 2 });
});

test('notifies the listeners of changed data points and sites once per burst', () => {
  const waiting: (() => void)[] = [];
  const feed = new PlantFeed((work) => waiting.push(work));
  const told: string[] = [];
  feed.watch('a', () => told.push('a'));
  feed.watch('b', () => told.push('b'));
  const stop = feed.watch('site', () => told.push('site'));
  for (let value = 1; value <= 500; value += 1)
    feed.take({
      sites: [{ siteUuid: 'site', status: 1, lastUpdate: value }],
      datapoints: [point({ value, time: value })],
    });
  expect(waiting).toHaveLength(1);
  waiting.pop()?.();
  expect(told).toEqual(['site', 'a']);
  expect(feed.datapoint('a')?.value).toBe(500);
  stop();
  feed.take({ sites: [{ siteUuid: 'site', status: 3, lastUpdate: 501 }], datapoints: [] });
  waiting.pop()?.();
  expect(told).toEqual(['site', 'a']);
  expect(feed.site('site')?.status).toBe(3);
});
