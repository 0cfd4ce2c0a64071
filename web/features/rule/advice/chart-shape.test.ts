import { expect, test } from 'vitest';
import { pathsOf, placeOf, scaleOf } from './chart-shape.ts';

test.each([
  [
    [3.2, 10.4],
    [2, 4, 6, 8, 10, 12],
  ],
  [
    [-4, 7],
    [-5, 0, 5, 10],
  ],
  [[5], [4, 6]],
  [[], [0, 1]],
])('puts round ticks around %j', (values, ticks) => {
  const scale = scaleOf(values);
  expect(scale.ticks).toEqual(ticks);
  for (const value of values) {
    expect(placeOf(scale, value)).toBeGreaterThanOrEqual(0);
    expect(placeOf(scale, value)).toBeLessThanOrEqual(100);
  }
});

test('leaves a gap at days without readings', () => {
  const day = (value: number | null) => ({
    ...{ start: '', readings: value === null ? 0 : 5, lowest: value, highest: value, mean: value },
  });
  const { mean, band } = pathsOf([day(1), day(0), day(null), day(1)], { least: 0, most: 1, ticks: [0, 1] });
  expect(mean).toBe('M0 0.00L1 0.00L1 100.00L2 100.00M3 0.00L4 0.00');
  expect(band.match(/M/g)).toHaveLength(2);
});
