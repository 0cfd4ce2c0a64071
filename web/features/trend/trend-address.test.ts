import { expect, test } from 'vitest';
import { readAddress, type TrendState, writeAddress } from './trend-address.ts';

const now = Date.parse('2026-03-02T12:00:00Z');
const one = '11111111-1111-4111-8111-111111111111';
const two = '22222222-2222-4222-8222-222222222222';
const usual: TrendState = { points: undefined, view: { follow: true, span: '6h' }, compare: '', axes: 'shared' };

test('reads a URL without parameters as the default view, which needs no parameters', () => {
  expect(readAddress({}, now)).toEqual(usual);
  expect(Object.values(writeAddress(usual)).filter(Boolean)).toEqual([]);
});

test('reads the same state that it wrote', () => {
  const states: TrendState[] = [
    { points: [one, two], view: { follow: true, span: '7d' }, compare: 'week', axes: 'own' },
    {
      points: [],
      view: { follow: false, window: { from: now - 7_200_000, to: now - 3_600_000 } },
      compare: '',
      axes: 'shared',
    },
  ];
  for (const state of states) expect(readAddress(writeAddress(state), now)).toEqual(state);
});

test('ignores invalid parameters', () => {
  expect(readAddress({ points: `x,${one},${one},`, span: 'ever', compare: 'constructor', axes: '?' }, now)).toEqual({
    ...usual,
    points: [one],
  });
  expect(readAddress({ from: '2026-03-02', to: '2026-03-01' }, now).view).toEqual(usual.view);
  expect(readAddress({ from: 'x', to: 'y' }, now).view).toEqual(usual.view);
});

test('reads at most twenty data points', () => {
  const many = Array.from({ length: 30 }, (_, index) => one.slice(0, -2) + String(index + 10));
  expect(readAddress({ points: many.join() }, now).points).toHaveLength(20);
});
