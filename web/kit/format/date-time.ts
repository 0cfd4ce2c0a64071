import { formatDate, formatTime } from '../../ui/time/format.ts';

/** Date and time of day: `12 Nov 2026 14:06:02`. Wraps only between the two. */
export function formatMoment(at: Date, timeZone: string, locale?: string): string {
  const date = formatDate(at, timeZone, {}, locale).replaceAll(' ', '\u00a0');
  return `${date} ${formatTime(at, timeZone, locale, true)}`;
}
