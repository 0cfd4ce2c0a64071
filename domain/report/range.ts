import { fieldSentences } from '../field-sentences.ts';
import { firstMoment, localTime, startOfDay } from '../week.ts';

/**
 * A range of whole days in the customer's time zone, including the first and the last day. `from` and `to` are the
 * start and the end of the range as points in time.
 */
export interface ReportRange {
  firstDay: string;
  lastDay: string;
  from: Date;
  /** End of the range, exclusive. */
  to: Date;
}

export type RangeReading =
  | { ok: true; range: ReportRange; preset: Preset | null }
  | { ok: false; field: 'from' | 'to'; sentence: string };

export const presets = ['7d', '30d', '90d', 'month', 'last-month', 'year', 'last-year'] as const;
export type Preset = (typeof presets)[number];

const DEFAULT_PRESET: Preset = '30d';
export const DAYS_REVERSED = 'Choose a last day on or after the first day.';
const MOST_DAYS = 3653;
const DAY = 86_400_000;

/**
 * Parses the range from a URL: two days, a preset, or by default the last 30 days. Returns an error for invalid days,
 * and never corrects them silently.
 */
export function readRange(
  given: { range?: string | undefined; from?: string | undefined; to?: string | undefined },
  now: Date,
  timeZone: string,
): RangeReading {
  if (given.from === undefined && given.to === undefined) {
    const preset = presets.find((name) => name === given.range) ?? DEFAULT_PRESET;
    return { ok: true, preset, range: presetRange(preset, now, timeZone) };
  }
  const first = readDay(given.from);
  if (first === undefined) {
    return { ok: false, field: 'from', sentence: 'Enter the first day as year-month-day, such as 2026-03-01.' };
  }
  const last = given.to === undefined ? today(now, timeZone) : readDay(given.to);
  if (last === undefined) {
    return { ok: false, field: 'to', sentence: 'Enter the last day as year-month-day, such as 2026-03-31.' };
  }
  if (last < first) return { ok: false, field: 'to', sentence: DAYS_REVERSED };
  if (last - first >= MOST_DAYS) {
    return { ok: false, field: 'from', sentence: fieldSentences['report-range'] };
  }
  return { ok: true, preset: null, range: rangeOf(first, last, timeZone) };
}

export function defaultRange(now: Date, timeZone: string): ReportRange {
  return presetRange(DEFAULT_PRESET, now, timeZone);
}

function presetRange(preset: Preset, now: Date, timeZone: string): ReportRange {
  const [first, last] = presetDays(preset, now, timeZone);
  return rangeOf(first, last, timeZone);
}

/**
 * Returns the preceding range of the same length. If the range consists of whole months, the preceding range has the
 * same number of months.
 */
export function rangeBefore({ firstDay, lastDay }: ReportRange, timeZone: string): ReportRange {
  const [first, last] = [readDay(firstDay) as number, readDay(lastDay) as number];
  const begin = new Date(first * DAY);
  const months = wholeMonths({ firstDay, lastDay });
  const earlier =
    months > 0 ? Date.UTC(begin.getUTCFullYear(), begin.getUTCMonth() - months, 1) / DAY : first - (last - first + 1);
  return rangeOf(earlier, first - 1, timeZone);
}

/** Returns the number of calendar months in a range; 0 if the range does not consist of whole months. */
function wholeMonths({ firstDay, lastDay }: Pick<ReportRange, 'firstDay' | 'lastDay'>): number {
  const [begin, end] = [new Date(firstDay), new Date(((readDay(lastDay) as number) + 1) * DAY)];
  if (begin.getUTCDate() !== 1 || end.getUTCDate() !== 1) return 0;
  return (end.getUTCFullYear() - begin.getUTCFullYear()) * 12 + end.getUTCMonth() - begin.getUTCMonth();
}

export function daysOf({ firstDay, lastDay }: Pick<ReportRange, 'firstDay' | 'lastDay'>): string[] {
  const [first, last] = [readDay(firstDay) as number, readDay(lastDay) as number];
  return Array.from({ length: last - first + 1 }, (_, index) => writeDay(first + index));
}

/** Counts the days of the range from `since` on. Counts all days if `since` is null or after the range. */
export function daysReported(range: Pick<ReportRange, 'firstDay' | 'lastDay'>, since: string | null): number {
  const days = daysOf(range);
  return days.filter((day) => since === null || day >= since).length || days.length;
}

