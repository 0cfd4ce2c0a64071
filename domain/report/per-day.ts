import { plural } from '../plural.ts';
import { type DayWriter, daysReported, type ReportRange, sinceWords } from './range.ts';

/**
 * How many there are on a day as a rule, of the days of a range in which the plant was there, which began on `since`, and which days
 * these are: `10,549.4 a day over 30 days`, `3.0 a day since 12 Jan`. Days without any and before the first site have no rule, and those
 * after `today` are not among them.
 */
export function perDayWords(
  count: number,
  { firstDay, lastDay }: Pick<ReportRange, 'firstDay' | 'lastDay'>,
  since: string | null,
  today: string,
  locale?: string,
  writeDay?: DayWriter,
): string {
  if (firstDay > today) return 'in the future';
  const range = { firstDay, lastDay: lastDay < today ? lastDay : today };
  if (count === 0 && since !== null && since > range.lastDay) return 'no site yet';
  const days = daysReported(range, since);
  const each = (count / days).toLocaleString(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const isYoung = since !== null && since > range.firstDay && since <= range.lastDay;
  const over = `over ${days.toLocaleString(locale)} ${plural(days, 'day')}`;
  return `${each} a day ${isYoung ? sinceWords(since, range, writeDay) : over}`;
}
