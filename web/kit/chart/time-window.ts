/** A stretch of time in milliseconds since 1970. */
export interface Window {
  from: number;
  to: number;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How far back a trend reaches that follows the present. */
export const spans = {
  '1h': { label: '1 h', ms: HOUR },
  '6h': { label: '6 h', ms: 6 * HOUR },
  '24h': { label: '24 h', ms: DAY },
  '7d': { label: '7 d', ms: 7 * DAY },
  '30d': { label: '30 d', ms: 30 * DAY },
} as const;
export type Span = keyof typeof spans;
export const usualSpan: Span = '6h';

/** Either the last so many hours, which go on with the clock, or a stretch of time that stays. */
export type View = { follow: true; span: Span } | { follow: false; window: Window };

const SHORTEST = 10_000;
const LONGEST = 5 * 366 * DAY;
/** How much of what lies ahead may be looked at: enough to put the newest value off the edge. */
const AHEAD = 0.1;

export function windowOf(view: View, now: number): Window {
  return view.follow ? { from: now - spans[view.span].ms, to: now } : view.window;
}

/** Neither shorter than can be measured, nor longer than is kept, nor in the future. */
export function sound({ from, to }: Window, now: number): Window {
  const length = Math.min(LONGEST, Math.max(SHORTEST, to - from));
  const middle = (from + to) / 2;
  const end = Math.min(middle + length / 2, now + length * AHEAD);
  return { from: Math.round(end - length), to: Math.round(end) };
}

/** By a factor below 1 closer, above 1 further away; the moment under `anchor` stays where it is. */
export function zoomed({ from, to }: Window, factor: number, anchor: number, now: number): Window {
  const next = { from: anchor - (anchor - from) * factor, to: anchor + (to - anchor) * factor };
  const length = next.to - next.from;
  if (length < SHORTEST || length > LONGEST) return sound({ from, to }, now);
  return sound(next, now);
}

/** By a share of its length, towards the future where it is above 0. */
export function panned({ from, to }: Window, share: number, now: number): Window {
  const step = (to - from) * share;
  return sound({ from: from + step, to: to + step }, now);
}

/** What is asked for to show a window: some more at both ends, so that a small move shows something at once. */
export function asked({ from, to }: Window, now: number): Window {
  const length = to - from;
  // In steps, so that a hand that trembles does not ask anew.
  const step = Math.max(1000, length / 50);
  const start = Math.floor((from - length * 0.15) / step) * step;
  const end = Math.ceil(Math.min(to + length * 0.15, now + step) / step) * step;
  return { from: Math.round(start), to: Math.round(Math.max(end, start + step)) };
}

/** How long a trend that follows can show what it has before it asks again, in milliseconds. */
export function freshFor(span: Span): number {
  return Math.min(MINUTE, Math.max(5_000, spans[span].ms / 360));
}
