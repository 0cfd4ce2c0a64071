import { isNewer } from '../evaluate-reading.ts';
import { type Limits, placeValue } from '../limits.ts';
import type { Position } from '../step.ts';
import { countLeading } from './search.ts';

/**
 * The readings, except those that have the same band as the previous reading. Bands are the intervals between the
 * thresholds, so all values of a band have the same position relative to the limits. The state machine ignores repeated
 * positions. Replaying the runs therefore gives the same alarms as replaying all readings.
 */
export interface Runs {
  times: Float64Array;
  bands: Uint16Array;
  /** One value from each band. */
  samples: readonly number[];
}

/**
 * Groups readings into runs. `thresholds` must include every limit and clear limit with which the runs will be
 * evaluated. Skips late and duplicate readings, as live evaluation does, and readings after `until`.
 */
export function runsOf(
  times: ArrayLike<number>,
  values: ArrayLike<number>,
  thresholds: Iterable<number>,
  until: number,
): Runs {
  const edges = [...new Set(thresholds)].filter(Number.isFinite).sort((a, b) => a - b);
  const keptTimes = new Float64Array(times.length);
  const keptBands = new Uint16Array(times.length);
  let count = 0;
  let last: number | undefined;
  for (let index = 0; index < times.length; index += 1) {
    const time = times[index] as number;
    if (time > until || !isNewer(last, time)) continue;
    last = time;
    const band = bandOf(edges, values[index] as number);
    if (count > 0 && keptBands[count - 1] === band) continue;
    keptTimes[count] = time;
    keptBands[count] = band;
    count += 1;
  }
  return { times: keptTimes.subarray(0, count), bands: keptBands.subarray(0, count), samples: samplesOf(edges) };
}

/** Returns the number of the value's band: 2i between edges i - 1 and i, 2i + 1 on edge i. NaN has the last band. */
function bandOf(edges: readonly number[], value: number): number {
  if (Number.isNaN(value)) return 2 * edges.length + 1;
  const first = countLeading(edges.length, (index) => (edges[index] as number) < value);
  return edges[first] === value ? 2 * first + 1 : 2 * first;
}

function samplesOf(edges: readonly number[]): number[] {
  const samples: number[] = [];
  edges.forEach((edge, index) => {
    const before = edges[index - 1];
    samples.push(before === undefined ? Number.NEGATIVE_INFINITY : before / 2 + edge / 2, edge);
  });
  samples.push(edges.length === 0 ? 0 : Number.POSITIVE_INFINITY, Number.NaN);
  return samples;
}

/** The readings with their positions, except those that have the same position as the previous reading. */
export interface Positions {
  times: Float64Array;
  /** Positions of the readings, as indexes into `names`. */
  codes: Uint8Array;
  names: readonly Position[];
}

const NAMES: readonly Position[] = ['inside', 'between', 'below', 'above', 'alarm'];

export function positionsOf({ times, bands, samples }: Runs, limits: Limits): Positions {
  const codeOf = Uint8Array.from(samples, (sample) => NAMES.indexOf(placeValue(limits, sample)));
  const keptTimes = new Float64Array(times.length);
  const codes = new Uint8Array(times.length);
  let count = 0;
  for (let index = 0; index < times.length; index += 1) {
    const code = codeOf[bands[index] as number] as number;
    if (count > 0 && codes[count - 1] === code) continue;
    keptTimes[count] = times[index] as number;
    codes[count] = code;
    count += 1;
  }
  return { times: keptTimes.subarray(0, count), codes: codes.subarray(0, count), names: NAMES };
}
