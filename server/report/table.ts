import { createHash } from 'node:crypto';
import { localTime } from '../../domain/week.ts';

/** A cell of a report table, independent of the file format. */
export type Cell = string | number | Date | null;

/**
 * `share` is a percentage; its cells are coloured by value, except null cells. `decimal` is a number with up to two
 * decimals. `seconds` is a duration. The header of a `money` column contains the currency.
 */
export type ColumnKind = 'text' | 'count' | 'decimal' | 'share' | 'seconds' | 'money' | 'time';

export interface Column {
  header: string;
  kind: ColumnKind;
  /** ISO 4217 code of the currency; only for `money`. */
  currency?: string;
  /** Number of decimals of a `money` column in a PDF. */
  figures?: number | undefined;
  /** Turns off the heat colour of a share, for a column that summarises other columns. */
  plain?: true;
  /** True for durations of single events, which are written in whole seconds. Mean durations keep their decimals. */
  whole?: true;
  /** Text for an empty cell in a PDF. */
  none?: string;
  /** Relative column width in a PDF. */
  weight?: number;
}

/** Stacked bar chart above the table. */
export interface Picture {
  title: string;
  /** Names of the bar parts, from the bottom up. */
  parts: readonly string[];
  /** Value at which a bar has full height; by default the highest value. */
  most?: number;
  bars: readonly { label: string; values: readonly number[] }[];
  /** True if the bar parts are severities. The bars then use the severity colours. */
  severities?: true;
}

/** A key figure above the table, with its value in the previous period. */
export interface KeyFigure {
  name: string;
  value: string;
  unit?: string;
  before?: string;
}

/** A short table before the main table in a PDF. */
export interface Section {
  title: string;
  columns: readonly Column[];
  rows: readonly (readonly Cell[])[];
}

export interface ReportTable {
  /** Name of the worksheet in an XLSX file. */
  name: string;
  title: string;
  /** Site of a report about a single site. Used in the file name. */
  site?: { uuid: string; site_id: string; name: string } | undefined;
  /** True if the rows are unit offices or sites, depending on `by`. */
  rowsBy?: true;
  /** Description of the date range and the filters. */
  about: string;
  /** Description of the sort order, shown in PDF files. */
  order: string;
  columns: readonly Column[];
  rows: AsyncIterable<readonly Cell[]> | Iterable<readonly Cell[]>;
  total?: readonly Cell[] | undefined;
  /** Text that is shown if there are no rows. */
  nothing?: string | undefined;
  /**
   * Returns the PDF heading above the rows. Only for reports whose key figures and list contain different rows. Called
   * only for PDF files.
   */
  rowsTitle?: () => Promise<string>;
  /** Loads the chart. Called only for formats that show it. */
  picture?: (() => Promise<Picture>) | undefined;
  /** Loads the key figures. Called only for formats that show them. */
  figures?: (() => Promise<KeyFigure[]>) | undefined;
  /** Loads the sections. Called only for formats that show them. */
  sections?: (() => Promise<Section[]>) | undefined;
  timeZone: string;
}

/** A section that can also be downloaded as a separate report. */
export type OrderedSection = Section & Pick<ReportTable, 'order'>;

/** Fields of a ReportTable that the report itself provides. The route adds all others. */
export type ReportContent = Omit<ReportTable, 'name' | 'about' | 'timeZone'>;

const latin = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '');
const plain = (text: string) =>
  latin(text)
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
const NARROWED = 60;

/**
 * Returns the part of a file name that lists the filters, such as `Harbour-SMS-failed`. If characters were removed or
 * the text was truncated, adds a hash to keep the name unique.
 */
export function narrowedFileName(words: readonly string[]): string {
  const [all, whole] = [words.join(' '), plain(words.join(' '))];
  const lost = /[^\p{ASCII}\p{P}\p{Z}]/u.test(latin(all)) || whole.length > NARROWED;
  const sum = lost ? createHash('sha256').update(all).digest('hex').slice(0, 8) : '';
  return [whole.slice(0, NARROWED).replace(/-$/, ''), sum].filter(Boolean).join('-');
}

