/** Functions for days, weeks and months in the customer's time zone. They handle daylight saving changes. */

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

interface LocalTime {
  year: number;
  /** Month from 1 to 12. */
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
}

type WantedTime = Partial<LocalTime> & Pick<LocalTime, 'year' | 'month' | 'day'>;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatIn(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'iso8601',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    formats.set(timeZone, format);
  }
  return format;
}

/** Returns whether this runtime supports the time zone. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

export function localTime(at: Date, timeZone: string): LocalTime {
  const parts: Record<string, number> = {};
  for (const { type, value } of formatIn(timeZone).formatToParts(at)) {
    parts[type] = Number(value);
  }
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = parts;
  return { year, month, day, hour, minute, second };
}

/** Returns the offset of local time from UTC, in milliseconds. */
function offsetAt(at: number, timeZone: string): number {
  const { year, month, day, hour, minute, second } = localTime(new Date(at), timeZone);
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000;
}

/**
 *  Returns the time at which a clock in the zone shows the given date and time of day. `day` may be outside its month,
 * as in Date.UTC. If the time occurs twice, because the clock goes back, `which` selects one of the two times. If it is
 * skipped, because the clock goes forward, uses the old offset: 01:30 becomes 02:30.
 */
export function momentOf(
  { year, month, day, hour = 0, minute = 0 }: WantedTime,
  timeZone: string,
  which: 'first' | 'last' = 'first',
): Date {
  const wall = Date.UTC(year, month - 1, day, hour, minute);
  const before = wall - offsetAt(wall - DAY, timeZone);
  const after = wall - offsetAt(wall + DAY, timeZone);
  const both = [Math.min(before, after), Math.max(before, after)];
  if (which === 'last') both.reverse();
  const found = both.find((at) => offsetAt(at, timeZone) === wall - at);
  return new Date(found ?? before);
}

/**
 * Returns the first time at which a clock in the zone shows the given time of day or a later one. It differs from
 * `momentOf` only for a skipped time, for which it returns the time of the change.
 */
export function reachedAt(wanted: WantedTime, timeZone: string, which: 'first' | 'last' = 'first'): Date {
  const { year, month, day, hour = 0, minute = 0 } = wanted;
  const wall = Date.UTC(year, month - 1, day, hour, minute);
  const found = momentOf(wanted, timeZone, which).getTime();
  if (found + offsetAt(found, timeZone) === wall) return new Date(found);
  let [before, after] = [found - 4 * HOUR, found];
  while (after - before > 1000) {
    const middle = before + Math.floor((after - before) / 2000) * 1000;
    if (middle + offsetAt(middle, timeZone) >= wall) after = middle;
    else before = middle;
  }
  return new Date(after);
}

/**
 * Returns the start of a calendar day in the zone. If midnight is skipped, the day starts at the change, which is
 * midnight by the old offset.
 */
export function firstMoment(year: number, month: number, day: number, timeZone: string): Date {
  return momentOf({ year, month, day }, timeZone);
}

/** Returns the start of the day that contains the time. */
export function startOfDay(at: Date, timeZone: string): Date {
  const { year, month, day } = localTime(at, timeZone);
  return firstMoment(year, month, day, timeZone);
}

/** Returns the start of the Monday of the week that contains the time. */
export function startOfWeek(at: Date, timeZone: string): Date {
  const { year, month, day } = localTime(at, timeZone);
  const sinceMonday = (new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % 7;
  return firstMoment(year, month, day - sinceMonday, timeZone);
}

/** Returns the start of the day that is `days` calendar days earlier. */
export function daysBefore(at: Date, days: number, timeZone: string): Date {
  const { year, month, day } = localTime(at, timeZone);
  return firstMoment(year, month, day - days, timeZone);
}

/** Returns the Mondays of the last `weeks` full weeks, oldest first, plus the Monday on which the last week ends. */
export function weekStarts(at: Date, timeZone: string, weeks = 12): Date[] {
  const { year, month, day } = localTime(startOfWeek(at, timeZone), timeZone);
  return Array.from({ length: weeks + 1 }, (_, index) => firstMoment(year, month, day - 7 * (weeks - index), timeZone));
}

/**
 * Returns the Mondays of the last `weeks` weeks, oldest first, plus the start of the day `at`. The last week ends on
 * the day before `at` and may be incomplete, so that the weeks and the day leave no gap.
 */
export function weeksUntil(at: Date, timeZone: string, weeks = 12): Date[] {
  const { year, month, day } = localTime(startOfWeek(daysBefore(at, 1, timeZone), timeZone), timeZone);
  const mondays = Array.from({ length: weeks }, (_, index) =>
    firstMoment(year, month, day - 7 * (weeks - 1 - index), timeZone),
  );
  return [...mondays, startOfDay(at, timeZone)];
}

/** Returns the first days of the last `months` full months, oldest first, plus the first day of the current month. */
export function monthStarts(at: Date, timeZone: string, months = 12): Date[] {
  const { year, month } = localTime(at, timeZone);
  return Array.from({ length: months + 1 }, (_, index) => firstMoment(year, month - months + index, 1, timeZone));
}
