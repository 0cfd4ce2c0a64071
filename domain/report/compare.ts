import { type DayWriter, dayOf, daysBeforeWords, type ReportRange, sinceWords } from './range.ts';

interface Compared {
  range: ReportRange;
  before: ReportRange;
  /** Count in the previous period. */
  counted: number;
  /** When the first site was added; null without sites. */
  since: Date | null;
  /** The range is in the future, so there is nothing to compare. */
  isFuture: boolean;
}

/** Why the range must be empty: it is in the future or before the first site. Returns '' when neither is true. */
export function emptyReason(
  { lastDay }: Pick<ReportRange, 'lastDay'>,
  { since, isFuture }: { since: Date | null | undefined; isFuture: boolean },
  timeZone: string,
): string {
  if (isFuture) return 'These days are in the future.';
  return since && dayOf(since, timeZone) > lastDay ? 'No site existed yet.' : '';
}

/**
 * Returns a function that writes a value of the previous period. Before the first site it writes "no site yet" instead of the value;
 * when the first site was added within that period it adds "since" and the day. For a future range it writes nothing.
 */
export function previousRangeWriter(
  { range, before, counted, since, isFuture }: Compared,
  timeZone: string,
  locale?: string,
  writeDay?: DayWriter,
): (value: string) => string {
  if (isFuture) return () => '';
  const words = daysBeforeWords(range, locale);
  const hasSite = since !== null && since < before.to;
  // A count without a site is from a deleted site.
  if (!hasSite) return (value) => (counted > 0 ? `${words} ${value}` : `${words}: no site yet`);
  const first = dayOf(since, timeZone);
  const sinceText = first > before.firstDay ? `, ${sinceWords(first, before, writeDay)}` : '';
  return (value) => `${words} ${value}${sinceText}`;
}
