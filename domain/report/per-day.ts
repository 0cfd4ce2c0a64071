import { plural } from '../plural.ts';
import { type DayWriter, daysReported, type ReportRange, sinceWords } from './range.ts';

/**
 * Formats the average per day: `10,549.4 a day over 30 days`, `3.0 a day since 12 Jan`. Counts only the days from
 * `since`, the day of the first site, to `today`. If there are none, returns `no site yet` or `in the future`.
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
  const startsInRange = since !== null && since > range.firstDay && since <= range.lastDay;
  const over = `over ${days.toLocaleString(locale)} ${plural(days, 'day')}`;
  return `${each} a day ${startsInRange ? sinceWords(since, range, writeDay) : over}`;
}
