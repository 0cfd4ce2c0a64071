import { expect, test } from 'vitest';
import type { SiteAlarm, SiteAsset } from './site-view.queries.ts';
import { usualPoints } from './usual-points.ts';

const asset = (...points: [string, number][]) =>
  ({ points: points.map(([uuid, sensorType]) => ({ uuid, sensorType })) }) as unknown as SiteAsset;
const alarm = (uuid: string | null) => ({ tocsinDatapointUuid: uuid }) as SiteAlarm;
const assets = [asset(['door', 1]), asset(['level', 2], ['flow', 2], ['power', 3], ['lid', 1])];

test('what is in alarm comes first, three at most, in the order of the page', () => {
  expect(usualPoints(assets, [alarm('lid'), alarm('door'), alarm(null)])).toEqual(['door', 'lid']);
  expect(usualPoints(assets, ['lid', 'power', 'flow', 'level'].map(alarm))).toEqual(['level', 'flow', 'power']);
});

test('else the first value that is more than on or off, or whatever there is', () => {
  expect(usualPoints(assets, [])).toEqual(['level']);
  expect(usualPoints([asset(['door', 1])], [alarm('elsewhere')])).toEqual(['door']);
  expect(usualPoints([], [])).toEqual([]);
});
