import { expect, test } from 'vitest';
import { NORMAL, STALE } from '../../../domain/datapoint.ts';
import { worstFirst } from './asset-order.ts';
import type { SiteAlarm, SiteAsset } from './site-view.queries.ts';

const asset = (uuid: string, ...statuses: number[]) =>
  ({ uuid, points: statuses.map((status, index) => ({ uuid: `${uuid}-${index}`, status })) }) as unknown as SiteAsset;
const alarm = (point: string, severity: string, acknowledged = false) =>
  ({
    tocsinDatapointUuid: point,
    severity,
    acknowledgeJson: acknowledged ? { reason: 'Known', on: '2026-01-01T00:00:00Z', by: 'A' } : null,
    otherHolders: { nodes: [] },
  }) as unknown as SiteAlarm;
const order = (...of: Parameters<typeof worstFirst>) => worstFirst(...of).map(({ uuid }) => uuid);

test('puts the asset with the most severe alarm first and keeps the order of equals', () => {
  const assets = [asset('a', NORMAL), asset('b', NORMAL), asset('c', NORMAL, NORMAL), asset('d', NORMAL)];
  expect(order(assets, [], [])).toEqual(['a', 'b', 'c', 'd']);
  expect(order(assets, [alarm('b-0', 'minor'), alarm('c-1', 'critical')], [])).toEqual(['c', 'b', 'a', 'd']);
});

test('puts an unacknowledged alarm before an acknowledged one of the same severity', () => {
  const assets = [asset('a', NORMAL), asset('b', NORMAL)];
  expect(order(assets, [alarm('a-0', 'major', true), alarm('b-0', 'major')], [])).toEqual(['b', 'a']);
});

test('puts values outside without an alarm before stale ones, and stale ones before normal ones', () => {
  const assets = [asset('normal', NORMAL), asset('stale', STALE), asset('outside', NORMAL), asset('empty')];
  expect(order(assets, [], [{ uuid: 'outside-0' }])).toEqual(['outside', 'stale', 'normal', 'empty']);
});
