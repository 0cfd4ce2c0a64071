import { daysBefore } from '../../../domain/week.ts';
import { dateFormat } from '../../ui/formats.ts';
import { formatDate, formatTime } from '../../ui/time/format.ts';

/**
 * Formats a time in its shortest clear form: for today, only the time; for up to six days before or after today,
 * weekday and time; for other days, date and time. Adds the year if it is not the current one.
 */
export function formatMoment(at: Date, now: Date, timeZone: string, locale?: string): string {
  const time = formatTime(at, timeZone, locale);
  const isBefore = (days: number) => at < daysBefore(now, -days, timeZone);
  if (at <= now ? !isBefore(0) : isBefore(1)) return time;
  if (at <= now ? !isBefore(-6) : isBefore(7)) {
    return `${dateFormat(locale, { timeZone, weekday: 'short' }).format(at)} ${time}`;
  }
  const yearOf = (date: Date) => dateFormat('en', { timeZone, year: 'numeric' }).format(date);
  return `${formatDate(at, timeZone, { year: yearOf(at) !== yearOf(now) }, locale)} ${time}`;
}

/** Formats a time with date and year, for print: `5 Nov 2026 22:14`. */
export const formatOnPaper = (at: Date, timeZone: string, locale?: string): string =>
  `${formatDate(at, timeZone, {}, locale)} ${formatTime(at, timeZone, locale)}`;
