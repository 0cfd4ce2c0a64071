/** Days and weeks as a plant lives them: they begin at midnight by its own clock, whatever daylight saving does to it. */

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

interface LocalTime {
  year: number;
  /** 1 to 12. */
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
}

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

/** Whether whoever runs this knows a zone of that name. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** What a clock and a calendar on the wall show there. */
export function localTime(at: Date, timeZone: string): LocalTime {
  const parts: Record<string, number> = {};
  for (const { type, value } of formatIn(timeZone).formatToParts(at)) {
    parts[type] = Number(value);
  }
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = parts;
  return { year, month, day, hour, minute, second };
}

/** How far the wall clock is ahead of UTC, in milliseconds. */
function offsetAt(at: number, timeZone: string): number {
  const { year, month, day, hour, minute, second } = localTime(new Date(at), timeZone);
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000;
}

/** The first moment of a calendar day there. `day` may lie outside of its month, as in Date.UTC. */
export function firstMoment(year: number, month: number, day: number, timeZone: string): Date {
  const wall = Date.UTC(year, month - 1, day);
  const before = wall - offsetAt(wall - DAY, timeZone);
  const after = wall - offsetAt(wall + DAY, timeZone);
  // The clock may change on this very day. A midnight that comes twice counts the first time. Where midnight is
  // left out, the day begins at the change, which is when the old clock would have shown it.
  const midnight = [Math.min(before, after), Math.max(before, after)].find(
    (at) => offsetAt(at, timeZone) === wall - at,
  );
  return new Date(midnight ?? before);
}

/** The beginning of the day in which a moment lies. */
export function startOfDay(at: Date, timeZone: string): Date {
  const { year, month, day } = localTime(at, timeZone);
  return firstMoment(year, month, day, timeZone);
}

/** The Monday on which the week of a moment begins. */
export function startOfWeek(at: Date, timeZone: string): Date {
  const { year, month, day } = localTime(at, timeZone);
  const sinceMonday = (new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % 7;
  return firstMoment(year, month, day - sinceMonday, timeZone);
}

/** The beginning of the day so many calendar days before the day of a moment. */
export function daysBefore(at: Date, days: number, timeZone: string): Date {
  const { year, month, day } = localTime(at, timeZone);
  return firstMoment(year, month, day - days, timeZone);
}

/** The Mondays of the last `weeks` whole weeks, oldest first, and as the last entry the Monday that ended them. */
export function weekStarts(at: Date, timeZone: string, weeks = 12): Date[] {
  const { year, month, day } = localTime(startOfWeek(at, timeZone), timeZone);
  return Array.from({ length: weeks + 1 }, (_, index) => firstMoment(year, month, day - 7 * (weeks - index), timeZone));
}

/**
 * The Mondays of the `weeks` weeks that end on the day before a moment, oldest first, and as the last entry the beginning of its
 * own day. The last week may still run, so that between it and that day nothing is left out.
 */
export function weeksUntil(at: Date, timeZone: string, weeks = 12): Date[] {
  const { year, month, day } = localTime(startOfWeek(daysBefore(at, 1, timeZone), timeZone), timeZone);
  const mondays = Array.from({ length: weeks }, (_, index) =>
    firstMoment(year, month, day - 7 * (weeks - 1 - index), timeZone),
  );
  return [...mondays, startOfDay(at, timeZone)];
}

/** The first days of the last `months` whole months, oldest first, and as the last entry the first day of the month of a moment. */
export function monthStarts(at: Date, timeZone: string, months = 12): Date[] {
  const { year, month } = localTime(at, timeZone);
  return Array.from({ length: months + 1 }, (_, index) => firstMoment(year, month - months + index, 1, timeZone));
}
