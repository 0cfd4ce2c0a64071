import { describe, expect, test } from 'vitest';
import {
  lonely,
  readingAt,
  readSeries,
  resolutionWords,
  type Series,
  shifted,
  stretchesOf,
  withGaps,
  withReadings,
} from './series.ts';

const series = (times: number[], values: (number | null)[] = times, bucketMs: number | null = null): Series => ({
  uuid: 'a',
  times,
  values,
  lows: values,
  highs: values,
  bucketMs,
});

describe('a series', () => {
  test('replaces values that are not numbers with null, and keeps their times', () => {
    const read = readSeries({
      datapointUuid: 'a',
      times: [1, 2, 3],
      means: [4, Number.NaN, null],
      mins: [4, Number.NEGATIVE_INFINITY, null],
      maxs: [4, 5, 6],
      bucketMs: null,
    });
    expect(read.values).toEqual([4, null, null]);
    expect(read.highs).toEqual([4, 5, 6]);
  });

  test('appends new readings, each once', () => {
    const before = series([1000, 2000], [1, 2]);
    const after = withReadings(before, [
      { time: 2000, value: 2 },
      { time: 3000, value: 3 },
      { time: 4000, value: Number.NaN },
    ]);
    expect(after.times).toEqual([1000, 2000, 3000, 4000]);
    expect(after.values).toEqual([1, 2, 3, null]);
    expect(withReadings(before, [])).toBe(before);
  });

  test('does not append readings that its last interval already covers', () => {
    const before = series([0, 60_000], [1, 2], 60_000);
    const news = [
      { time: 90_000, value: 5 },
      { time: 130_000, value: 6 },
    ];
    expect(withReadings(before, news).times).toEqual([0, 60_000, 130_000]);
  });

  test('is divided at its gaps into stretches, which are cached', () => {
    const minute = 60_000;
    const silent = series(
      [0, 1, 2, 3, 60, 61].map((at) => at * minute),
      [5, 6, null, 8, 9, 9],
    );
    expect(stretchesOf(silent).map((stretch) => stretch.map(({ value }) => value))).toEqual([[5, 6], [8], [9, 9]]);
    expect(stretchesOf(silent)).toBe(stretchesOf(silent));
  });

  test('has a gap where its sensor was silent, but none between readings that are always rare', () => {
    const minute = 60_000;
    const silent = withGaps(series([0, 1, 2, 3, 60, 61].map((at) => at * minute)));
    expect(silent.times).toHaveLength(7);
    expect(silent.values[4]).toBeNull();
    expect(withGaps(series([0, 60, 120, 180].map((at) => at * minute))).times).toHaveLength(4);
    const faster = [0, 10, 20, 30, ...Array.from({ length: 100 }, (_, index) => 30 + (index + 1) / 4)];
    expect(withGaps(series(faster.map((at) => at * minute))).times, 'a shorter interval from then on').toHaveLength(
      faster.length,
    );
  });

  test('shows isolated values as points', () => {
    expect(lonely([1, undefined, null, 2, undefined, null, 3, undefined, 4, null, 5])).toEqual([0, 3, 10]);
    expect(lonely([1, undefined, 2])).toEqual([]);
    expect(lonely([])).toEqual([]);
  });

  test('returns the nearest reading, or for a digital series the one before', () => {
    const line = series([1000, 2000, 3000], [1, 2, 3]);
    expect(readingAt(line, 2400, false)).toEqual({ time: 2000, value: 2 });
    expect(readingAt(line, 2600, false)).toEqual({ time: 3000, value: 3 });
    expect(readingAt(line, 2600, true)).toEqual({ time: 2000, value: 2 });
    expect(readingAt(line, 3000, true)).toEqual({ time: 3000, value: 3 });
    expect(readingAt(line, 500, false), 'just before the first').toEqual({ time: 1000, value: 1 });
    expect(readingAt(line, 500, true)).toBeNull();
    expect(readingAt(line, 60_000, false), 'long after the last one').toBeNull();
    expect(readingAt(series([60_000], [1]), 1, false), 'long before the first one').toBeNull();
    expect(readingAt(series([]), 1, false)).toBeNull();
  });

  test('of an earlier period is shifted onto the current one', () =>
    expect(shifted(series([1, 2]), 10).times).toEqual([11, 12]));
});

test.each([
  [[null, null], 'Raw readings'],
  [[null, 20_000], 'Average of 20\u00a0s'],
  [[300_000], 'Average of 5\u00a0min'],
  [[5_400_000], 'Average of 1.5\u00a0h'],
  [[604_800_000], 'Average of 7\u00a0d'],
])('%j reads %s', (buckets, words) =>
  expect(resolutionWords(buckets.map((bucketMs) => ({ bucketMs, times: [1] })))).toBe(words),
);

test('returns no resolution for an empty series', () =>
  expect(resolutionWords([{ bucketMs: null, times: [] }])).toBe(''));
