import { useMemo } from 'react';
import { type DayWriter, defaultRange, type ReportRange } from '../../../domain/report/range.ts';
import { startOfDay } from '../../../domain/week.ts';
import { dateFormat } from '../../ui/formats.ts';
import { useFromNow } from '../../ui/time/clock.ts';
import { formatDate, formatTime } from '../../ui/time/format.ts';
import { useTimeZone } from '../../ui/time/TimeZone.tsx';

/** Returns the start of today in the plant's time zone. The value changes at midnight, so the reports then reload. */
export function useDay(timeZone: string): number {
  return useFromNow((at) => startOfDay(at, timeZone).getTime());
}

/** Returns the range of today and the 29 days before. It ends at the coming midnight, so that it includes new data. */
export function useLast30Days(): ReportRange {
  const timeZone = useTimeZone();
  const today = useDay(timeZone);
  return useMemo(() => defaultRange(new Date(today), timeZone), [today, timeZone]);
}

/** Returns the name of the month: `October`. */
export function formatMonth(at: Date, timeZone: string, month: 'long' | 'short' = 'long'): string {
  return dateFormat(undefined, { timeZone, month }).format(at);
}

/** Returns a date without its year: `17 Aug`. */
export function formatDayOfYear(at: Date, timeZone: string): string {
  return formatDate(at, timeZone, { year: false });
}

/**
 * Formats a range of days: `17 Aug to 8 Nov 2026`, with both years if they differ; `25 Oct 2026` for one day. `before`
 * is exclusive.
 */
export function formatDates(from: Date, before: Date, timeZone: string): string {
  const last = new Date(before.getTime() - 1);
  const [first, end] = [formatDate(from, timeZone), formatDate(last, timeZone)];
  if (first === end) return end;
  const yearOf = (at: Date) => dateFormat('en', { timeZone, year: 'numeric' }).format(at);
  return `${yearOf(from) === yearOf(last) ? formatDayOfYear(from, timeZone) : first} to ${end}`;
}

/** Formats a range of up to about two days: `31 Oct 2026 05:40 to 06:30`. `before` is exclusive. */
export function formatMoments(from: Date, before: Date, timeZone: string): string {
  const [first, last] = [formatDate(from, timeZone), formatDate(before, timeZone)];
  const end = formatTime(before, timeZone);
  return `${first} ${formatTime(from, timeZone)} to ${first === last ? end : `${last} ${end}`}`;
}

/** Formats a day such as `2026-08-17` for the locale. */
export const writeDay: DayWriter = (day, withYear) => formatDate(new Date(day), 'UTC', { year: withYear });

/** Returns the label of a bar: `25 Oct` for a day, `Oct 2026` for a month. */
export function formatBarLabel(label: string): string {
  if (label.length === 10) return writeDay(label, false);
  return dateFormat(undefined, { timeZone: 'UTC', month: 'short', year: 'numeric' }).format(new Date(`${label}-01`));
}

/** Returns the current time of day in the plant's time zone: `14:32`. */
export function useTimeOfDay(): string {
  const timeZone = useTimeZone();
  return useFromNow((at) => formatTime(at, timeZone));
}
