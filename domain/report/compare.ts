import { type DayWriter, dayOf, daysBeforeWords, type ReportRange, sinceWords } from './range.ts';

interface Compared {
  range: ReportRange;
  before: ReportRange;
  /** How much was counted in the days before. */
  counted: number;
  /** When the first of the sites was made, or null where there is none. */
  since: Date | null;
  /** The days have not begun yet, so that there is nothing to compare. */
  isToCome: boolean;
}

/** Why there can be nothing in these days; empty where there could. `isToCome` says that they have not begun yet. */
export function emptyReason(
  { lastDay }: Pick<ReportRange, 'lastDay'>,
  { since, isToCome }: { since: Date | null | undefined; isToCome: boolean },
  timeZone: string,
): string {
  if (isToCome) return 'These days are in the future.';
  return since && dayOf(since, timeZone) > lastDay ? 'There was no site yet.' : '';
}

/**
 * Writes how something was in the days before. Of days in which there was no site yet it says so in place of a figure, and of days in
 * which the first one was made since when there was one. Of days to come it says nothing.
 */
export function previousRangeWriter(
  { range, before, counted, since, isToCome }: Compared,
  timeZone: string,
  locale?: string,
  writeDay?: DayWriter,
): (value: string) => string {
  if (isToCome) return () => '';
  const words = daysBeforeWords(range, locale);
  const isThere = since !== null && since < before.to;
  // Whatever was counted was there, of a site that is gone by now.
  if (!isThere) return (value) => (counted > 0 ? `${words} ${value}` : `${words}: no site yet`);
  const first = dayOf(since, timeZone);
  const young = first > before.firstDay ? `, ${sinceWords(first, before, writeDay)}` : '';
  return (value) => `${words} ${value}${young}`;
}
