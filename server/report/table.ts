import { createHash } from 'node:crypto';
import { localTime } from '../../domain/week.ts';

/** A report as a table, whatever it is written as afterwards. */
export type Cell = string | number | Date | null;

/** `share` is in per cent and has no heat where it is null; `seconds` is a length of time; the header of `money` names its currency. */
export type ColumnKind = 'text' | 'count' | 'share' | 'seconds' | 'money' | 'time';

export interface Column {
  header: string;
  kind: ColumnKind;
  /** Of money: its three letters, and how many figures paper has after the point. */
  currency?: string;
  figures?: number | undefined;
  /** A share that shows no heat, because it sums up others that do. */
  plain?: true;
  /** Seconds of which files have whole ones: how long one thing took, not the middle of many. */
  whole?: true;
  /** What paper says where there is nothing. */
  none?: string;
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
  /** The parts are severities, which have their own colours everywhere. */
  severities?: true;
}

/** A key figure, as the page shows it above its table, with how it was in the days before. */
export interface KeyFigure {
  name: string;
  value: string;
  unit?: string;
  before?: string;
}

/** A short table that paper has before the long one, as the page does. */
export interface Section {
  title: string;
  columns: readonly Column[];
  rows: readonly (readonly Cell[])[];
}

export interface ReportTable {
  /** What a file of it is called, without its ending. */
  name: string;
  title: string;
  /** The one site that it is about, for the name of its file. */
  site?: { uuid: string; site_id: string; name: string } | undefined;
  /** Its rows are of unit offices or of sites, as was asked. */
  rowsBy?: true;
  /** What it is about: the days, the unit office, the site. */
  about: string;
  /** In which order its rows are, as paper says it. */
  order: string;
  columns: readonly Column[];
  rows: AsyncIterable<readonly Cell[]> | Iterable<readonly Cell[]>;
  total?: readonly Cell[] | undefined;
  /** What every file says in place of rows, where there are none. */
  nothing?: string | undefined;
  /** What paper says of its rows, where the key figures count others; asked for only there. */
  rowsTitle?: () => Promise<string>;
  /** These are asked for only where they are shown. */
  picture?: (() => Promise<Picture>) | undefined;
  figures?: (() => Promise<KeyFigure[]>) | undefined;
  sections?: (() => Promise<Section[]>) | undefined;
  timeZone: string;
}

/** A section that is a report of its own as well. */
export type OrderedSection = Section & Pick<ReportTable, 'order'>;

/** What a report makes; the rest is the same for all of them. */
export type Made = Omit<ReportTable, 'name' | 'about' | 'timeZone'>;

const latin = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '');
const plain = (text: string) =>
  latin(text)
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
const NARROWED = 60;

/**
 * What narrows a report as a part of the name of its file: `Harbour-SMS-failed`. Where letters are left out because not every system
 * takes them, or the words are too long, their sum tells the file from others.
 */
export function narrowedFileName(words: readonly string[]): string {
  const [all, whole] = [words.join(' '), plain(words.join(' '))];
  const lost = /[^\p{ASCII}\p{P}\p{Z}]/u.test(latin(all)) || whole.length > NARROWED;
  const sum = lost ? createHash('sha256').update(all).digest('hex').slice(0, 8) : '';
  return [whole.slice(0, NARROWED).replace(/-$/, ''), sum].filter(Boolean).join('-');
}

/**
 * A site as a part of the name of a file, in letters that every system takes: `S-1-Quay-1`. Sites have IDs of their own; where letters
 * of one are left out, the beginning of its key tells the site from others.
 */
export function siteFileName({ uuid, site_id: id, name }: { uuid: string; site_id: string; name: string }): string {
  const parts = [plain(id), plain(name).slice(0, 60), plain(id) === id ? '' : uuid.slice(0, 8)];
  return parts.filter(Boolean).join('-');
}

/** Its rows and their total; in place of none, in the first column, why. */
export async function* linesOf({ columns, rows, total, nothing }: ReportTable): AsyncGenerator<readonly Cell[]> {
  let none = true;
  for await (const row of rows) {
    none = false;
    yield row;
  }
  if (total) yield total;
  else if (none && nothing) yield columns.map((_, place) => (place === 0 ? nothing : null));
}

/** A cell as files other than paper have it; whole seconds are cut off, as paper and the page cut them. */
export function fileCell<T extends Cell>(cell: T, column: Column | undefined): T | number {
  return column?.whole && typeof cell === 'number' ? Math.max(0, Math.floor(cell)) : cell;
}

export const text = (header: string, weight = 2): Column => ({ header, kind: 'text', weight });
export const counts = (...headers: string[]): Column[] =>
  headers.map((header) => ({ header, kind: 'count', weight: 1 }));
export const seconds = (header: string): Column => ({ header, kind: 'seconds', weight: 1.3 });
export const wholeSeconds = (header: string): Column => ({ ...seconds(header), whole: true, weight: 1.7 });
export const time = (header: string): Column => ({ header, kind: 'time', weight: 2.3 });

/**
 * The time on the customer's wall with how far it is ahead of UTC, because an hour comes twice a year:
 * `2025-10-26 02:30:00 +01:00`.
 */
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

/** A spreadsheet knows no zones: the moment that shows the customer's wall clock, to the second. */
export function wallClock(at: Date, timeZone: string): Date {
  return new Date(Math.floor((at.getTime() + offsetAt(at, timeZone)) / 1000) * 1000);
}

const MINUTE = 60_000;
/** Zones change their clocks at a quarter of an hour, so within one the wall keeps its distance from UTC. */
const QUARTER = 15 * MINUTE;
const KEPT = 10_000;
const offsets = new Map<string, Map<number, number>>();

/** How far the wall clock is ahead of UTC. To ask the calendar for every cell would be most of the work of a long file. */
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
