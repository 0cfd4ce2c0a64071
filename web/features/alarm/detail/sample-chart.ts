import { DIGITAL } from '../../../../domain/datapoint.ts';
import { type Series, withGaps } from '../../../kit/chart/series.ts';
import type { Window } from '../../../kit/chart/time-window.ts';
import type { JudgedBy } from '../judged-by.ts';

export interface Sample {
  at: number;
  value: number;
}

/** The readings that were frozen on an alarm, oldest first; none where the record has none. */
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

/** Of the frozen readings those that led to the alarm; some of the time after were known already when it was recorded. */
export function ledTo(frozen: readonly Sample[], openedAt: number): readonly Sample[] {
  return frozen.filter(({ at }) => at <= openedAt);
}

/** Whether the value is a state, which a limit may judge as well: in a trend too it holds until the next reading. */
export function isOnOrOff(judged: Pick<JudgedBy, 'kind'> | null, point: { sensorType: number } | null): boolean {
  return judged?.kind === 'digital' || point?.sensorType === DIGITAL;
}

/** The values that came after the frozen ones, up to an end; a state that was averaged is the one that prevailed. */
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

/** With the newest value that is known of the data point, where it is newer than all that were asked for. */
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
 * The values before an alarm opened and since then, where none were frozen on it. What is known of the moment itself stands
 * for a data point that sends too seldom to have sent any shortly before.
 */
export function samplesAround(
  series: { times: readonly number[]; values: readonly (number | null)[] } | undefined,
  opened: { at: number; value: number | undefined },
  newest: { latestValue: number | null; lastUpdated: string | null } | null,
  steps: boolean,
): Around {
  const all = samplesAfter(series ?? { times: [], values: [] }, [], steps);
  const found = all.filter(({ at }) => at <= opened.at);
  const before = found.length === 0 && opened.value !== undefined ? [{ at: opened.at, value: opened.value }] : found;
  const after = all.filter(({ at }) => at > opened.at);
  return { before, after: withNewest(after, before, newest) };
}

/** The values that led to an alarm, and those since then. */
export interface Around {
  before: readonly Sample[];
  after: readonly Sample[];
}

/** Until when the values around an alarm are of interest: the present, or somewhat more than its end. */
export function endOfInterest(openedAt: number, resolvedAt: number | null, now: number): number {
  return resolvedAt === null ? now : Math.min(now, Math.round(resolvedAt + (resolvedAt - openedAt) * 0.25));
}

const LEAST_LEAD = 6;

/** Of the readings before an alarm the last few, and those of as much time as the alarm itself takes: a week would squeeze it to nothing. */
export function leadOf(frozen: readonly Sample[], openedAt: number, end: number): readonly Sample[] {
  const from = openedAt - (end - openedAt);
  return frozen.filter(({ at }, index) => at >= from || index >= frozen.length - LEAST_LEAD);
}

/**
 * What is drawn of the data points of one alarm, and the stretch of time that all of them share, so that charts can be read one
 * below the other. The moment it opened is always in it: it may lie behind the last reading, where a sensor fell silent while
 * it was out of limits.
 */
export function drawnTogether(
  all: readonly Around[],
  openedAt: number,
  end: number,
): { window: Window; samples: Sample[][] } {
  const firsts = all.flatMap(({ before }) => leadOf(before, openedAt, end)[0]?.at ?? []);
  const lasts = all.flatMap(({ before, after }) => (after.at(-1) ?? before.at(-1))?.at ?? []);
  const from = Math.min(openedAt, ...firsts);
  return {
    window: { from, to: Math.max(openedAt, end, ...lasts) },
    samples: all.map(({ before, after }) => [...before.filter(({ at }) => at >= from), ...after]),
  };
}

/** Whether the last value still held at a moment: it does until the next one, unless none came for as long as makes a site silent. */
export function isHeld(samples: readonly Sample[], at: number, silentAfterHours: number | null): boolean {
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
  /** The line through the readings. */
  path: string;
  /** From the last reading to the end, level with it. */
  held: string;
}

/**
 * Lays readings into a frame. The limits are always in the picture. The line is that of a trend: states hold until the next one,
 * so they are steps, and where nothing came for long there is a hole.
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
      // One between two holes is a dot.
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
