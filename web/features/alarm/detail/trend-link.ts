import type { Window } from '../../../kit/chart/time-window.ts';
import { MOST_POINTS, writeAddress } from '../../trend/index.ts';

interface AlarmSpan {
  dateTime: string;
  /** Time at which the value left its limits and the debounce started. */
  pendingSince: string | null;
  resolvedDate: string | null;
}

const MINUTE = 60_000;
const MIN_MARGIN = 30 * MINUTE;
const MAX_MARGIN = 24 * 60 * MINUTE;
const MARGIN_SHARE = 0.25;

/** Returns the time window of the alarm with a margin on both sides. The window never ends in the future. */
export function windowAround({ dateTime, pendingSince, resolvedDate }: AlarmSpan, now: number): Window {
  const began = Math.min(Date.parse(dateTime), Date.parse(pendingSince ?? dateTime));
  const end = resolvedDate === null ? now : Date.parse(resolvedDate);
  const margin = Math.min(MAX_MARGIN, Math.max(MIN_MARGIN, (end - began) * MARGIN_SHARE));
  return { from: Math.round(began - margin), to: Math.round(Math.min(now, end + margin)) };
}

/** Returns the link to a trend of these data points around the time of the alarm. */
export function trendAround(alarm: AlarmSpan, datapoints: readonly string[], now: number) {
  const view = { follow: false as const, window: windowAround(alarm, now) };
  return writeAddress({ points: datapoints.slice(0, MOST_POINTS), view, compare: '', axes: 'shared' });
}