/** Returns the name of the previous range: `30 days before`, `The day before`, `The month before`. */
export function daysBeforeWords(range: Pick<ReportRange, 'firstDay' | 'lastDay'>, locale?: string): string {
  const months = wholeMonths(range);
  const [count, one] = months > 0 ? [months, 'month'] : [daysOf(range).length, 'day'];
  if (months === 12 && range.firstDay.endsWith('-01-01')) return 'The year before';
  return count === 1 ? `The ${one} before` : `${count.toLocaleString(locale)} ${one}s before`;
}

/** Returns the local date of a point in time, such as `2026-10-25`. */
export function dayOf(at: Date, timeZone: string): string {
  return writeDay(today(at, timeZone));
}

const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
];

/** Returns the name of the month of a day: `September` for `2026-09-07`. */
export function monthWords(day: string): string {
  return months[Number(day.slice(5, 7)) - 1] ?? '';
}

/**
 * Formats a day: `7 Sep`. The format is the same on the page and in a file, and does not depend on the browser's
 * language.
 */
export function dayWords(day: string): string {
  return `${Number(day.slice(8, 10))} ${monthWords(day).slice(0, 3)}`;
}

/** Formats a day such as `2026-01-22`, with or without its year. */
export type DayWriter = (day: string, withYear: boolean) => string;

/** Day format for files, which look the same for every reader. The console uses the user's locale. */
const writeForFiles: DayWriter = (day, withYear) => `${dayWords(day)}${withYear ? ` ${day.slice(0, 4)}` : ''}`;

/** Formats `since 22 Jan`, with the year if the range ends in another year. */
export function sinceWords(day: string, { lastDay }: Pick<ReportRange, 'lastDay'>, write = writeForFiles): string {
  return `since ${write(day, !lastDay.startsWith(day.slice(0, 4)))}`;
}

/** Formats a range: `17 Aug to 8 Nov 2026`, with both years if they differ; `25 Oct 2026` for one day. */
export function rangeWords({ firstDay, lastDay }: Pick<ReportRange, 'firstDay' | 'lastDay'>): string {
  const [firstYear, lastYear] = [firstDay.slice(0, 4), lastDay.slice(0, 4)];
  const last = `${dayWords(lastDay)} ${lastYear}`;
  if (firstDay === lastDay) return last;
  return `${dayWords(firstDay)}${firstYear === lastYear ? '' : ` ${firstYear}`} to ${last}`;
}

/** Parses a date into days since 1970, independent of time zones. */
function readDay(text: string | undefined): number | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text ?? '');
  if (!match || Number(match[1]) < 1970) return undefined;
  const day = Date.UTC(Number(match[1]), Number(match[2]) - 1, Number(match[3])) / DAY;
  return writeDay(day) === text ? day : undefined;
}

function writeDay(day: number): string {
  return new Date(day * DAY).toISOString().slice(0, 10);
}

function today(now: Date, timeZone: string): number {
  const { year, month, day } = localTime(startOfDay(now, timeZone), timeZone);
  return Date.UTC(year, month - 1, day) / DAY;
}

function rangeOf(first: number, last: number, timeZone: string): ReportRange {
  const moment = (day: number) => {
    const at = new Date(day * DAY);
    return firstMoment(at.getUTCFullYear(), at.getUTCMonth() + 1, at.getUTCDate(), timeZone);
  };
  return { firstDay: writeDay(first), lastDay: writeDay(last), from: moment(first), to: moment(last + 1) };
}

function presetDays(preset: Preset, now: Date, timeZone: string): [first: number, last: number] {
  const last = today(now, timeZone);
  const { year, month } = localTime(now, timeZone);
  const day = (inYear: number, monthIndex: number) => Date.UTC(inYear, monthIndex, 1) / DAY;
  switch (preset) {
    case '7d':
      return [last - 6, last];
    case '30d':
      return [last - 29, last];
    case '90d':
      return [last - 89, last];
    case 'month':
      return [day(year, month - 1), last];
    case 'last-month':
      return [day(year, month - 2), day(year, month - 1) - 1];
    case 'year':
      return [day(year, 0), last];
    case 'last-year':
      return [day(year - 1, 0), day(year, 0) - 1];
  }
}
