import { daysBefore, monthStarts, startOfDay, weeksUntil } from '../week.ts';
import { labelWords } from './bars.ts';
import type { HealthPeriod } from './health.ts';
import { dayOf } from './range.ts';

/**
 * Twelve weeks or months. `weekStarts` has 13 entries: the start of each period and the end of the last one. If the
 * periods are weeks, the table has an additional column for the day `today`.
 */
export interface HealthRange {
  each: HealthPeriod;
  weekStarts: readonly Date[];
  today: Date;
}

/**
 * Returns the twelve weeks before `day` and the day itself, or the last twelve whole months. `isOver` means that `day`
 * has ended, so that a month that ends on `day` counts as whole.
 */
export function periodsUntil(each: HealthPeriod, day: Date, timeZone: string, isOver: boolean): HealthRange {
  const next = isOver ? daysBefore(day, -1, timeZone) : day;
  const starts = each === 'month' ? monthStarts(next, timeZone) : weeksUntil(day, timeZone);
  return { each, weekStarts: starts, today: startOfDay(day, timeZone) };
}

/** Returns the preceding twelve periods. */
export function periodsBefore({ each, weekStarts, today }: HealthRange, timeZone: string): HealthRange {
  const first = weekStarts[0] ?? today;
  const end = daysBefore(first, 1, timeZone);
  return { ...periodsUntil(each, end, timeZone, true), today: end };
}

/** Returns the first and last day of the twelve periods, excluding `today`. */
export function daysOf({ weekStarts, today }: HealthRange, timeZone: string): { firstDay: string; lastDay: string } {
  const end = daysBefore(weekStarts.at(-1) ?? today, 1, timeZone);
  return { firstDay: dayOf(weekStarts[0] ?? today, timeZone), lastDay: dayOf(end, timeZone) };
}

/** Returns the last day of the twelfth week if that week is not complete; otherwise null. */
export function runningWeekEnd({ each, weekStarts, today }: HealthRange, timeZone: string): Date | null {
  const [start = today, end = today] = weekStarts.slice(-2);
  return each === 'week' && daysBefore(start, -7, timeZone) > end ? daysBefore(end, 1, timeZone) : null;
}

/**
 * Returns the number of cells in a row: one for each of the twelve periods and, if they are weeks, one for the day
 * `today`.
 */
export function cellsPerRow({ each }: Pick<HealthRange, 'each'>): number {
  return each === 'month' ? 12 : 13;
}

/** Returns the time range in which gaps are listed. If the periods are weeks, it includes the day `today`. */
export function gapRange({ each, weekStarts, today }: HealthRange, timeZone: string): { from: Date; to: Date } {
  const end = weekStarts.at(-1) ?? today;
  return { from: weekStarts[0] ?? today, to: each === 'month' ? end : daysBefore(today, -1, timeZone) };
}

/** Returns the column headings of the twelve periods for PDF files. */
export function periodLabels({ each, weekStarts }: HealthRange, timeZone: string): string[] {
  return weekStarts.slice(0, 12).map((start) => labelWords(dayOf(start, timeZone).slice(0, each === 'month' ? 7 : 10)));
}
