import { reachedAt } from '../week.ts';

/** When a maintenance window takes place, in the customer's time zone. Days are written as 2026-11-17, times as 08:00. */
export interface Recurrence {
  repeats: Repeats;
  /** The day of a window that does not repeat; otherwise the first day on which an occurrence may start. */
  firstDay: string;
  /** The last day on which an occurrence may start; null if the window repeats without end. */
  lastDay: string | null;
  fromTime: string;
  toTime: string;
  /** Number of days from the start day of an occurrence to its end day. */
  days: number;
  /** From 1 (Monday) to 7 (Sunday). Only for `weekly` and `monthly-weekday`. */
  weekday: number | null;
  /** From 1 to 4, or 5 for the last week of the month. Only for `monthly-weekday`. */
  week: number | null;
  /** From 1 to 31. Only for `monthly-day`. Months without this day have no occurrence. */
  dayOfMonth: number | null;
}

export const repeatKinds = ['once', 'weekly', 'monthly-day', 'monthly-weekday'] as const;
export type Repeats = (typeof repeatKinds)[number];

export const LAST_WEEK = 5;

/** One occurrence of a window. `endsAt` is exclusive. */
export interface Occurrence {
  startsAt: number;
  endsAt: number;
}

const DAY = 86_400_000;

/** Returns a day as the number of days since 1970-01-01, so that days can be compared and added. */
const numberOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / DAY;

/** Returns the weekday of a day number, from 1 (Monday) to 7. */
const weekdayOf = (day: number): number => ((((day + 3) % 7) + 7) % 7) + 1;

/**
 * Returns the occurrences that overlap a range, in order. The local clock decides: an occurrence begins when the clock
 * first reaches the start, and ends when it last reaches the end. So an hour that occurs twice is covered both times. A
 * start or end that the clock skips moves to the moment of the clock change. If start and end coincide because of that,
 * the occurrence does not take place.
 */
export function occurrencesBetween(
  recurrence: Recurrence,
  timeZone: string,
  from: number,
  until: number,
): Occurrence[] {
  const first = numberOf(recurrence.firstDay);
  // Searches two additional days at both ends, because local time differs from UTC by up to a day.
  const earliest = Math.max(first, Math.floor(from / DAY) - recurrence.days - 2);
  const latest = Math.min(
    recurrence.repeats === 'once' ? first : Math.floor(until / DAY) + 2,
    recurrence.repeats === 'once' || recurrence.lastDay === null
      ? Number.POSITIVE_INFINITY
      : numberOf(recurrence.lastDay),
  );
  const found: Occurrence[] = [];
  for (let day = earliest; day <= latest; day += 1) {
    if (!startsOn(recurrence, day)) continue;
    const occurrence = occurrenceOn(recurrence, day, timeZone);
    if (occurrence.endsAt > occurrence.startsAt && occurrence.endsAt > from && occurrence.startsAt < until) {
      found.push(occurrence);
    }
  }
  return found;
}

/** Returns up to `count` occurrences that have not ended, earliest first. */
export function nextOccurrences(recurrence: Recurrence, timeZone: string, now: number, count: number): Occurrence[] {
  const start = Math.max(now, (numberOf(recurrence.firstDay) - 2) * DAY);
  // A range of 62 days always contains a month with the day 31, so this range contains enough occurrences.
  const until = start + (recurrence.days + 62 * (count + 1)) * DAY;
  return occurrencesBetween(recurrence, timeZone, now, until).slice(0, count);
}

function startsOn({ repeats, weekday, week, dayOfMonth }: Recurrence, day: number): boolean {
  if (repeats === 'once') return true;
  if (repeats === 'weekly') return weekdayOf(day) === weekday;
  const date = new Date(day * DAY);
  const inMonth = date.getUTCDate();
  if (repeats === 'monthly-day') return inMonth === dayOfMonth;
  if (weekdayOf(day) !== weekday) return false;
  const length = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  return week === LAST_WEEK ? inMonth + 7 > length : Math.ceil(inMonth / 7) === week;
}

function occurrenceOn({ fromTime, toTime, days }: Recurrence, day: number, timeZone: string): Occurrence {
  const startsAt = reachedAt(localOf(day, fromTime), timeZone, 'first').getTime();
  return { startsAt, endsAt: reachedAt(localOf(day + days, toTime), timeZone, 'last').getTime() };
}

function localOf(day: number, time: string) {
  const date = new Date(day * DAY);
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate(), hour, minute };
}
