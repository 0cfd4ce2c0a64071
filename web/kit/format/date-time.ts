import { formatDate, formatTime } from '../../ui/time/format.ts';

/** Formats date and time of day: `12 Nov 2026 14:06:02`. The text wraps only between date and time. */
export function formatMoment(at: Date, timeZone: string, locale?: string): string {
  const date = formatDate(at, timeZone, {}, locale).replaceAll(' ', '\u00a0');
  return `${date} ${formatTime(at, timeZone, locale, true)}`;
}
