import { expect, test } from 'vitest';
import { defaultPoints } from './default-points.ts';
import type { SiteAlarm, SiteAsset } from './site-view.queries.ts';

const asset = (...points: string[]) => ({ points: points.map((uuid) => ({ uuid })) }) as unknown as SiteAsset;
const alarm = (uuid: string | null) =>
  ({ tocsinDatapointUuid: uuid, otherHolders: { nodes: [] } }) as unknown as SiteAlarm;
const assets = [asset('door'), asset('level', 'flow', 'power', 'lid')];
const lead = { uuid: 'flow' };

test('returns up to three data points in alarm, each once, in the order of the alarms', () => {
  expect(defaultPoints(assets, ['lid', null, 'door', 'lid'].map(alarm), lead)).toEqual(['lid', 'door']);
  expect(defaultPoints(assets, ['lid', 'power', 'flow', 'level'].map(alarm), lead)).toEqual(['lid', 'power', 'flow']);
});

test('returns the value of the dashboard tile without alarms, if there is one', () => {
  expect(defaultPoints(assets, [], lead)).toEqual(['flow']);
  expect(defaultPoints(assets, [alarm('elsewhere')], lead)).toEqual(['flow']);
  expect(defaultPoints([], [], null)).toEqual([]);
});
