import { expect, test } from 'vitest';
import type { SiteAlarm, SiteAsset } from './site-view.queries.ts';
import { usualPoints } from './usual-points.ts';

const asset = (...points: string[]) => ({ points: points.map((uuid) => ({ uuid })) }) as unknown as SiteAsset;
const alarm = (uuid: string | null) => ({ tocsinDatapointUuid: uuid }) as SiteAlarm;
const assets = [asset('door'), asset('level', 'flow', 'power', 'lid')];
const lead = { uuid: 'flow' };

test('what is in alarm comes first, three at most, in the order of the page', () => {
  expect(usualPoints(assets, [alarm('lid'), alarm('door'), alarm(null)], lead)).toEqual(['door', 'lid']);
  expect(usualPoints(assets, ['lid', 'power', 'flow', 'level'].map(alarm), lead)).toEqual(['level', 'flow', 'power']);
});

test('else the value that the site is known by, if it has any', () => {
  expect(usualPoints(assets, [], lead)).toEqual(['flow']);
  expect(usualPoints(assets, [alarm('elsewhere')], lead)).toEqual(['flow']);
  expect(usualPoints([], [], null)).toEqual([]);
});
