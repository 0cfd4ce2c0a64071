import { DIGITAL } from '../../../../domain/datapoint.ts';
import { type Series, withGaps } from '../../../kit/chart/series.ts';
import type { Window } from '../../../kit/chart/time-window.ts';
import type { Criteria } from '../criteria.ts';

export interface Sample {
  at: number;
  value: number;
}

/** Parses the readings stored with the alarm and sorts them oldest first. Returns an empty list if there are none. */
export function readSamples(json: unknown): Sample[] {
  if (!Array.isArray(json)) {
    return [];
  }
  return json
    .filter(
      (sample): sample is Sample =>
        typeof sample === 'object' &&
        sample !== null &&
        Number.isFinite((sample as Sample).at) &&
        Number.isFinite((sample as Sample).value),
    )
    .toSorted((a, b) => a.at - b.at);
}

/**
 * Returns the stored readings up to the time the alarm opened. Leaves out the readings after that time, which are also
 * stored.
 */
export function samplesUntilOpening(frozen: readonly Sample[], openedAt: number): readonly Sample[] {
  return frozen.filter(({ at }) => at <= openedAt);
}

/**
 * Returns true if the value is a digital state, which the chart draws as steps. Checks the data point too, because a
 * rule with limits can apply to a digital state.
 */
export function isDigital(criteria: Pick<Criteria, 'kind'> | null, point: { sensorType: number } | null): boolean {
  return criteria?.kind === 'digital' || point?.sensorType === DIGITAL;
}

/**
 * Returns the values of the series that are newer than the stored readings. With `steps`, rounds averaged states to 0
 * or 1.
 */
export function samplesAfter(
  { times, values }: { times: readonly number[]; values: readonly (number | null)[] },
  frozen: readonly Sample[],
  steps: boolean,
): Sample[] {
  const last = frozen.at(-1)?.at ?? Number.NEGATIVE_INFINITY;
  return times.flatMap((at, index) => {
    const value = values[index];
    return at > last && typeof value === 'number' ? { at, value: steps ? Math.round(value) : value } : [];
  });
}

/** Appends the data point's newest value if it is newer than all samples. */
export function withNewest(
  samples: readonly Sample[],
  frozen: readonly Sample[],
  point: { latestValue: number | null; lastUpdated: string | null } | null,
): readonly Sample[] {
  const last = samples.at(-1) ?? frozen.at(-1);
  const at = point?.lastUpdated ? Date.parse(point.lastUpdated) : null;
  const value = point?.latestValue ?? null;
  return last === undefined || at === null || value === null || at <= last.at ? samples : [...samples, { at, value }];
}

/**
 * Splits the series at the opening of the alarm, for alarms without stored readings. If the series has no value before
 * the opening, because the device sends rarely, uses the value at which the alarm opened.
 */
export function splitAtOpening(
  series: { times: readonly number[]; values: readonly (number | null)[] } | undefined,
  opened: { at: number; value: number | undefined },
  newest: { latestValue: number | null; lastUpdated: string | null } | null,
  steps: boolean,
): SplitSamples {
  const all = samplesAfter(series ?? { times: [], values: [] }, [], steps);
  const found = all.filter(({ at }) => at <= opened.at);
  const before = found.length === 0 && opened.value !== undefined ? [{ at: opened.at, value: opened.value }] : found;
  const after = all.filter(({ at }) => at > opened.at);
  return { before, after: withNewest(after, before, newest) };
}

/** Values before and after the opening of an alarm. */
export interface SplitSamples {
  before: readonly Sample[];
  after: readonly Sample[];
}

/**
 * Returns the end of the chart, which is never later than now. The chart of a resolved alarm continues after the
 * resolution for a quarter of the alarm's duration.
 */
export function chartEnd(openedAt: number, resolvedAt: number | null, now: number): number {
  return resolvedAt === null ? now : Math.min(now, Math.round(resolvedAt + (resolvedAt - openedAt) * 0.25));
}

const MIN_LEAD = 6;

/**
 * Shortens the history before the opening to the duration of the alarm, but keeps at least six readings. With a longer
 * history, the alarm would be too narrow to see.
 */
export function trimLead(frozen: readonly Sample[], openedAt: number, end: number): readonly Sample[] {
  const from = openedAt - (end - openedAt);
  return frozen.filter(({ at }, index) => at >= from || index >= frozen.length - MIN_LEAD);
}

/**
 * Returns the samples to draw for each data point of an alarm, and one time window for all charts. The window always
 * includes the opening. The opening can be later than the last reading if the sensor went offline during the debounce.
 */
export function alignSamples(
  all: readonly SplitSamples[],
  openedAt: number,
  end: number,
): { window: Window; samples: Sample[][] } {
  const firsts = all.flatMap(({ before }) => trimLead(before, openedAt, end)[0]?.at ?? []);
  const lasts = all.flatMap(({ before, after }) => (after.at(-1) ?? before.at(-1))?.at ?? []);
  const from = Math.min(openedAt, ...firsts);
  return {
    window: { from, to: Math.max(openedAt, end, ...lasts) },
    samples: all.map(({ before, after }) => [...before.filter(({ at }) => at >= from), ...after]),
  };
}

/**
 * Returns true if the last value still applies at the time `at`. A value applies until the site is considered offline.
 */
export function lastValueApplies(samples: readonly Sample[], at: number, silentAfterHours: number | null): boolean {
  const last = samples.at(-1);
  return last !== undefined && silentAfterHours !== null && at - last.at < silentAfterHours * HOUR;
}

const HOUR = 3_600_000;

export interface Frame {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export interface Plot {
  x: (at: number) => number;
  y: (value: number) => number;
  /** SVG path through the readings. */
  path: string;
  /** SVG path of a horizontal line from the last reading to the right edge. */
  held: string;
}

/**
 * Scales the readings and the limits to a frame. As in a trend, digital states are drawn as steps, and missing data is
 * drawn as a gap.
 */
export function plotSamples(
  samples: readonly Sample[],
  limits: readonly number[],
  { from, to }: Window,
  frame: Frame,
  steps: boolean,
): Plot {
  const values = [...samples.map(({ value }) => value), ...limits];
  const x = scale(from, to, frame.left, frame.right);
  const low = Math.min(...values);
  const high = Math.max(...values);
  const room = (high - low || Math.abs(high) || 1) * 0.12;
  const y = scale(low - room, high + room, frame.bottom, frame.top);
  const line = withGaps(seriesOf(samples));
  const points = line.times.map((at, index) => {
    const value = line.values[index] ?? null;
    return value === null ? null : { px: round(x(at)), py: round(y(value)) };
  });
  const path = points.map((point, index) => {
    if (point === null) return '';
    const { px, py } = point;
    const before = points[index - 1];
    if (!before) {
      // Draw a single reading between two gaps as a dot.
      return points[index + 1] ? `M${px} ${py}` : `M${px} ${py}h0`;
    }
    return steps ? `L${px} ${before.py}L${px} ${py}` : `L${px} ${py}`;
  });
  const last = points.at(-1);
  return { x, y, path: path.join(''), held: last ? `M${last.px} ${last.py}H${round(frame.right)}` : '' };
}

function seriesOf(samples: readonly Sample[]): Series {
  const values = samples.map(({ value }) => value);
  return { uuid: '', times: samples.map(({ at }) => at), values, lows: values, highs: values, bucketMs: null };
}

function scale(from: number, to: number, start: number, end: number): (value: number) => number {
  return (value) => (to === from ? (start + end) / 2 : start + ((value - from) / (to - from)) * (end - start));
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
