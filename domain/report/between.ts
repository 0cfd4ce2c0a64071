import type { ReportRange } from './range.ts';

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}:\d{2})$/;

/** Parses an ISO 8601 interval of two times, such as `2026-03-02T05:40:00Z/2026-03-02T06:30:00Z`. */
export function readBetween(text: string | undefined): { from: Date; to: Date } | undefined {
  const [first = '', last = '', ...rest] = (text ?? '').split('/');
  if (rest.length > 0 || !TIME.test(first) || !TIME.test(last)) return undefined;
  const [from, to] = [new Date(first), new Date(last)];
  return from < to ? { from, to } : undefined;
}

/** Formats an interval for a URL. */
export function writeBetween(from: Date, to: Date): string {
  return `${from.toISOString()}/${to.toISOString()}`;
}

/**
 * Limits a range to the interval. Its first and last day stay unchanged, because they label the range. Returns the
 * whole range if the two do not overlap.
 */
export function narrowRange(range: ReportRange, between: { from: Date; to: Date } | undefined): ReportRange {
  if (!between) return range;
  const from = between.from > range.from ? between.from : range.from;
  const to = between.to < range.to ? between.to : range.to;
  return from < to ? { ...range, from, to } : range;
}
