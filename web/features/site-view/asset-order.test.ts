import { expect, test } from 'vitest';
import { ALARM, NORMAL, STALE } from '../../../domain/datapoint.ts';
import { worstFirst } from './asset-order.ts';
import type { SiteAlarm, SiteAsset } from './site-view.queries.ts';

const asset = (uuid: string, ...statuses: number[]) =>
  ({ uuid, points: statuses.map((status, index) => ({ uuid: `${uuid}-${index}`, status })) }) as unknown as SiteAsset;
const alarm = (point: string, severity: string, acknowledged = false, quietBecause: string | null = null) =>
  ({
    tocsinDatapointUuid: point,
    severity,
    quietBecause,
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

test('puts values whose alarms are shelved after stale ones and before normal ones', () => {
  const assets = [asset('normal', NORMAL), asset('shelved', ALARM), asset('stale', STALE)];
  expect(order(assets, [alarm('shelved-0', 'critical', false, 'shelved')], [])).toEqual(['stale', 'shelved', 'normal']);
});
