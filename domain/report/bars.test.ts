import { expect, test } from 'vitest';
import { barsOf } from './bars.ts';

const rows = [
  { day: '2025-12-31', values: [1, 2] },
  { day: '2026-01-01', values: [3, 4] },
];
const values = (row: { values: number[] }) => row.values;

test('every day has a bar, also one without anything', () => {
  expect(barsOf({ firstDay: '2025-12-30', lastDay: '2026-01-01' }, rows, values, 2)).toEqual({
    each: 'day',
    bars: [
      { label: '2025-12-30', values: [0, 0] },
      { label: '2025-12-31', values: [1, 2] },
      { label: '2026-01-01', values: [3, 4] },
    ],
  });
});

test('a long range has a bar for each month', () => {
  const { each, bars } = barsOf({ firstDay: '2025-09-15', lastDay: '2026-01-31' }, rows, values, 2);
  expect(each).toBe('month');
  expect(bars.map(({ label }) => label)).toEqual(['2025-09', '2025-10', '2025-11', '2025-12', '2026-01']);
  expect(bars.slice(3).map((bar) => bar.values)).toEqual([
    [1, 2],
    [3, 4],
  ]);
});

test('a day outside of the range is not counted', () => {
  expect(barsOf({ firstDay: '2026-01-01', lastDay: '2026-01-01' }, rows, values, 2).bars[0]?.values).toEqual([3, 4]);
});
