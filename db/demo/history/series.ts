import type { Point } from '../plant/plant.ts';
import { shapes } from '../plant/shapes.ts';
import type { Episode, SiteHistory, Span } from './history.ts';
import { episodesOf, LEAD } from './history.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const RECENT = 48 * HOUR;

/** Interval between stored values: a number of minutes for the last two days, and a number of hours before that. */
export interface Pace {
  recentMinutes: number;
  pastHours: number;
}

/** Returns the sampling times, which all devices share. */
export function grid(span: Span, pace: Pace): number[] {
  const times: number[] = [];
  const recent = span.now - RECENT;
  const past = pace.pastHours * HOUR;
  const step = pace.recentMinutes * MINUTE;
  for (let time = Math.ceil(span.start / past) * past; time < recent; time += past) times.push(time);
  for (let time = Math.ceil(recent / step) * step; time <= span.now; time += step) times.push(time);
  return times;
}

/** Returns the value of a measurement at a time: the usual curve, modified by episodes. */
export function valueAt(point: Point, episodes: readonly Episode[], time: number, lastFrame: number): number {
  let value = point.low + (point.high - point.low) * shapes[point.kind.shape](time, point.noise);
  for (const episode of episodes) {
    if (episode.point !== point) {
      if (isOut(episode, time)) value = 0;
    } else if (time >= episode.from - LEAD && (episode.to === undefined || time <= episode.to + LEAD)) {
      value = bend(value, episode, time, lastFrame, 10 ** -point.kind.decimals);
    }
  }
  return round(value, point.kind.decimals);
}

function isOut({ from, to }: Episode, time: number): boolean {
  return time >= from && (to === undefined || time < to);
}

function bend(usual: number, episode: Episode, time: number, lastFrame: number, smallest: number): number {
  const { side, limit } = episode.alarm.kind;
  const { from, to } = episode;
  const out = isOut(episode, time);
  if (side === 'state') return out ? limit : usual;
  if (!out) {
    const share = time < from ? (time - (from - LEAD)) / LEAD : 1 - (time - to!) / LEAD;
    return usual + (limit - usual) * share * share * (3 - 2 * share);
  }
  const through =
    to === undefined ? (time - from) / (lastFrame - from) : Math.sin((Math.PI * (time - from)) / (to - from));
  // After rounding, the value must still be outside the limit.
  const beyond = Math.max(smallest, episode.far * Math.min(1, through));
  return side === 'above' ? limit + beyond : limit - beyond;
}

function round(value: number, decimals: number): number {
  const factor = 10 ** decimals;
  // Adding 0 changes -0 to 0.
  return Math.round(value * factor) / factor + 0;
}

/** Returns the values at the sampling times; undefined for times at which no frame was sent. */
export function valuesOnGrid(point: Point, history: SiteHistory, times: readonly number[]): (number | undefined)[] {
  const episodes = episodesOf(point, history);
  let next = 0;
  return times.map((time) => {
    while (next < history.gaps.length && (history.gaps[next]!.to ?? Number.POSITIVE_INFINITY) < time) next++;
    const gap = history.gaps[next];
    if (time >= history.lastFrame || (gap && time > gap.from)) return undefined;
    return valueAt(point, episodes, time, history.lastFrame);
  });
}

/**
 * Returns the values at irregular times: when each episode starts and ends, one debounce time after each start and end,
 * and at the last frame.
 */
export function valuesBetween(point: Point, history: SiteHistory): { time: number; value: number }[] {
  const episodes = episodesOf(point, history);
  const times = new Set<number>([history.lastFrame]);
  for (const { from, to, alarm } of episodes) {
    times.add(from).add(from + alarm.kind.debounce * 1000);
    if (to !== undefined) times.add(to).add(to + alarm.kind.debounce * 1000);
  }
  return [...times]
    .filter((time) => time <= history.lastFrame)
    .map((time) => ({ time, value: valueAt(point, episodes, time, history.lastFrame) }));
}
