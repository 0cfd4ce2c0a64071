import { daysBefore } from '../../../domain/week.ts';
import { dateFormat } from '../../ui/formats.ts';

/** A moment as short as the present allows: today the time alone, within a week its day, else the date, before this year the year too. */
export function formatMoment(at: Date, now: Date, timeZone: string, locale?: string): string {
  const write = (day: Intl.DateTimeFormatOptions) => withTime(at, day, timeZone, locale);
  if (at >= daysBefore(now, 0, timeZone)) {
    return write({});
  }
  if (at >= daysBefore(now, 6, timeZone)) {
    return write({ weekday: 'short' });
  }
  const year = (date: Date) => dateFormat('en', { timeZone, year: 'numeric' }).format(date);
  return write({ day: 'numeric', month: 'short', ...(year(at) === year(now) ? {} : { year: 'numeric' }) });
}

/** The same for paper, which has no today: `5 Nov 2026 22:14`. */
export const formatOnPaper = (at: Date, timeZone: string, locale?: string): string =>
  withTime(at, { day: 'numeric', month: 'short', year: 'numeric' }, timeZone, locale);

function withTime(at: Date, day: Intl.DateTimeFormatOptions, timeZone: string, locale?: string): string {
  const time: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };
  return dateFormat(locale, { timeZone, ...day, ...time })
    .format(at)
    .replaceAll(',', '');
}
