import { firstMoment, localTime } from '../../../domain/week.ts';
import type { CalendarEntry } from './maintenance.queries.ts';

export interface CalendarDay {
  /** Day of the month. */
  date: number;
  isInMonth: boolean;
  startsAt: Date;
  endsAt: Date;
}

/** Position of an occurrence in a week of the calendar: its columns from 1 to 7, and its line below the dates. */
export interface PlacedEntry {
  entry: CalendarEntry;
  column: number;
  span: number;
  line: number;
  /** True if the occurrence began in an earlier week. */
  isContinued: boolean;
}

/** Returns the month of a time in the zone as 2026-11. */
export function monthOf(at: Date, timeZone: string): string {
  const { year, month } = localTime(at, timeZone);
  return `${year}-${String(month).padStart(2, '0')}`;
}

/** Returns the month that is `months` later. */
export function monthAfter(month: string, months: number): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7);
}

/** Returns the weeks that show a month, from Monday to Sunday. */
export function weeksOf(month: string, timeZone: string): CalendarDay[][] {
  const [year = 0, number = 0] = month.split('-').map(Number);
  const before = (new Date(Date.UTC(year, number - 1, 1)).getUTCDay() + 6) % 7;
  const length = new Date(Date.UTC(year, number, 0)).getUTCDate();
  const weeks = Math.ceil((before + length) / 7);
  return Array.from({ length: weeks }, (_week, week) =>
    Array.from({ length: 7 }, (_day, day) => {
      const date = week * 7 + day - before + 1;
      return {
        date: new Date(Date.UTC(year, number - 1, date)).getUTCDate(),
        isInMonth: date >= 1 && date <= length,
        startsAt: firstMoment(year, number, date, timeZone),
        endsAt: firstMoment(year, number, date + 1, timeZone),
      };
    }),
  );
}

/** Places the occurrences of a week on lines, so that none covers another. Longer occurrences come first. */
export function placeEntries(week: readonly CalendarDay[], entries: readonly CalendarEntry[]): PlacedEntry[] {
  const endOf = ({ endsAt }: CalendarEntry) => (endsAt === null ? Number.POSITIVE_INFINITY : Date.parse(endsAt));
  const shown = entries.flatMap((entry) => {
    const startsAt = Date.parse(entry.startsAt);
    const covered = week.flatMap((day, index) =>
      startsAt < day.endsAt.getTime() && endOf(entry) > day.startsAt.getTime() ? [index] : [],
    );
    const [first] = covered;
    if (first === undefined) return [];
    const isContinued = startsAt < (week[0]?.startsAt.getTime() ?? 0);
    return [{ entry, startsAt, column: first + 1, span: covered.length, isContinued }];
  });
  const lines: boolean[][] = [];
  return shown
    .toSorted((a, b) => b.span - a.span || a.startsAt - b.startsAt)
    .map(({ entry, column, span, isContinued }) => {
      const columns = Array.from({ length: span }, (_, index) => column + index);
      let line = lines.findIndex((used) => columns.every((one) => !used[one]));
      if (line === -1) line = lines.push([]) - 1;
      for (const one of columns) (lines[line] as boolean[])[one] = true;
      return { entry, column, span, line: line + 1, isContinued };
    });
}

export type EntryState = 'past' | 'active' | 'planned';

export function stateOfEntry({ startsAt, endsAt }: { startsAt: string; endsAt: string | null }, now: Date): EntryState {
  if (endsAt !== null && Date.parse(endsAt) <= now.getTime()) return 'past';
  return Date.parse(startsAt) <= now.getTime() ? 'active' : 'planned';
}

/** Returns the first entry that overlaps an occurrence. Entries that end when the occurrence starts do not overlap. */
export function overlapping(
  { startsAt, endsAt }: { startsAt: number; endsAt: number },
  entries: readonly CalendarEntry[],
): CalendarEntry | undefined {
  return entries.find(
    (entry) => Date.parse(entry.startsAt) < endsAt && (entry.endsAt === null || Date.parse(entry.endsAt) > startsAt),
  );
}
