import { daysReported, type ReportRange } from './range.ts';

/** How many there are on a day as a rule: `10,549.4 a day`. */
export function perDayWords(count: number, days: number, locale?: string): string {
  const each = count / days;
  return `${each.toLocaleString(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 })} a day`;
}

/** The same of the days of a range in which the plant was there, which began on `since`. */
export function perDayOf(
  count: number,
  range: Pick<ReportRange, 'firstDay' | 'lastDay'>,
  since: string | null,
  locale?: string,
): string {
  return perDayWords(count, daysReported(range, since), locale);
}
