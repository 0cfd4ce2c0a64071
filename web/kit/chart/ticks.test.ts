import { expect, test } from 'vitest';
import { hugeTicks, numberTicks, timeTicks } from './ticks.ts';

const at = (text: string) => Date.parse(text) / 1000;

test('names the day at midnight of the zone, and shows seconds for steps below a minute', () => {
  const hours = [at('2026-03-01T23:00:00Z'), at('2026-03-02T00:00:00Z'), at('2026-03-02T01:00:00Z')];
  expect(timeTicks(hours, 3600, 'UTC', 'en-GB')).toEqual(['23:00', '2 Mar', '01:00']);
  expect(timeTicks(hours, 3600, 'Europe/Berlin', 'en-GB')).toEqual(['2 Mar', '01:00', '02:00']);
  expect(timeTicks([at('2026-03-02T08:00:05Z')], 5, 'UTC', 'en-GB')).toEqual(['08:00:05']);
  expect(timeTicks([at('2026-03-02T05:00:00Z')], 86_400, 'UTC', 'en-GB')).toEqual(['2 Mar']);
});

test('writes numbers with the decimals of their step', () => {
  expect(numberTicks([-10, -5, 0], 'en')).toEqual(['−10', '−5', '0']);
  expect(numberTicks([0.5, 0.75, 1], 'en')).toEqual(['0.50', '0.75', '1.00']);
  expect(numberTicks([0, 0.05], 'en')).toEqual(['0.00', '0.05']);
  expect(numberTicks([3], 'en')).toEqual(['3']);
  expect(numberTicks([0, 5e15, 1e16], 'en')).toEqual(['0', '5e+15', '1e+16']);
});

test('returns round ticks near the ends of an axis too large for steps', () => {
  expect(hugeTicks(-5, 1e16)).toEqual([]);
  expect(hugeTicks(-8e298, 1.08e300)).toEqual([0, 1e300]);
  expect(hugeTicks(-3.5e38, 2.5e38)).toEqual([-3e38, 0, 2e38]);
  expect(numberTicks(hugeTicks(9e37, 1.1e38), 'en')).toEqual(['1e+38']);
});