/**
 * Returns the part of a file name that identifies the site, in ASCII, such as `S-1-Quay-1`. If characters of the site
 * ID were replaced, adds the start of the uuid to keep the name unique.
 */
export function siteFileName({ uuid, site_id: id, name }: { uuid: string; site_id: string; name: string }): string {
  const parts = [plain(id), plain(name).slice(0, 60), plain(id) === id ? '' : uuid.slice(0, 8)];
  return parts.filter(Boolean).join('-');
}

/**
 * Yields the rows and the total row. If there are neither rows nor a total, yields one line with the text `nothing` in
 * the first cell.
 */
export async function* linesOf({ columns, rows, total, nothing }: ReportTable): AsyncGenerator<readonly Cell[]> {
  let none = true;
  for await (const row of rows) {
    none = false;
    yield row;
  }
  if (total) yield total;
  else if (none && nothing) yield columns.map((_, place) => (place === 0 ? nothing : null));
}

/**
 * Returns the cell value for CSV and XLSX. Durations in whole seconds are rounded down, as in the console and in the
 * PDF.
 */
export function fileCell<T extends Cell>(cell: T, column: Column | undefined): T | number {
  return column?.whole && typeof cell === 'number' ? Math.max(0, Math.floor(cell)) : cell;
}

export const text = (header: string, weight = 2): Column => ({ header, kind: 'text', weight });
export const counts = (...headers: string[]): Column[] =>
  headers.map((header) => ({ header, kind: 'count', weight: 1 }));
export const decimal = (header: string): Column => ({ header, kind: 'decimal', weight: 1 });
export const seconds = (header: string): Column => ({ header, kind: 'seconds', weight: 1.3 });
export const wholeSeconds = (header: string): Column => ({ ...seconds(header), whole: true, weight: 1.7 });
export const time = (header: string): Column => ({ header, kind: 'time', weight: 2.3 });

/**
 * Formats a time in the customer's time zone, such as `2025-10-26 02:30:00 +01:00`. The UTC offset is included, because
 * one local hour occurs twice when daylight saving time ends.
 */
export function writeTime(at: Date, timeZone: string): string {
  const wall = new Date(at.getTime() + offsetAt(at, timeZone)).toISOString();
  return `${wall.slice(0, 10)} ${wall.slice(11, 19)} ${writeOffset(at, timeZone)}`;
}

/** Returns the UTC offset of the time zone at a given time, such as `+01:00`. */
export function writeOffset(at: Date, timeZone: string): string {
  const offset = offsetAt(at, timeZone);
  const minutes = Math.round(Math.abs(offset) / MINUTE);
  const ahead = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
  return `${offset < 0 ? '-' : '+'}${ahead}`;
}

/**
 * Returns a time whose UTC fields equal the customer's local time, to the second. For spreadsheets, which have no time
 * zones.
 */
export function wallClock(at: Date, timeZone: string): Date {
  return new Date(Math.floor((at.getTime() + offsetAt(at, timeZone)) / 1000) * 1000);
}

const MINUTE = 60_000;
/**
 * A cached UTC offset is valid until the end of the quarter hour, because UTC offsets change only at full quarter
 * hours.
 */
const QUARTER = 15 * MINUTE;
const KEPT = 10_000;
const offsets = new Map<string, Map<number, number>>();

/**
 * Returns the UTC offset in milliseconds. Offsets are cached, because calling Intl for each cell would make long files
 * slow.
 */
function offsetAt(at: Date, timeZone: string): number {
  const known = offsets.get(timeZone) ?? new Map<number, number>();
  offsets.set(timeZone, known);
  const quarter = Math.floor(at.getTime() / QUARTER);
  let offset = known.get(quarter);
  if (offset === undefined) {
    const { year, month, day, hour, minute, second } = localTime(new Date(quarter * QUARTER), timeZone);
    offset = Date.UTC(year, month - 1, day, hour, minute, second) - quarter * QUARTER;
    if (known.size >= KEPT) known.clear();
    known.set(quarter, offset);
  }
  return offset;
}
