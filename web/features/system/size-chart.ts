import { growthOf, type Size } from '../../../domain/process/growth.ts';

const WIDTH = 364;
const HEIGHT = 172;
const LEFT = 40;
const RIGHT = 356;
const TOP = 28;
const BOTTOM = 148;

/**
 * Maximum length of the forecast as a multiple of the history's length. With a longer forecast, the history would be
 * too short to read.
 */
const MOST_FUTURE = 4;

export interface SizeChart {
  width: number;
  height: number;
  /** SVG path of the measured sizes. `forecast` is the path of the expected sizes. */
  history: string;
  forecast: string | undefined;
  now: { x: number; y: number };
  /** Size of the database at which the disk is full. */
  limit: { bytes: number; y: number } | undefined;
  /** Point at which the forecast reaches the limit; undefined if this point is outside the chart. */
  full: { x: number; y: number; at: number } | undefined;
  ticks: { bytes: number; y: number }[];
  days: { at: number; x: number; anchor: 'start' | 'middle' | 'end' }[];
}

/** Returns the chart of the database size; undefined if the measurements cover less than a day. */
export function sizeChart(sizes: readonly Size[]): SizeChart | undefined {
  const growth = growthOf(sizes);
  const [first, last] = [sizes[0], sizes.at(-1)];
  if (!growth.known || !first || !last) return undefined;
  const capacity = last.freeBytes === null ? undefined : last.bytes + last.freeBytes;
  const history = last.at - first.at;
  const fullAt = 'at' in growth.full ? growth.full.at : undefined;
  const isNear = fullAt !== undefined && fullAt - last.at <= MOST_FUTURE * history;
  const end = isNear ? Math.max(fullAt, last.at + history / 4) : last.at + history;
  const grown = (at: number) => last.bytes + (growth.bytesPerDay * (at - last.at)) / 86_400_000;
  const shown = [...sizes.map(({ bytes }) => bytes), growth.bytesPerDay > 0 && !isNear ? grown(end) : 0];
  // Exclude a limit far above the current size, because showing it would flatten the line of the sizes.
  const limit = capacity !== undefined && (isNear || capacity < 3 * last.bytes) ? capacity : undefined;
  const steps = ticksUpTo(Math.max(...shown, limit ?? 0));
  const top = Math.max(steps.at(-1) ?? 1, limit ?? 0);
  const x = (at: number) => LEFT + ((at - first.at) / (end - first.at)) * (RIGHT - LEFT);
  const y = (bytes: number) => BOTTOM - (bytes / top) * (BOTTOM - TOP);
  const point = (at: number, bytes: number) => `${x(at).toFixed(1)} ${y(bytes).toFixed(1)}`;
  const forecastEnd = isNear ? fullAt : end;
  return {
    width: WIDTH,
    height: HEIGHT,
    history: `M${sizes.map(({ at, bytes }) => point(at, bytes)).join('L')}`,
    forecast:
      growth.bytesPerDay > 0 && forecastEnd > last.at
        ? `M${point(last.at, last.bytes)}L${point(forecastEnd, grown(forecastEnd))}`
        : undefined,
    now: { x: x(last.at), y: y(last.bytes) },
    limit: limit === undefined ? undefined : { bytes: limit, y: y(limit) },
    full: isNear && capacity !== undefined ? { x: x(fullAt), y: y(capacity), at: fullAt } : undefined,
    ticks: steps.map((bytes) => ({ bytes, y: y(bytes) })),
    days: [
      { at: first.at, x: LEFT, anchor: 'start' },
      ...(x(last.at) - LEFT > 60 && RIGHT - x(last.at) > 60
        ? [{ at: last.at, x: x(last.at), anchor: 'middle' as const }]
        : []),
      { at: end, x: RIGHT, anchor: 'end' },
    ],
  };
}

/**
 * Returns at most six round values for the axis, starting at 0. The last one is `most` or the next round value above
 * it.
 */
export function ticksUpTo(most: number): number[] {
  const rough = Math.max(most, 1) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
  return Array.from({ length: Math.ceil(most / step - 1e-9) + 1 }, (_, index) => index * step);
}
