/** The values of one data point over a time range, as parallel arrays. */
export interface Series {
  uuid: string;
  /** Milliseconds since 1970, in ascending order. */
  times: number[];
  /** Raw readings, or the mean of each interval; null for a gap. */
  values: (number | null)[];
  lows: (number | null)[];
  highs: (number | null)[];
  /** Length of the aggregation interval; null for raw readings. */
  bucketMs: number | null;
}

interface Answer {
  datapointUuid: string | null;
  times: readonly (number | null)[] | null;
  means: readonly (number | null)[] | null;
  mins: readonly (number | null)[] | null;
  maxs: readonly (number | null)[] | null;
  bucketMs: number | null;
}

/** Parses the server's response. A value that is not a number becomes a gap in the line. */
export function readSeries(answer: Answer): Series {
  return {
    uuid: answer.datapointUuid ?? '',
    times: (answer.times ?? []).map((time) => time ?? 0),
    values: drawable(answer.means),
    lows: drawable(answer.mins),
    highs: drawable(answer.maxs),
    bucketMs: answer.bucketMs,
  };
}

function drawable(values: readonly (number | null)[] | null): (number | null)[] {
  return (values ?? []).map((value) => (value !== null && Number.isFinite(value) ? value : null));
}

export interface Reading {
  time: number;
  value: number;
}

/** Appends live readings that are newer than the series. */
export function withReadings(series: Series, readings: readonly Reading[]): Series {
  const last = series.times.at(-1) ?? Number.NEGATIVE_INFINITY;
  // Live readings inside the last aggregated interval are skipped, because the interval already contains them.
  const covered = last + (series.bucketMs ?? 0);
  const fresh = readings.filter(({ time }) => time > last && (series.bucketMs === null || time >= covered));
  if (fresh.length === 0) return series;
  const values = fresh.map(({ value }) => (Number.isFinite(value) ? value : null));
  return {
    ...series,
    times: [...series.times, ...fresh.map(({ time }) => time)],
    values: [...series.values, ...values],
    lows: [...series.lows, ...values],
    highs: [...series.highs, ...values],
  };
}

/** Shifts a series of an earlier period to the times of the current period, for comparison. */
export function shifted(series: Series, by: number): Series {
  return { ...series, times: series.times.map((time) => time + by) };
}

const GAP = 4;
const SAMPLE = 400;
const MOST_OF_THEM = 0.9;

/**
 * Returns the usual interval between readings in milliseconds: the 90th percentile. A sensor that sends only on change
 * also has long intervals, which are not gaps.
 */
function usualDistance({ times, bucketMs }: Pick<Series, 'times' | 'bucketMs'>): number {
  const stride = Math.max(1, Math.floor(times.length / SAMPLE));
  const distances: number[] = [];
  for (let index = 1; index < times.length; index += stride) distances.push(distanceBefore(times, index));
  distances.sort((one, other) => one - other);
  const usual = distances[Math.floor((distances.length - 1) * MOST_OF_THEM)] ?? 0;
  return Math.max(usual, bucketMs ?? 0, 1000);
}

function distanceBefore(times: readonly number[], index: number): number {
  return index > 0 && index < times.length ? (times[index] as number) - (times[index - 1] as number) : 0;
}

/**
 * Inserts a gap into each interval that is more than `GAP` times as long as the usual interval and as both neighbouring
 * intervals. Comparing with the neighbours avoids false gaps when a sensor changes its interval.
 */
export function withGaps(series: Series): Series {
  const { times } = series;
  const usual = usualDistance(series);
  const result: Series = { ...series, times: [], values: [], lows: [], highs: [] };
  for (const [index, time] of times.entries()) {
    const around = Math.max(usual, distanceBefore(times, index - 1), distanceBefore(times, index + 1));
    if (index > 0 && distanceBefore(times, index) > around * GAP) {
      result.times.push((times[index - 1] as number) + 1);
      for (const list of [result.values, result.lows, result.highs]) list.push(null);
    }
    result.times.push(time);
    result.values.push(series.values[index] ?? null);
    result.lows.push(series.lows[index] ?? null);
    result.highs.push(series.highs[index] ?? null);
  }
  return result;
}

const stretches = new WeakMap<Series, readonly (readonly Reading[])[]>();

/** Returns the runs of values between gaps; each run is drawn as one line. The result is cached for each series. */
export function stretchesOf(series: Series): readonly (readonly Reading[])[] {
  const known = stretches.get(series);
  if (known) return known;
  const found: Reading[][] = [[]];
  const { times, values } = withGaps(series);
  for (const [index, time] of times.entries()) {
    const value = values[index] ?? null;
    if (value === null) found.push([]);
    else found.at(-1)?.push({ time, value });
  }
  const joined = found.filter(({ length }) => length > 0);
  stretches.set(series, joined);
  return joined;
}

/**
 * Returns the indexes of values with a gap on both sides, which are drawn as points. Undefined values are skipped and
 * are not gaps.
 */
export function lonely(values: readonly (number | null | undefined)[]): number[] {
  const found: number[] = [];
  let candidate = -1;
  let joined = false;
  for (const [index, value] of values.entries()) {
    if (value === undefined) continue;
    if (value === null) {
      if (candidate !== -1) found.push(candidate);
      candidate = -1;
      joined = false;
    } else {
      candidate = joined ? -1 : index;
      joined = true;
    }
  }
  if (candidate !== -1) found.push(candidate);
  return found;
}

/**
 * Returns the reading to show at a time. With `holds`, which is meant for digital values, this is the last reading up
 * to that time; otherwise, it is the nearest one. Returns null if that reading is too far away.
 */
export function readingAt(series: Series, time: number, holds: boolean): Reading | null {
  const { times, values } = series;
  let low = 0;
  let high = times.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if ((times[middle] as number) <= time) low = middle + 1;
    else high = middle - 1;
  }
  const far = (index: number) => Math.abs((times[index] ?? Number.POSITIVE_INFINITY) - time);
  const index = !holds && far(high + 1) < far(high) ? high + 1 : high;
  const longest = Math.max(usualDistance(series), distanceBefore(times, index)) * GAP;
  const value = values[index] ?? null;
  return value === null || far(index) > longest ? null : { time: times[index] as number, value };
}

/** Returns the resolution as text: `Raw readings`, or `Average of 5 min`. Empty without readings. */
export function resolutionWords(all: readonly Pick<Series, 'bucketMs' | 'times'>[]): string {
  const stretches = all.filter(({ times }) => times.length > 0).map(({ bucketMs }) => bucketMs);
  if (stretches.length === 0) return '';
  const longest = Math.max(...stretches.map((bucketMs) => bucketMs ?? 0));
  return longest === 0 ? 'Raw readings' : `Average of ${stretchWords(longest)}`;
}

function stretchWords(ms: number): string {
  const seconds = ms / 1000;
  const [value, unit] =
    seconds < 90
      ? [seconds, 's']
      : seconds < 5400
        ? [seconds / 60, 'min']
        : seconds < 129_600
          ? [seconds / 3600, 'h']
          : [seconds / 86_400, 'd'];
  return `${value < 10 ? Math.round(value * 10) / 10 : Math.round(value)}\u00a0${unit}`;
}
