import { type DayWriter, dayOf, daysBeforeWords, type ReportRange, sinceWords } from './range.ts';

interface Compared {
  range: ReportRange;
  before: ReportRange;
  /** Count in the previous period. */
  counted: number;
  /** When the first site was added; null without sites. */
  since: Date | null;
  /** The range is in the future, so there is nothing to compare. */
  isToCome: boolean;
}

/** Why the range must be empty: it is in the future or before the first site. Returns '' when neither is true. */
export function emptyReason(
  { lastDay }: Pick<ReportRange, 'lastDay'>,
  { since, isToCome }: { since: Date | null | undefined; isToCome: boolean },
  timeZone: string,
): string {
  if (isToCome) return 'These days are in the future.';
  return since && dayOf(since, timeZone) > lastDay ? 'There was no site yet.' : '';
}

/**
 * Returns a function that writes a value of the previous period. Before the first site it writes "no site yet" instead of the value;
 * when the first site was added within that period it adds "since" and the day. For a future range it writes nothing.
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
  // A count without a site is from a deleted site.
  if (!isThere) return (value) => (counted > 0 ? `${words} ${value}` : `${words}: no site yet`);
  const first = dayOf(since, timeZone);
  const young = first > before.firstDay ? `, ${sinceWords(first, before, writeDay)}` : '';
  return (value) => `${words} ${value}${young}`;
}
