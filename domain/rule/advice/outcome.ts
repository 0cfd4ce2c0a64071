import type { ReplayedAlarm } from '../replay.ts';
import { inOrder, type PastAlarm } from './past-alarm.ts';
import { countLeading } from './search.ts';

/** Milliseconds by which recorded and replayed times can differ because of rounding. */
const TOLERANCE = 1000;
/** Maximum gap between real alarms of one episode. After the first of them, people know about the episode. */
const EPISODE_GAP = 10 * 60_000;

export interface Expected {
  uuid: string;
  from: number;
  until: number;
  /** Opening time of the first real alarm of the episode. For other alarms, equal to `from`. */
  episodeFrom: number;
}

/** Recorded alarms in chronological order, prepared for comparison with many replays. */
export interface Expectation {
  nuisance: readonly Expected[];
  real: readonly Expected[];
}

export interface Outcome {
  /** Number of recorded nuisance alarms during which no replayed alarm opens. */
  nuisanceAvoided: number;
  realKept: number;
  /** Uuids of the recorded real alarms that the replay misses, in chronological order. */
  missed: string[];
  /** Longest delay of a real alarm that the replay keeps: how much later it opens in the replay than in the record. */
  delayMs: number;
}

/** Prepares recorded alarms for comparison. Alarms that are still open end at `until`. */
export function expectationOf(alarms: readonly PastAlarm[], until: number): Expectation {
  const expected = (alarm: PastAlarm): Expected => ({
    uuid: alarm.uuid,
    from: alarm.openedAt,
    until: alarm.resolvedAt ?? Math.max(until, alarm.openedAt),
    episodeFrom: alarm.openedAt,
  });
  const ordered = inOrder(alarms);
  const real: Expected[] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const alarm of ordered.filter((each) => each.class === 'real')) {
    const next = expected(alarm);
    const last = real.at(-1);
    if (last && next.from - end <= EPISODE_GAP) next.episodeFrom = last.episodeFrom;
    end = Math.max(end, next.until);
    real.push(next);
  }
  return { nuisance: ordered.filter((each) => each.class === 'nuisance').map(expected), real };
}

/**
 * Compares a replay with the recorded alarms. A real alarm is kept if a replayed alarm is open at the same time and
 * opened in the same episode. A replayed alarm that has been open since an earlier event does not count, because nobody
 * would be notified again.
 */
export function compareOutcome({ nuisance, real }: Expectation, replayed: readonly ReplayedAlarm[]): Outcome {
  let nuisanceAvoided = 0;
  for (const { from, until } of nuisance) {
    const opened = lastOpened(replayed, until);
    if (opened === undefined || opened.openedAt < from - TOLERANCE) nuisanceAvoided += 1;
  }
  const missed: string[] = [];
  let delayMs = 0;
  for (const { uuid, from, until, episodeFrom } of real) {
    const open = lastOpened(replayed, until);
    const isKept =
      open !== undefined &&
      open.openedAt >= episodeFrom - TOLERANCE &&
      (open.resolvedAt === undefined || open.resolvedAt >= from - TOLERANCE);
    if (!isKept) missed.push(uuid);
    else delayMs = Math.max(delayMs, firstOpened(replayed, from - TOLERANCE, open).openedAt - from);
  }
  return { nuisanceAvoided, realKept: real.length - missed.length, missed, delayMs };
}

/** Returns the last alarm that opened at or before the time. */
function lastOpened(alarms: readonly ReplayedAlarm[], time: number): ReplayedAlarm | undefined {
  return alarms[countLeading(alarms.length, (index) => (alarms[index] as ReplayedAlarm).openedAt <= time) - 1];
}

/** Returns the first alarm that opened at or after the time; `last` if none of them opened before `last`. */
function firstOpened(alarms: readonly ReplayedAlarm[], time: number, last: ReplayedAlarm): ReplayedAlarm {
  const first = alarms[countLeading(alarms.length, (index) => (alarms[index] as ReplayedAlarm).openedAt < time)];
  return first && first.openedAt < last.openedAt ? first : last;
}
