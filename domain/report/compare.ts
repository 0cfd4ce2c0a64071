import { type DayWriter, dayOf, daysBeforeWords, type ReportRange, sinceWords } from './range.ts';

interface Compared {
  range: ReportRange;
  before: ReportRange;
  /** Number of rows counted in the previous period. */
  counted: number;
  /** Time at which the first site was added; null if there are no sites. */
  since: Date | null;
  /** True if the range is in the future. There is then nothing to compare. */
  isFuture: boolean;
}

/**
 * Returns the reason why the range cannot contain data: it is in the future or before the first site. Otherwise returns
 * an empty text.
 */
export function emptyReason(
  { lastDay }: Pick<ReportRange, 'lastDay'>,
  { since, isFuture }: { since: Date | null | undefined; isFuture: boolean },
  timeZone: string,
): string {
  if (isFuture) return 'These days are in the future.';
  return since && dayOf(since, timeZone) > lastDay ? 'No site existed yet.' : '';
}

/**
 * Returns a function that formats a value of the previous period. If the period ended before the first site was added,
 * the text is "no site yet" instead of the value. If the first site was added during the period, the text also contains
 * that day. For a future range, the text is empty.
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
  // Rows from before the first site existed belong to a deleted site.
  if (!hasSite) return (value) => (counted > 0 ? `${words} ${value}` : `${words}: no site yet`);
  const first = dayOf(since, timeZone);
  const sinceText = first > before.firstDay ? `, ${sinceWords(first, before, writeDay)}` : '';
  return (value) => `${words} ${value}${sinceText}`;
}
