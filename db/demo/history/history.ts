import type { Alarm, Asset, Point, Site } from '../plant/plant.ts';
import { alarmsOf } from '../plant/plant.ts';
import type { OpenAlarm } from '../plant/scripts.ts';
import { longSilence, missingShare, siteScripts } from '../plant/scripts.ts';
import type { Random } from '../random.ts';
import { randomOf } from '../random.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;

/** How long a measurement drifts toward its limit before an episode, and back to normal after it. */
export const LEAD = 30 * MINUTE;

export interface Span {
  start: number;
  now: number;
  /** Multiplies the frequency of events; 1 for an ordinary plant. */
  rate: number;
}

/** A period without frames that is longer than the health duration. `to` is undefined while the gap lasts. */
export interface Gap {
  from: number;
  to: number | undefined;
  script?: Omit<OpenAlarm, 'message' | 'value'>;
}

/** A period in which a measurement is outside its limit: from the first reading outside to the next reading inside. */
export interface Episode {
  asset: Asset;
  point: Point;
  alarm: Alarm;
  from: number;
  to: number | undefined;
  /** Largest distance of the value from its limit during the episode. For an open episode, the current distance. */
  far: number;
  script?: OpenAlarm;
}

export interface SiteHistory {
  gaps: readonly Gap[];
  episodes: readonly Episode[];
  lastFrame: number;
  /** Status of the site: 1 normal, 2 alarm, 3 silent. */
  status: 1 | 2 | 3;
}

/**
 * Returns whether a measurement is 0 during an episode, because the measurement in its `haltedBy` is outside its limit.
 */
export function isHaltedBy(point: Point, episode: Episode): boolean {
  return episode.point.kind.name === point.kind.haltedBy && episode.asset.points.includes(point);
}

/** Returns the episodes that change the curve of a measurement: its own episodes, and the episodes that set it to 0. */
export function episodesOf(point: Point, { episodes }: Pick<SiteHistory, 'episodes'>): Episode[] {
  return episodes.filter((episode) => episode.point === point || isHaltedBy(point, episode));
}

/**
 * Returns the start of the history: the Monday that lies `weeks` full weeks before the current week, minus one day as a
 * margin for time zones.
 */
export function historyStart(now: number, weeks: number): number {
  // Weeks start on Monday. The first Monday after the epoch was 5 January 1970.
  const monday = Math.floor((now - 4 * DAY) / WEEK) * WEEK + 4 * DAY;
  return monday - weeks * WEEK - DAY;
}

/** Relative frequency of events in each hour of the day. */
const hourWeights = [2, 1, 1, 1, 1.5, 2.5, 5, 5.5, 4, 3.5, 3, 3, 3, 3, 3, 3, 3.5, 4, 3.5, 3, 2.5, 2.5, 2, 2];
const heaviest = Math.max(...hourWeights);

function busyMoment(random: Random, from: number, to: number): number {
  for (;;) {
    const time = random.between(from, to);
    const hour = Math.floor((time % DAY) / HOUR);
    if (random.chance(hourWeights[hour]! / heaviest)) return offGrid(random, time);
  }
}

/** Moves a time away from the full minute. Devices send on full minutes, but events happen at any second. */
function offGrid(random: Random, time: number): number {
  return Math.floor(time / MINUTE) * MINUTE + random.pick([3, 7, 11, 13, 17, 23, 27, 33, 37, 43, 47, 53, 57]) * SECOND;
}

export function planHistory(seed: string, site: Site, span: Span): SiteHistory {
  const random = randomOf(seed, 'history', site.customer.id, site.siteId);
  const script = siteScripts[site.name];
  const lastFrame = script?.silent
    ? offGrid(random, span.now - script.silent.minutes * MINUTE) - site.healthHours * HOUR
    : span.now - Math.floor(random.between(2, site.healthHours > 2 ? 700 : 55)) * SECOND;
  const gaps = planGaps(random, site, span, lastFrame);
  if (script?.silent) gaps.push({ from: lastFrame, to: undefined, script: script.silent });
  const episodes = planEpisodes(random, site, span, gaps);
  const open = episodes.some((episode) => episode.to === undefined);
  return { gaps, episodes, lastFrame, status: script?.silent ? 3 : open ? 2 : 1 };
}

