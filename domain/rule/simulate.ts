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
   * Number of notifications about openings and resolutions. Escalations are not counted, because they depend on when
   * people acknowledge.
   */
  messages: number;
  /** Uuids of acknowledged past alarms that no simulated alarm overlaps. */
  missed: string[];
}

/** Simulates a draft rule on past readings. */
export function simulate(draft: Simulation): Simulated {
  const { rule, times, values, from, until, pastAlarms, recipients } = draft;
  const all = replay(rule, times, values, until);
  const alarms = all.filter(({ openedAt }) => openedAt >= from);
  return {
    alarms,
    alarmsPerDay: until > from ? alarms.length / ((until - from) / DAY) : 0,
    chattering: all.filter((alarm, index) => alarm.openedAt >= from && chatters(alarm, all[index - 1])).length,
    messages: recipients.reduce((sum, kind) => sum + kind.addresses * notificationsOf(all, kind, from, until), 0),
    missed: pastAlarms
      .filter((past) => past.acknowledged && past.openedAt <= until && (past.resolvedAt ?? until) >= from)
      .filter((past) => !overlaps(all, past.openedAt, past.resolvedAt ?? until))
      .map(({ uuid }) => uuid),
  };
}

/** Counts the notifications to one address in the range, with the same suppression as live notifications. */
function notificationsOf(
  alarms: readonly ReplayedAlarm[],
  { openings, resolutions }: SimulatedRecipients,
  from: number,
  until: number,
): number {
  const suppression = new Suppression<Candidate>();
  const tell = (kind: 'alarm' | 'resolve', alarmUuid: string, at: number) =>
    suppression.submit([{ ...anybody, kind, alarmUuid, at }]);
  alarms.forEach(({ openedAt, resolvedAt }, index) => {
    const alarmUuid = String(index);
    if (openings) tell('alarm', alarmUuid, openedAt);
    if (resolvedAt === undefined) return;
    suppression.endAlarm(alarmUuid, (deferred) => deferred.until <= resolvedAt);
    if (resolutions) tell('resolve', alarmUuid, resolvedAt);
  });
  suppression.advance(anybody.topic, until);
  return suppression.sent.filter(({ at }) => at >= from && at <= until).length;
}

const anybody = {
  ...{ personUuid: '', name: '', method: METHOD.email, address: '', text: '', topic: 'rule', step: 0 },
};

function chatters({ openedAt }: ReplayedAlarm, before: ReplayedAlarm | undefined): boolean {
  return before?.resolvedAt !== undefined && openedAt - before.resolvedAt <= chatterMinutes * MINUTE;
}

/** Returns whether any of the alarms was open between the two times. The alarms must be in chronological order. */
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
