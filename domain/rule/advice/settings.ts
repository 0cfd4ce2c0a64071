import { LONGEST_DEBOUNCE, limitRefusals, type RuleLimits } from '../limit-refusals.ts';

/** How far and for how long values were outside the limits during the nuisance alarms of the present settings. */
export interface NuisanceShape {
  /** The value farthest below the lower limit, or above the upper limit, in each alarm. */
  below: readonly number[];
  above: readonly number[];
  /** How long the value stayed outside the limits each time, in seconds. */
  seconds: readonly number[];
  /** Median of the readings, as a typical value of the data point. */
  median: number;
}

/** Debounces to try, in seconds: round values such as people choose. */
const DEBOUNCES = [
  ...[2, 5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300, 600, 900],
  ...[1200, 1800, 2700, 3600, 5400, 7200, 10_800, 14_400, 21_600, 28_800],
];
const MOST_DEBOUNCES = 8;
/** A debounce of up to this many seconds (five minutes) counts as short, whatever the present debounce is. */
const SHORT_DEBOUNCE = 300;
const DEBOUNCE_FACTOR = 4;
const MOST_ADDED_DEBOUNCE = 3600;
/** Distances by which to move a limit and a clear limit, as shares of the distance between the limit and the median. */
const LIMIT_STEPS = [0.05, 0.1];
const CLEAR_STEPS = [0.05, 0.1, 0.2];
const PEAKS = [0.5, 0.75, 0.9, 1];

/**
/**
 * Returns the longest debounce that is proposed, in seconds: four times the present one, but at least five minutes and at
 * most one hour more.
 */
export function longestDebounce(present: number): number {
  const longest = Math.max(SHORT_DEBOUNCE, DEBOUNCE_FACTOR * present);
  return Math.max(present, Math.min(longest, present + MOST_ADDED_DEBOUNCE, LONGEST_DEBOUNCE));
}

/**
 * Returns the settings to try, the present ones first. Limits only move outwards, clear limits only inwards, and the
 * debounce only gets longer. Returns only settings that can be saved.
 */
export function settingsToTry(present: RuleLimits, shape: NuisanceShape): RuleLimits[] {
  const debounces = debouncesToTry(present.debounce, shape.seconds);
  const limits = sidesToTry(present, shape);
  const tried = new Map<string, RuleLimits>();
  for (const side of limits) {
    for (const debounce of debounces) {
      const settings = { ...side, debounce };
      if (limitRefusals(settings).length === 0) tried.set(settingsKey(settings), settings);
    }
  }
  tried.delete(settingsKey(present));
  return [present, ...tried.values()];
}

export function settingsKey({ lower, upper, clearLower, clearUpper, debounce }: RuleLimits): string {
  return [lower, upper, clearLower ?? lower, clearUpper ?? upper, debounce].join(' ');
}

function debouncesToTry(present: number, seconds: readonly number[]): number[] {
  const longest = Math.max(0, ...seconds);
  const enough = DEBOUNCES.find((debounce) => debounce > longest) ?? Number.POSITIVE_INFINITY;
  const most = Math.min(enough, longestDebounce(present));
  const longer = DEBOUNCES.filter((debounce) => debounce > present && debounce <= most);
  // Keeps the longest debounce, which avoids the most alarms, and thins out the shorter ones evenly.
  const every = Math.ceil(longer.length / MOST_DEBOUNCES);
  return [present, ...longer.filter((_, index) => (longer.length - 1 - index) % every === 0)];
}

/** A limit and its clear limit. The clear limit is null if the rule has none. */
interface Side {
  limit: number | null;
  clear: number | null;
}

function sidesToTry(present: RuleLimits, { below, above, median }: NuisanceShape): RuleLimits[] {
  const upper = { limit: present.upper, clear: present.clearUpper };
  const lower = { limit: present.lower, clear: present.clearLower };
  const uppers = above.length > 0 ? sideToTry(upper, above, median, 1) : [upper];
  const lowers = below.length > 0 ? sideToTry(lower, below, median, -1) : [lower];
  const pairs: [Side, Side][] = [
    ...uppers.map((side): [Side, Side] => [lower, side]),
    ...lowers.map((side): [Side, Side] => [side, upper]),
    ...lowers.flatMap((side, index): [Side, Side][] => (uppers[index] ? [[side, uppers[index]]] : [])),
  ];
  return pairs.map(([low, high]) => ({
    ...{ lower: low.limit, upper: high.limit, clearLower: low.clear, clearUpper: high.clear },
    debounce: present.debounce,
  }));
}

/**
 * Returns the limits and clear limits to try on one side. `outwards` is 1 for the upper limit and -1 for the lower
 * limit.
 */
function sideToTry({ limit, clear }: Side, peaks: readonly number[], median: number, outwards: 1 | -1): Side[] {
  if (limit === null) return [{ limit, clear }];
  const distance = Math.abs(limit - median) || Math.abs(limit) * 0.1 || 1;
  const step = 10 ** (Math.floor(Math.log10(distance)) - 1);
  const far = peaks.map((peak) => (peak - limit) * outwards).sort((a, b) => a - b);
  const shifts = [
    ...LIMIT_STEPS.map((share) => share * distance),
    ...PEAKS.map((share) => far[Math.ceil(share * far.length) - 1] ?? 0),
  ];
  const limits = [limit, ...shifts.map((shift) => rounded(limit + outwards * shift, step, outwards))];
  return [...new Set(limits)].flatMap((tried) => {
    const clears = CLEAR_STEPS.map((share) =>
      rounded(tried - outwards * share * distance, step, outwards === 1 ? -1 : 1),
    );
    const isInward = (value: number) => clear === null || (clear - value) * outwards > 0;
    return [
      { limit: tried, clear },
      ...(tried !== limit && clear === null ? [{ limit: tried, clear: limit }] : []),
      ...clears.filter(isInward).map((value) => ({ limit: tried, clear: value })),
    ];
  });
}

/** Rounds up or down to a multiple of the step. The result has no more decimals than the step. */
function rounded(value: number, step: number, direction: 1 | -1): number {
  const digits = Math.max(0, Math.min(12, -Math.floor(Math.log10(step))));
  const steps = Number((value / step).toPrecision(12));
  return Number(((direction === 1 ? Math.ceil(steps) : Math.floor(steps)) * step).toFixed(digits));
}
