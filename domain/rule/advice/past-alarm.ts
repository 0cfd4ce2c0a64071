/**
 * Class of an alarm. `nuisance`: acknowledged with a reason that is marked as nuisance. `real`: acknowledged with any
 * other reason. `unknown`: not acknowledged.
 */
export type AlarmClass = 'nuisance' | 'real' | 'unknown';

/** A recorded alarm of the rule. */
export interface PastAlarm {
  uuid: string;
  openedAt: number;
  /** Time at which the alarm resolved; undefined while it is open. */
  resolvedAt: number | undefined;
  class: AlarmClass;
}

const SECOND = 1000;

/** An alarm that resolves within this time is fleeting. */
export const FLEETING_SECONDS = 30;
/** Minimum number of alarms that a rule must open within a minute to be chattering. */
export const CHATTERING_ALARMS = 3;
const CHATTERING_WINDOW = 60 * SECOND;

/** Minimum number of nuisance alarms for a proposal. One or two can be a mistake or a single event. */
export const FEWEST_NUISANCE = 3;

/** Sorts by opening time, and by uuid if two alarms opened at the same time. */
export function inOrder(alarms: readonly PastAlarm[]): PastAlarm[] {
  return alarms.toSorted((a, b) => a.openedAt - b.openedAt || (a.uuid < b.uuid ? -1 : 1));
}

export function countFleeting(alarms: readonly PastAlarm[]): number {
  return alarms.filter(
    ({ openedAt, resolvedAt }) => resolvedAt !== undefined && resolvedAt - openedAt <= FLEETING_SECONDS * SECOND,
  ).length;
}

/** Returns the number of chattering alarms. */
export function countChattering(alarms: readonly PastAlarm[]): number {
  const times = alarms.map(({ openedAt }) => openedAt).sort((a, b) => a - b);
  const chatters = new Set<number>();
  for (let last = CHATTERING_ALARMS - 1; last < times.length; last += 1) {
    const first = last - CHATTERING_ALARMS + 1;
    if ((times[last] as number) - (times[first] as number) > CHATTERING_WINDOW) continue;
    for (let index = first; index <= last; index += 1) chatters.add(index);
  }
  return chatters.size;
}
