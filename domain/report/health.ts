import type { Sortable } from '../order.ts';
import { roundPercent } from './percent.ts';

/** Received of expected, as the heat table shows it. */
export interface Cell {
  received: number;
  expected: number;
}

export interface HealthRow {
  id: string;
  name: string;
  /** How many sites stand behind the row. */
  sites: number;
  /** The unit office of a site; empty in a row that is one itself. */
  office: string;
  /** Twelve weeks, oldest first, and today; or twelve whole months. */
  cells: Cell[];
}

/** What a column of the table is: a week, or a whole month. */
export const healthPeriods = ['week', 'month'] as const;
export type HealthPeriod = (typeof healthPeriods)[number];

/** The share in per cent, or null where nothing was expected: before a site was there, and in the first hours of a day. */
export function share({ received, expected }: Cell): number | null {
  return expected === 0 ? null : Math.min(100, (100 * received) / expected);
}

/** As every share is written, without its sign. */
export function formatShare(percent: number | null): string {
  const written = roundShare(percent);
  if (written === null) {
    return '–';
  }
  return written === 100 ? '100' : written.toFixed(1);
}

/** The same as a number. */
export function roundShare(percent: number | null): number | null {
  return percent === null ? null : roundPercent(percent);
}

/** 0 has no fill; violet grows with what is missing. It goes by the share as it is written, so that no cell shows more than its colour. */
export function heatLevel(percent: number | null): 0 | 1 | 2 | 3 | 4 {
  const written = roundShare(percent);
  if (written === null || written >= 97) {
    return 0;
  }
  return written >= 93 ? 1 : written >= 85 ? 2 : written >= 65 ? 3 : 4;
}

/** Received of expected in words, or why nothing was expected until then: there was no site, or its first slot has not ended. */
export function shareWords(cell: Cell, since: Date | null, end: Date): string {
  if (cell.expected > 0) return `${formatShare(share(cell))} %`;
  return isBeforeSites(since, end) ? 'no site yet' : 'nothing expected yet';
}

/** Whether these days were over before the first site was made. */
export function isBeforeSites(since: Date | null, end: Date): boolean {
  return since === null || since >= end;
}

/** Whether nothing has arrived since a gap began, as far as is known. */
export function isGapOpen(gapFrom: Date, lastContact: Date | null): boolean {
  return lastContact !== null && lastContact <= gapFrom;
}

export function sumCells(cells: readonly Cell[]): Cell {
  return cells.reduce(
    (sum, cell) => ({ received: sum.received + cell.received, expected: sum.expected + cell.expected }),
    { received: 0, expected: 0 },
  );
}

/** The twelve weeks and today together, or the twelve months. */
export function totalOf(row: Pick<HealthRow, 'cells'>): Cell {
  return sumCells(row.cells);
}

/** How something was in the twelve before, or that these hold too little: a plant that has just begun had nothing to be better than. */
export function previousPeriodsWords(each: HealthPeriod, total: Cell, before: Cell, value: string): string {
  const words = `12 ${each}s before`;
  if (before.expected === 0) return `${words}: no site yet`;
  return 2 * before.expected < total.expected ? `${words}: not enough data to compare` : `${words} ${value}`;
}

/** How it was in the month before, in which so much was received. */
export function previousMonthWords(name: string, { expected }: Cell, words: string): string {
  return expected > 0 ? `${name} ${words}` : `${name}: ${words}`;
}

/**
 * How many unit offices or sites are under 97 %, of how many. The row of what belongs to no unit office is none, and neither is one of
 * which nothing was expected: it was made later.
 */
export function countBelowTarget(rows: readonly HealthRow[]): { under: number; of: number } {
  const named = rows.filter((row) => row.id !== '' && totalOf(row).expected > 0);
  return { under: named.filter((row) => heatLevel(share(totalOf(row))) > 0).length, of: named.length };
}

/** The row of all rows. */
export function sumRows(rows: readonly HealthRow[]): Omit<HealthRow, 'id' | 'name' | 'office'> {
  const places = rows[0]?.cells.length ?? 0;
  return {
    sites: rows.reduce((sum, row) => sum + row.sites, 0),
    cells: Array.from({ length: places }, (_, place) => sumCells(rows.flatMap((row) => row.cells[place] ?? []))),
  };
}

/** What rows can be put in order by: each share as it is written. */
export const healthOrders: Readonly<Record<string, (row: HealthRow) => Sortable>> = {
  name: ({ name }) => name,
  sites: ({ sites }) => sites,
  office: ({ office }) => office || null,
  ...Object.fromEntries(
    Array.from({ length: 12 }, (_, week) => [`w${week + 1}`, ({ cells }: HealthRow) => shareAt(cells[week])]),
  ),
  today: ({ cells }) => shareAt(cells[12]),
  total: (row) => shareAt(totalOf(row)),
  received: (row) => totalOf(row).received,
};

function shareAt(cell: Cell | undefined): number | null {
  return cell ? roundShare(share(cell)) : null;
}

/** Worst first: by the total, and by name where it is the same. Rows of which nothing was expected come last. */
export function worstFirst<Row extends HealthRow>(rows: readonly Row[]): Row[] {
  const key = (row: HealthRow) => share(totalOf(row)) ?? Number.POSITIVE_INFINITY;
  return rows
    .map((row) => ({ row, at: key(row) }))
    .toSorted((a, b) => (a.at === b.at ? a.row.name.localeCompare(b.row.name) : a.at - b.at))
    .map(({ row }) => row);
}
