/** A report as a table, whatever it is written as afterwards. */
export type Cell = string | number | Date | null;

/** `share` is in per cent and has no heat where it is null; `seconds` is a length of time. */
export type ColumnKind = 'text' | 'count' | 'share' | 'seconds' | 'time';

export interface Column {
  header: string;
  kind: ColumnKind;
  /** How much room it wants on paper, beside the others. */
  weight?: number;
}

/** Stacked bars: what a page shows above its table. */
export interface Picture {
  title: string;
  /** The names of the parts of a bar, from below. */
  parts: readonly string[];
  /** What a bar of the full height stands for; without it the highest. */
  most?: number;
  bars: readonly { label: string; values: readonly number[] }[];
}

export interface ReportTable {
  /** What a file of it is called, without its ending. */
  name: string;
  title: string;
  /** What it is about: the days, the unit office, the site. */
  about: string;
  columns: readonly Column[];
  rows: AsyncIterable<readonly Cell[]> | Iterable<readonly Cell[]>;
  total?: readonly Cell[] | undefined;
  picture?: Picture | undefined;
  timeZone: string;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** The time on the customer's wall with how far it is ahead of UTC, because an hour comes twice a year: `2025-10-26 02:30:00 +01:00`. */
export function writeTime(at: Date, timeZone: string): string {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', {
      timeZone,
      ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' },
      hourCycle: 'h23',
      timeZoneName: 'longOffset',
    });
    formats.set(timeZone, format);
  }
  const part = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  const offset = part.timeZoneName === 'GMT' ? '+00:00' : part.timeZoneName?.slice(3);
  return `${part.year}-${part.month}-${part.day} ${part.hour}:${part.minute}:${part.second} ${offset}`;
}

/** A spreadsheet knows no zones: the moment that shows the customer's wall clock. */
export function wallClock(at: Date, timeZone: string): Date {
  return new Date(`${writeTime(at, timeZone).slice(0, 19).replace(' ', 'T')}Z`);
}
