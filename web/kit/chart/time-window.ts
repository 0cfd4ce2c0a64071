/** A time range in milliseconds since 1970. */
export interface Window {
  from: number;
  to: number;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The selectable lengths of a live trend. */
export const spans = {
  '1h': { label: '1 h', ms: HOUR },
  '6h': { label: '6 h', ms: 6 * HOUR },
  '24h': { label: '24 h', ms: DAY },
  '7d': { label: '7 d', ms: 7 * DAY },
  '30d': { label: '30 d', ms: 30 * DAY },
} as const;
export type Span = keyof typeof spans;
export const usualSpan: Span = '6h';

/** Either a live window that ends now and moves with the clock, or a fixed time range. */
export type View = { follow: true; span: Span } | { follow: false; window: Window };

const SHORTEST = 10_000;
const LONGEST = 5 * 366 * DAY;
/** Maximum share of the window that is in the future, so that the newest value is not at the edge. */
const AHEAD = 0.1;

export function windowOf(view: View, now: number): Window {
  return view.follow ? { from: now - spans[view.span].ms, to: now } : view.window;
}

/** Limits the length of a window, and how far it extends into the future. */
export function sound({ from, to }: Window, now: number): Window {
  const length = Math.min(LONGEST, Math.max(SHORTEST, to - from));
  const middle = (from + to) / 2;
  const end = Math.min(middle + length / 2, now + length * AHEAD);
  return { from: Math.round(end - length), to: Math.round(end) };
}

/** Zooms in for a factor below 1 and out for a factor above 1. The time `anchor` keeps its position on the screen. */
export function zoomed({ from, to }: Window, factor: number, anchor: number, now: number): Window {
  const next = { from: anchor - (anchor - from) * factor, to: anchor + (to - anchor) * factor };
  const length = next.to - next.from;
  if (length < SHORTEST || length > LONGEST) return sound({ from, to }, now);
  return sound(next, now);
}

/** Moves the window by a share of its length. A positive share moves it towards the future. */
export function panned({ from, to }: Window, share: number, now: number): Window {
  const step = (to - from) * share;
  return sound({ from: from + step, to: to + step }, now);
}

/** Returns the range to fetch for a window. It has a margin at both ends, so that a small pan needs no new query. */
export function asked({ from, to }: Window, now: number): Window {
  const length = to - from;
  // Rounds the range to steps, so that a tiny move does not start a new query.
  const step = Math.max(1000, length / 50);
  const start = Math.floor((from - length * 0.15) / step) * step;
  const end = Math.ceil(Math.min(to + length * 0.15, now + step) / step) * step;
  return { from: Math.round(start), to: Math.round(Math.max(end, start + step)) };
}

/** Returns the interval in milliseconds at which a live trend refetches its data. */
export function freshFor(span: Span): number {
  return Math.min(MINUTE, Math.max(5_000, spans[span].ms / 360));
}
