import { METHOD } from '../notification/methods.ts';
import type { Candidate } from '../notification/stages.ts';
import { Suppression } from '../notification/suppression.ts';
import { type ReplayedAlarm, type ReplayRule, replay } from './replay.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** An alarm that opens within this time after the previous resolution counts as chattering. */
export const chatterMinutes = 10;

export interface PastAlarm {
  uuid: string;
  openedAt: number;
  resolvedAt: number | undefined;
  acknowledged: boolean;
}

/** A past time in which the rule notified nobody: maintenance, shelving, or a cause in alarm. */
export interface QuietPeriod {
  from: number;
  /** Infinity if it has not ended. */
  until: number;
  /** True if no alarm could open either. */
  suppressesAlarms: boolean;
}

export interface Simulation {
  rule: ReplayRule;
  /**
   * Times and values of the readings, in chronological order. Readings before `from` only set the initial state of the
   * rule.
   */
  times: ArrayLike<number>;
  values: ArrayLike<number>;
  from: number;
  until: number;
  pastAlarms: readonly PastAlarm[];
  recipients: readonly SimulatedRecipients[];
  quietPeriods: readonly QuietPeriod[];
}

/** The addresses that receive notifications of openings, of resolutions, or of both. */
export interface SimulatedRecipients {
  openings: boolean;
  resolutions: boolean;
  addresses: number;
}

export interface Simulated {
  /** Alarms that would have opened in the range. */
  alarms: ReplayedAlarm[];
  alarmsPerDay: number;
  /** Number of alarms that opened within ten minutes of the previous resolution. */
  chattering: number;
  /**
   * Number of notifications about openings, resolutions and alarms that are still open after a quiet period.
   * Escalations are not counted, because they depend on when people acknowledge.
   */
  messages: number;
  /** Uuids of acknowledged past alarms that no simulated alarm overlaps. */
  missed: string[];
}

/** Simulates a draft rule on past readings. */
export function simulate(draft: Simulation): Simulated {
  const { rule, times, values, from, until, pastAlarms, recipients } = draft;
  const quiet = merge(draft.quietPeriods);
  const without = merge(draft.quietPeriods.filter(({ suppressesAlarms }) => suppressesAlarms));
  const heldUntil = (at: number) => without.find((period) => covers(period, at))?.until ?? at;
  const all = replay(without.length > 0 ? { ...rule, heldUntil } : rule, times, values, until);
  const alarms = all.filter(({ openedAt }) => openedAt >= from);
  return {
    alarms,
    alarmsPerDay: until > from ? alarms.length / ((until - from) / DAY) : 0,
    chattering: all.filter((alarm, index) => alarm.openedAt >= from && chatters(alarm, all[index - 1])).length,
    messages: recipients.reduce(
      (sum, kind) => sum + kind.addresses * notificationsOf(all, kind, quiet, from, until),
      0,
    ),
    missed: pastAlarms
      .filter((past) => past.acknowledged && past.openedAt <= until && (past.resolvedAt ?? until) >= from)
      .filter((past) => !overlaps(all, past.openedAt, past.resolvedAt ?? until))
      .map(({ uuid }) => uuid),
  };
}

/**
 * Counts the notifications to one address in the range, with the same suppression as live notifications. In a quiet
 * period nobody is notified. When it ends, people are notified of an alarm that is still open.
 */
function notificationsOf(
  alarms: readonly ReplayedAlarm[],
  { openings, resolutions }: SimulatedRecipients,
  quiet: readonly Period[],
  from: number,
  until: number,
): number {
  const suppression = new Suppression<Candidate>();
  alarms.forEach(({ openedAt, resolvedAt }, index) => {
    const alarmUuid = String(index);
    const tell = (kind: 'alarm' | 'reminder' | 'resolve', at: number, step = 0) =>
      suppression.submit([{ ...anybody, kind, step, alarmUuid, at }]);
    const endDeferred = (at: number) => suppression.endAlarm(alarmUuid, (deferred) => deferred.until <= at);
    const end = resolvedAt ?? Number.POSITIVE_INFINITY;
    const own = quiet.filter((period) => period.from < end && period.until > openedAt);
    if (openings && !own.some((period) => covers(period, openedAt))) tell('alarm', openedAt);
    own.forEach((period, step) => {
      endDeferred(period.from);
      if (openings && period.until < end && period.until <= until) tell('reminder', period.until, step + 1);
    });
    if (resolvedAt === undefined) return;
    endDeferred(resolvedAt);
    if (resolutions && !own.some((period) => covers(period, resolvedAt))) tell('resolve', resolvedAt);
  });
  suppression.advance(anybody.topic, until);
  return suppression.sent.filter(({ at }) => at >= from && at <= until).length;
}

type Period = Pick<QuietPeriod, 'from' | 'until'>;

const covers = ({ from, until }: Period, at: number) => from <= at && at < until;

/** Returns the periods in order. Periods that overlap or follow at once are one. */
function merge(periods: readonly Period[]): Period[] {
  const merged: Period[] = [];
  for (const { from, until } of periods.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last && from <= last.until) last.until = Math.max(last.until, until);
    else merged.push({ from, until });
  }
  return merged;
}

const anybody = {
  ...{ personUuid: '', name: '', method: METHOD.email, address: '', text: '', topic: 'rule', step: 0 },
};

function chatters({ openedAt }: ReplayedAlarm, before: ReplayedAlarm | undefined): boolean {
  return before?.resolvedAt !== undefined && openedAt - before.resolvedAt <= chatterMinutes * MINUTE;
}

/**
 * Returns whether any of the alarms was open at some time from `from` to `until`. The alarms must be in chronological
 * order.
 */
function overlaps(alarms: readonly ReplayedAlarm[], from: number, until: number): boolean {
  let first = 0;
  let end = alarms.length;
  while (first < end) {
    const middle = (first + end) >> 1;
    const { resolvedAt } = alarms[middle] as ReplayedAlarm;
    if (resolvedAt !== undefined && resolvedAt < from) first = middle + 1;
    else end = middle;
  }
  const candidate = alarms[first];
  return candidate !== undefined && candidate.openedAt <= until;
}
