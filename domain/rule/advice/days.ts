import { countLeading } from './search.ts';

/** The stored readings of one day. The values are null on a day without readings. */
export interface ReadingDay {
  readings: number;
  lowest: number | null;
  highest: number | null;
  mean: number | null;
}

/** Summarises the readings of each day. `starts` contains the start of each day and the end of the last day. */
export function readingDays(
  starts: readonly number[],
  times: ArrayLike<number>,
  values: ArrayLike<number>,
): ReadingDay[] {
  let index = countLeading(times.length, (place) => (times[place] as number) < (starts[0] as number));
  return starts.slice(1).map((end) => {
    let readings = 0;
    let sum = 0;
    let lowest = Number.POSITIVE_INFINITY;
    let highest = Number.NEGATIVE_INFINITY;
    for (; index < times.length && (times[index] as number) < end; index += 1) {
      const value = values[index] as number;
      readings += 1;
      sum += value;
      if (value < lowest) lowest = value;
      if (value > highest) highest = value;
    }
    if (!Number.isFinite(sum) || readings === 0) return { readings, lowest: null, highest: null, mean: null };
    return { readings, lowest, highest, mean: sum / readings };
  });
}

/** Returns how many of the times fall on each day. `times` must be in ascending order. */
export function countPerDay(starts: readonly number[], times: readonly number[]): number[] {
  const before = (end: number) => countLeading(times.length, (index) => (times[index] as number) < end);
  return starts.slice(1).map((end, day) => before(end) - before(starts[day] as number));
}
