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
  /** How many days after its start an occurrence ends. */
  days: number;
  /** From 1 (Monday) to 7, for `weekly` and `monthly-weekday`. */
  weekday: number | null;
  /** From 1 to 4, or 5 for the last one of the month, for `monthly-weekday`. */
  week: number | null;
  /** From 1 to 31, for `monthly-day`. Shorter months have no occurrence. */
  dayOfMonth: number | null;
}

export const repeatKinds = ['once', 'weekly', 'monthly-day', 'monthly-weekday'] as const;
export type Repeats = (typeof repeatKinds)[number];

export const LAST_WEEK = 5;

/** One occurrence of a window. `endsAt` is not part of it. */
export interface Occurrence {
  startsAt: number;
  endsAt: number;
}

const DAY = 86_400_000;

/** Days as numbers since 1970, so that they can be compared and added. */
const numberOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / DAY;

/** Returns the weekday of a day number, from 1 (Monday) to 7. */
const weekdayOf = (day: number): number => ((((day + 3) % 7) + 7) % 7) + 1;

/**
 * Returns the occurrences that overlap a range, in order. The clock of the zone counts: an occurrence begins when the
 * clock first reaches the start, and ends when it last reaches the end. So an hour that occurs twice is covered twice. A
 * skipped start or end is at the change of the clock. An occurrence without length because of that does not take place.
 */
export function occurrencesBetween(
  recurrence: Recurrence,
  timeZone: string,
  from: number,
  until: number,
): Occurrence[] {
  const first = numberOf(recurrence.firstDay);
  // Local time differs from UTC by less than a day.
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

/** Returns the next occurrences that have not ended. */
export function nextOccurrences(recurrence: Recurrence, timeZone: string, now: number, count: number): Occurrence[] {
  const start = Math.max(now, (numberOf(recurrence.firstDay) - 2) * DAY);
  // A month with the day 31 is followed by another one within 62 days.
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
