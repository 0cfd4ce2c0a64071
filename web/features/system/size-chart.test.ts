import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Size } from '../../../domain/process/growth.ts';
import { sizeChart, ticksUpTo } from './size-chart.ts';

const DAY = 86_400_000;
const GB = 1e9;

test('there is no chart before the growth is known', () => {
  expect(sizeChart([])).toBeUndefined();
  expect(sizeChart([{ at: 0, bytes: GB, freeBytes: null }])).toBeUndefined();
});

test('the forecast ends at the day on which the disk is full', () => {
  const chart = sizeChart([
    { at: 0, bytes: 100 * GB, freeBytes: 100 * GB },
    { at: 100 * DAY, bytes: 150 * GB, freeBytes: 50 * GB },
  ]);
  expect(chart?.full?.at).toBe(200 * DAY);
  expect(chart?.limit?.bytes).toBe(200 * GB);
  expect(chart?.forecast?.endsWith(`L${chart.full?.x.toFixed(1)} ${chart.full?.y.toFixed(1)}`)).toBe(true);
});

test('a disk that is full in many years is not in the chart, so that the history stays visible', () => {
  const chart = sizeChart([
    { at: 0, bytes: 10 * GB, freeBytes: 9000 * GB },
    { at: 10 * DAY, bytes: 11 * GB, freeBytes: 8999 * GB },
  ]);
  expect(chart?.full).toBeUndefined();
  expect(chart?.limit).toBeUndefined();
  expect(chart?.ticks.at(-1)?.bytes).toBeLessThan(20 * GB);
});

test('every point is inside the chart', () => {
  const sizes = fc
    .array(
      fc.record({ bytes: fc.integer({ min: 0, max: 1e13 }), free: fc.option(fc.integer({ min: 0, max: 1e13 })) }),
      {
        minLength: 2,
        maxLength: 84,
      },
    )
    .map((days) => days.map(({ bytes, free }, day): Size => ({ at: day * DAY, bytes, freeBytes: free })));
  fc.assert(
    fc.property(sizes, (given) => {
      const chart = sizeChart(given);
      if (!chart) throw new Error('Two days are enough for a chart.');
      const numbers = `${chart.history} ${chart.forecast ?? ''}`.match(/-?[\d.]+/g)?.map(Number) ?? [];
      const points = numbers.flatMap((x, index) => (index % 2 === 0 ? [{ x, y: numbers[index + 1] as number }] : []));
      const marks = [chart.now, ...(chart.full ? [chart.full] : []), ...chart.ticks.map(({ y }) => ({ x: 40, y }))];
      for (const { x, y } of [...points, ...marks]) {
        expect(x).toBeGreaterThanOrEqual(39.9);
        expect(x).toBeLessThanOrEqual(356.1);
        expect(y).toBeGreaterThanOrEqual(27.9);
        expect(y).toBeLessThanOrEqual(148.1);
      }
    }),
  );
});

test('ticks are round, begin at 0 and reach the largest value with at most six lines', () => {
  fc.assert(
    fc.property(fc.double({ min: 1, max: 1e15, noNaN: true }), (most) => {
      const ticks = ticksUpTo(most);
      expect(ticks[0]).toBe(0);
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(most * (1 - 1e-6));
      expect(ticks.length).toBeLessThanOrEqual(6);
    }),
  );
});
