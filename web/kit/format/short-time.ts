import { daysBefore } from '../../../domain/week.ts';
import { dateFormat } from '../../ui/formats.ts';
import { formatDate, formatTime } from '../../ui/time/format.ts';

/**
 * Formats a time as short as possible: today the time only, within a week also the weekday, else the date; earlier
 * years with the year.
 */
export function formatMoment(at: Date, now: Date, timeZone: string, locale?: string): string {
  const time = formatTime(at, timeZone, locale);
  if (at >= daysBefore(now, 0, timeZone)) return time;
  if (at >= daysBefore(now, 6, timeZone)) {
    return `${dateFormat(locale, { timeZone, weekday: 'short' }).format(at)} ${time}`;
  }
  const yearOf = (date: Date) => dateFormat('en', { timeZone, year: 'numeric' }).format(date);
  return `${formatDate(at, timeZone, { year: yearOf(at) !== yearOf(now) }, locale)} ${time}`;
}

/** The time with date and year, for print: `5 Nov 2026 22:14`. */
export const formatOnPaper = (at: Date, timeZone: string, locale?: string): string =>
  `${formatDate(at, timeZone, {}, locale)} ${formatTime(at, timeZone, locale)}`;
