import { createHash } from 'node:crypto';
import { localTime } from '../../domain/week.ts';

/** A cell of a report table, independent of the file format. */
export type Cell = string | number | Date | null;

/** `share` is in per cent, with a heat colour unless it is null. `seconds` is a duration. The header of `money` names the currency. */
export type ColumnKind = 'text' | 'count' | 'share' | 'seconds' | 'money' | 'time';

export interface Column {
  header: string;
  kind: ColumnKind;
  /** For money: the ISO currency code, and the number of decimals in a PDF. */
  currency?: string;
  figures?: number | undefined;
  /** No heat colour, because the share sums up cells that have one. */
  plain?: true;
  /** Files have whole seconds: the duration of one event, not an average. */
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
  /** Value of a full-height bar; defaults to the highest bar. */
  most?: number;
  bars: readonly { label: string; values: readonly number[] }[];
  /** The parts are severities and use the severity colours. */
  severities?: true;
}

/** Key figure above the table, with its value in the previous period. */
export interface KeyFigure {
  name: string;
  value: string;
  unit?: string;
  before?: string;
}

/** Short table before the main one in a PDF. */
export interface Section {
  title: string;
  columns: readonly Column[];
  rows: readonly (readonly Cell[])[];
}

export interface ReportTable {
  /** File name without extension. */
  name: string;
  title: string;
  /** The only site of the report, for the file name. */
  site?: { uuid: string; site_id: string; name: string } | undefined;
  /** The rows are unit offices or sites, depending on `by`. */
  rowsBy?: true;
  /** Date range, unit office and site. */
  about: string;
  /** Describes the sort order, for PDF files. */
  order: string;
  columns: readonly Column[];
  rows: AsyncIterable<readonly Cell[]> | Iterable<readonly Cell[]>;
  total?: readonly Cell[] | undefined;
  /** Written instead of rows when there are none. */
  nothing?: string | undefined;
  /** PDF heading of the rows, when the key figures count other rows. Queried only for PDF files. */
  rowsTitle?: () => Promise<string>;
  /** Queried only for formats that show them. */
  picture?: (() => Promise<Picture>) | undefined;
  figures?: (() => Promise<KeyFigure[]>) | undefined;
  sections?: (() => Promise<Section[]>) | undefined;
  timeZone: string;
}

/** A section that can also be downloaded as a report. */
export type OrderedSection = Section & Pick<ReportTable, 'order'>;

/** The parts that each report provides; the rest is the same for all. */
export type ReportContent = Omit<ReportTable, 'name' | 'about' | 'timeZone'>;

const latin = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '');
const plain = (text: string) =>
  latin(text)
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
const NARROWED = 60;

/**
 * The filters as a part of the file name: `Harbour-SMS-failed`. When characters are left out or the text is cut, a hash keeps the name
 * unique.
 */
export function narrowedFileName(words: readonly string[]): string {
  const [all, whole] = [words.join(' '), plain(words.join(' '))];
  const lost = /[^\p{ASCII}\p{P}\p{Z}]/u.test(latin(all)) || whole.length > NARROWED;
  const sum = lost ? createHash('sha256').update(all).digest('hex').slice(0, 8) : '';
  return [whole.slice(0, NARROWED).replace(/-$/, ''), sum].filter(Boolean).join('-');
}

/**
 * A site as a part of the file name, in ASCII: `S-1-Quay-1`. When characters of the site ID are left out, the start of its uuid keeps
 * the name unique.
 */
export function siteFileName({ uuid, site_id: id, name }: { uuid: string; site_id: string; name: string }): string {
  const parts = [plain(id), plain(name).slice(0, 60), plain(id) === id ? '' : uuid.slice(0, 8)];
  return parts.filter(Boolean).join('-');
}

/** The rows and the total row. Without rows, one line whose first cell says why. */
export async function* linesOf({ columns, rows, total, nothing }: ReportTable): AsyncGenerator<readonly Cell[]> {
  let none = true;
  for await (const row of rows) {
    none = false;
    yield row;
  }
  if (total) yield total;
  else if (none && nothing) yield columns.map((_, place) => (place === 0 ? nothing : null));
}

/** The cell value for CSV and XLSX. Whole seconds are rounded down, as on the page and in the PDF. */
export function fileCell<T extends Cell>(cell: T, column: Column | undefined): T | number {
  return column?.whole && typeof cell === 'number' ? Math.max(0, Math.floor(cell)) : cell;
}

export const text = (header: string, weight = 2): Column => ({ header, kind: 'text', weight });
export const counts = (...headers: string[]): Column[] =>
  headers.map((header) => ({ header, kind: 'count', weight: 1 }));
export const seconds = (header: string): Column => ({ header, kind: 'seconds', weight: 1.3 });
export const wholeSeconds = (header: string): Column => ({ ...seconds(header), whole: true, weight: 1.7 });
export const time = (header: string): Column => ({ header, kind: 'time', weight: 2.3 });

/** Local time in the customer's time zone with its UTC offset, because one hour occurs twice a year: `2025-10-26 02:30:00 +01:00`. */
export function writeTime(at: Date, timeZone: string): string {
  const wall = new Date(at.getTime() + offsetAt(at, timeZone)).toISOString();
  return `${wall.slice(0, 10)} ${wall.slice(11, 19)} ${writeOffset(at, timeZone)}`;
}

/** The UTC offset of the customer's time zone at a moment: `+01:00`. */
export function writeOffset(at: Date, timeZone: string): string {
  const offset = offsetAt(at, timeZone);
  const minutes = Math.round(Math.abs(offset) / MINUTE);
  const ahead = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
  return `${offset < 0 ? '-' : '+'}${ahead}`;
}

/** Spreadsheets have no time zones. Returns the moment whose UTC time equals the customer's local time, to the second. */
export function wallClock(at: Date, timeZone: string): Date {
  return new Date(Math.floor((at.getTime() + offsetAt(at, timeZone)) / 1000) * 1000);
}

const MINUTE = 60_000;
/** UTC offsets change only on a quarter of an hour, so within a quarter the offset is constant. */
const QUARTER = 15 * MINUTE;
const KEPT = 10_000;
const offsets = new Map<string, Map<number, number>>();

/** UTC offset in milliseconds, cached: asking Intl for each cell would dominate the time for a long file. */
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
