import { daysOf, dayWords, monthWords, type ReportRange } from './range.ts';

export interface Bar {
  /** A day such as `2026-10-25`, or a month such as `2026-10`. */
  label: string;
  values: number[];
}

/** Maximum number of days with one bar each. A longer range has one bar for each month. */
const MOST_DAYS = 120;

/** Formats the label of a bar: `25 Oct`, or `Oct 2026` for a month. */
export function labelWords(label: string): string {
  return label.length === 10 ? dayWords(label) : `${monthWords(label).slice(0, 3)} ${label.slice(0, 4)}`;
}

/** Returns the first and last day of a bar: one day, or the days of a month that are in the range. */
export function daysOfBar(
  label: string,
  { firstDay, lastDay }: Pick<ReportRange, 'firstDay' | 'lastDay'>,
): { from: string; to: string } {
  if (label.length === 10) return { from: label, to: label };
  const [year, month] = label.split('-').map(Number) as [number, number];
  const end = new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
  const start = `${label}-01`;
  return { from: start < firstDay ? firstDay : start, to: end > lastDay ? lastDay : end };
}

/** Returns one bar for each day of the range, including days without rows. A long range has one bar for each month. */
export function barsOf<R extends { day: string | null }>(
  range: Pick<ReportRange, 'firstDay' | 'lastDay'>,
  rows: readonly R[],
  values: (row: R) => readonly number[],
  parts: number,
): { each: 'day' | 'month'; bars: Bar[] } {
  const days = daysOf(range);
  const each = days.length > MOST_DAYS ? 'month' : 'day';
  const labelOf = (day: string) => (each === 'month' ? day.slice(0, 7) : day);
  const bars = new Map(days.map((day) => [labelOf(day), Array.from({ length: parts }, () => 0)]));
  for (const row of rows) {
    const bar = bars.get(labelOf(row.day ?? ''));
    for (const [index, value] of values(row).entries()) if (bar) bar[index] = (bar[index] ?? 0) + value;
  }
  return { each, bars: [...bars].map(([label, sums]) => ({ label, values: sums })) };
}
