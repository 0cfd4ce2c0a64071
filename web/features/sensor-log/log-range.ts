export const logRanges = ['24h', '1h', '7d'] as const;
export type LogRange = (typeof logRanges)[number];

const HOUR = 3_600_000;
const lengths: Record<LogRange, number> = { '1h': HOUR, '24h': 24 * HOUR, '7d': 7 * 24 * HOUR };

export const rangeWords: Record<LogRange, string> = { '1h': 'last hour', '24h': 'last 24 hours', '7d': 'last 7 days' };

/** The range that ends a moment after `now`: a frame that has just arrived may carry a clock slightly ahead. */
export function rangeBefore(now: Date, range: LogRange): { from: Date; to: Date } {
  return { from: new Date(now.getTime() - lengths[range]), to: new Date(now.getTime() + 5 * 60_000) };
}
