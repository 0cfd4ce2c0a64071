import { expect, test } from 'vitest';
import { barsOf, daysOfBar, labelWords } from './bars.ts';

const rows = [
  { day: '2025-12-31', values: [1, 2] },
  { day: '2026-01-01', values: [3, 4] },
];
const values = (row: { values: number[] }) => row.values;

test('has a bar for every day, including empty ones', () => {
  expect(barsOf({ firstDay: '2025-12-30', lastDay: '2026-01-01' }, rows, values, 2)).toEqual({
    each: 'day',
    bars: [
      { label: '2025-12-30', values: [0, 0] },
      { label: '2025-12-31', values: [1, 2] },
      { label: '2026-01-01', values: [3, 4] },
    ],
  });
});

test('has a bar for each month of a long range', () => {
  const { each, bars } = barsOf({ firstDay: '2025-09-15', lastDay: '2026-01-31' }, rows, values, 2);
  expect(each).toBe('month');
  expect(bars.map(({ label }) => label)).toEqual(['2025-09', '2025-10', '2025-11', '2025-12', '2026-01']);
  expect(bars.slice(3).map((bar) => bar.values)).toEqual([
    [1, 2],
    [3, 4],
  ]);
});

test('ignores days outside the range', () => {
  expect(barsOf({ firstDay: '2026-01-01', lastDay: '2026-01-01' }, rows, values, 2).bars[0]?.values).toEqual([3, 4]);
});

test('returns the day of a bar, or the days of its month within the range', () => {
  const range = { firstDay: '2025-09-15', lastDay: '2026-02-10' };
  expect(daysOfBar('2025-12-31', range)).toEqual({ from: '2025-12-31', to: '2025-12-31' });
  expect(daysOfBar('2025-09', range)).toEqual({ from: '2025-09-15', to: '2025-09-30' });
  expect(daysOfBar('2025-12', range)).toEqual({ from: '2025-12-01', to: '2025-12-31' });
  expect(daysOfBar('2026-02', range)).toEqual({ from: '2026-02-01', to: '2026-02-10' });
});

test('labels a bar by its day, or by its month and year', () => {
  expect([labelWords('2025-12-31'), labelWords('2025-12')]).toEqual(['31 Dec', 'Dec 2025']);
});
