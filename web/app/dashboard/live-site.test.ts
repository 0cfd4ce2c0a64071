import { expect, test } from 'vitest';
import { withLiveValues } from './live-site.ts';

const at = (second: number) => Date.UTC(2026, 10, 15, 12, 0, second);
const text = (second: number) => new Date(at(second)).toISOString();
const site = {
  siteStatus: 1,
  lastUpdate: text(10),
  leadDatapoint: {
    uuid: 'p1',
    tocsinDatapointName: 'Level',
    latestValue: 1,
    lastUpdated: text(10),
    uom: 'm',
    sensorType: 2,
    status: 1,
    datapointTitleText: 'Normal',
    sensorChannel: null,
    rules: { nodes: [] },
  },
};
const point = { datapointUuid: 'p1', value: 2, time: at(20), status: null, color: null, titleText: null };
const heard = { siteUuid: 's1', status: 1, lastUpdate: at(20) };

test('returns the fetched site without updates', () => {
  expect(withLiveValues(site, undefined, undefined)).toEqual(site);
});

test('takes a newer value, and keeps fields that the update omits', () => {
  const now = withLiveValues(site, heard, point);
  expect(now.lastUpdate).toBe(text(20));
  expect(now.leadDatapoint).toMatchObject({ latestValue: 2, status: 1, datapointTitleText: 'Normal', uom: 'm' });
  expect(withLiveValues(site, heard, { ...point, titleText: 'High', status: 2 }).leadDatapoint).toMatchObject({
    datapointTitleText: 'High',
    status: 2,
  });
});

test('ignores values older than the fetched ones', () => {
  const now = withLiveValues(site, { ...heard, lastUpdate: at(5) }, { ...point, time: at(5) });
  expect(now.lastUpdate).toBe(text(10));
  expect(now.leadDatapoint?.latestValue).toBe(1);
});

test('takes the status silent from an update without a new reading', () => {
  expect(withLiveValues(site, { ...heard, status: 3, lastUpdate: at(10) }, undefined).siteStatus).toBe(3);
});

test('adds no value to a site without a lead data point', () => {
  expect(withLiveValues({ ...site, leadDatapoint: null }, heard, point).leadDatapoint).toBeNull();
});
