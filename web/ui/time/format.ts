import { dateFormat } from '../formats.ts';

export { formatAge } from '../../../domain/age.ts';

/** Formats the time of day with the short name of the zone: `14:06:02 GMT`. */
export function formatClock(at: Date, timeZone: string, locale?: string, seconds = true): string {
  return dateFormat(locale, {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    ...(seconds ? { second: '2-digit' } : {}),
    hourCycle: 'h23',
    timeZoneName: 'short',
  }).format(at);
}

interface DayParts {
  weekday?: boolean;
  /** False omits the year. */
  year?: boolean;
}

/** Formats a date: `12 Nov 2026`, or `Nov 12, 2026` in US English; with weekday `Thu 12 Nov 2026`. */
export function formatDate(
  at: Date,
  timeZone: string,
  { weekday, year = true }: DayParts = {},
  locale?: string,
): string {
  const date = dateFormat(locale, {
    timeZone,
    day: 'numeric',
    month: 'short',
    ...(year ? { year: 'numeric' } : {}),
  }).format(at);
  return weekday ? `${dateFormat(locale, { timeZone, weekday: 'short' }).format(at)} ${date}` : date;
}

/** Formats the time of day: `14:06`, or `14:06:02` with seconds. */
export function formatTime(at: Date, timeZone: string, locale?: string, seconds = false): string {
  return dateFormat(locale, {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    ...(seconds ? { second: '2-digit' } : {}),
    hourCycle: 'h23',
  }).format(at);
}

/** Formats a date with weekday: `Thu 12 Nov 2026`. */
export function formatDay(at: Date, timeZone: string, locale?: string): string {
  return formatDate(at, timeZone, { weekday: true }, locale);
}
