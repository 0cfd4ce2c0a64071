import { daysBefore, monthStarts, startOfDay, weeksUntil } from '../week.ts';
import { labelWords } from './bars.ts';
import type { HealthPeriod } from './health.ts';
import { dayOf } from './range.ts';

/** Twelve weeks or months by their starts and the end of the last, and the beginning of the day that follows weeks. */
export interface HealthRange {
  each: HealthPeriod;
  weekStarts: readonly Date[];
  today: Date;
}

/**
 * The twelve weeks that lead up to a day, and that day; or the last twelve months that are whole by then, with the one whose last day it
 * is where that day is over.
 */
export function periodsUntil(each: HealthPeriod, day: Date, timeZone: string, isOver: boolean): HealthRange {
  const next = isOver ? daysBefore(day, -1, timeZone) : day;
  const starts = each === 'month' ? monthStarts(next, timeZone) : weeksUntil(day, timeZone);
  return { each, weekStarts: starts, today: startOfDay(day, timeZone) };
}

/** The twelve that end where these begin. */
export function periodsBefore({ each, weekStarts, today }: HealthRange, timeZone: string): HealthRange {
  const first = weekStarts[0] ?? today;
  const end = daysBefore(first, 1, timeZone);
  return { ...periodsUntil(each, end, timeZone, true), today: end };
}

/** The first day of the twelve and their last, without the day that follows weeks. */
export function daysOf({ weekStarts, today }: HealthRange, timeZone: string): { firstDay: string; lastDay: string } {
  const end = daysBefore(weekStarts.at(-1) ?? today, 1, timeZone);
  return { firstDay: dayOf(weekStarts[0] ?? today, timeZone), lastDay: dayOf(end, timeZone) };
}

/** The last day of the twelfth week where that week was not over by then; null where all are whole. */
export function runningWeekEnd({ each, weekStarts, today }: HealthRange, timeZone: string): Date | null {
  const [start = today, end = today] = weekStarts.slice(-2);
  return each === 'week' && daysBefore(start, -7, timeZone) > end ? daysBefore(end, 1, timeZone) : null;
}

/** How many cells a row has: that of the day follows weeks alone. */
export function cellsPerRow({ each }: Pick<HealthRange, 'each'>): number {
  return each === 'month' ? 12 : 13;
}

/** From when until when the gaps of a site are those of the table it was found in: the day that follows weeks is in it. */
export function gapRange({ each, weekStarts, today }: HealthRange, timeZone: string): { from: Date; to: Date } {
  const end = weekStarts.at(-1) ?? today;
  return { from: weekStarts[0] ?? today, to: each === 'month' ? end : daysBefore(today, -1, timeZone) };
}

/** What the heads of the twelve weeks or months say on paper. */
export function periodLabels({ each, weekStarts }: HealthRange, timeZone: string): string[] {
  return weekStarts.slice(0, 12).map((start) => labelWords(dayOf(start, timeZone).slice(0, each === 'month' ? 7 : 10)));
}