function planGaps(random: Random, site: Site, span: Span, lastFrame: number): Gap[] {
  const candidates: Gap[] = [];
  const currentWeek = historyStart(span.now, 0) + DAY;
  for (let week = currentWeek - Math.ceil((currentWeek - span.start) / WEEK) * WEEK; week < span.now; week += WEEK) {
    const share = missingShare(site.office[3], Math.max(0, Math.round((currentWeek - week) / WEEK)));
    const median = site.healthHours * HOUR * (share > 0.02 ? 6 : 2);
    const end = Math.min(week + WEEK, span.now);
    for (let count = random.poisson((share * (end - week)) / (median * 1.28)); count > 0; count--) {
      const from = offGrid(random, random.between(week, end));
      const length = Math.min(Math.max(random.wait(median), site.healthHours * 1.15 * HOUR), 2.5 * DAY);
      candidates.push({ from, to: offGrid(random, from + length) });
    }
  }
  if (site.name === longSilence.site) {
    const to = offGrid(random, span.now - longSilence.endedDaysAgo * DAY);
    candidates.push({ from: to - longSilence.hours * HOUR, to });
  }
  candidates.sort((a, b) => length(b) - length(a));
  const kept: Gap[] = [];
  for (const gap of candidates) {
    const inside = gap.from > span.start + HOUR && gap.to! < lastFrame - 2 * HOUR;
    if (inside && kept.every((other) => gap.to! + HOUR < other.from || gap.from > other.to! + HOUR)) kept.push(gap);
  }
  return kept.sort((a, b) => a.from - b.from);
}

function length(gap: Gap): number {
  return gap.to! - gap.from;
}

function planEpisodes(random: Random, site: Site, span: Span, gaps: readonly Gap[]): Episode[] {
  // Most sites have few events, and a few have many.
  const trouble = random.between(0.4, 1.3) * (random.chance(0.12) ? 3 : 1) * span.rate;
  const all: Episode[] = [];
  for (const { asset, point, alarm } of alarmsOf(site)) {
    const script = siteScripts[site.name]?.open?.find((open) => open.message === alarm.name);
    if (!script) continue;
    const from = offGrid(random, span.now - script.minutes * MINUTE - alarm.kind.debounce * SECOND);
    const far = alarm.kind.side === 'state' ? 0 : Math.abs((script.value ?? alarm.kind.limit) - alarm.kind.limit);
    all.push({ asset, point, alarm, from, to: undefined, far, script });
  }
  const weeks = (span.now - span.start) / WEEK;
  for (const { asset, point, alarm } of alarmsOf(site)) {
    for (let count = random.poisson(alarm.kind.perWeek * weeks * trouble); count > 0; count--) {
      const from = busyMoment(random, span.start + HOUR, span.now);
      const longEnough = alarm.kind.debounce * 1.5 * SECOND + 4 * MINUTE;
      const lasting = Math.max(longEnough, Math.min(random.wait(alarm.kind.minutes), alarm.kind.minutes * 6) * MINUTE);
      const to = offGrid(random, from + lasting);
      const far = alarm.kind.far * random.between(0.3, 1);
      const settled = to + alarm.kind.debounce * SECOND + LEAD < span.now - 20 * MINUTE;
      const free = all.every((other) => other.point !== point || apart(from, to, other.from, other.to));
      const heard = gaps.every((gap) => apart(from, to + alarm.kind.debounce * SECOND, gap.from, gap.to));
      if (settled && free && heard) all.push({ asset, point, alarm, from, to, far });
    }
  }
  return all.sort((a, b) => a.from - b.from);
}

function apart(from: number, to: number, otherFrom: number, otherTo: number | undefined): boolean {
  return to + 3 * LEAD < otherFrom || (otherTo !== undefined && from > otherTo + 3 * LEAD);
}
