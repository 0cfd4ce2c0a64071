import type { Window } from '../../../kit/chart/time-window.ts';
import { MOST_POINTS, writeAddress } from '../../trend/index.ts';

interface Lasting {
  dateTime: string;
  /** Since when the value was out, before it had been so for long enough. */
  pendingSince: string | null;
  resolvedDate: string | null;
}

const MINUTE = 60_000;
const LEAST = 30 * MINUTE;
const MOST = 24 * 60 * MINUTE;
const SHARE = 0.25;

/** From some time before the value went out until some time after the alarm was over, or until now while it lasts. */
export function windowAround({ dateTime, pendingSince, resolvedDate }: Lasting, now: number): Window {
  const began = Math.min(Date.parse(dateTime), Date.parse(pendingSince ?? dateTime));
  const over = resolvedDate === null ? now : Date.parse(resolvedDate);
  const more = Math.min(MOST, Math.max(LEAST, (over - began) * SHARE));
  return { from: Math.round(began - more), to: Math.round(Math.min(now, over + more)) };
}

/** The address of the trend of what an alarm is about, around its time. */
export function trendAround(alarm: Lasting, datapoints: readonly string[], now: number) {
  const view = { follow: false as const, window: windowAround(alarm, now) };
  return writeAddress({ points: datapoints.slice(0, MOST_POINTS), view, compare: '', axes: 'shared' });
}
