import type { Sortable } from '../order.ts';
import { roundPercent } from './percent.ts';

/** Received and expected health slots of one cell in the heat table. */
export interface Cell {
  received: number;
  expected: number;
}

export interface HealthRow {
  id: string;
  name: string;
  /** Number of sites in the row. */
  sites: number;
  /** Unit office of the site; empty if the row itself is a unit office. */
  office: string;
  /** The cells of twelve weeks, oldest first, followed by the cell of today; or the cells of twelve whole months. */
  cells: Cell[];
}

/** Period that one column of the heat table covers. */
export const healthPeriods = ['week', 'month'] as const;
export type HealthPeriod = (typeof healthPeriods)[number];

/**
 * Returns the percentage of the expected slots that were received; null if no slot was expected. No slot is expected
 * before a site was added, or before the first slot of a day has ended.
 */
export function share({ received, expected }: Cell): number | null {
  return expected === 0 ? null : Math.min(100, (100 * received) / expected);
}

/** Formats a share with one decimal and without a per cent sign; `–` for null. */
export function formatShare(percent: number | null): string {
  const written = roundShare(percent);
  if (written === null) {
    return '–';
  }
  return written === 100 ? '100' : written.toFixed(1);
}

export function roundShare(percent: number | null): number | null {
  return percent === null ? null : roundPercent(percent);
}

/**
 * Returns the heat colour of a share: 0 has no fill, 4 is the strongest violet. Uses the rounded share, so that colour
 * and number agree.
 */
export function heatLevel(percent: number | null): 0 | 1 | 2 | 3 | 4 {
  const written = roundShare(percent);
  if (written === null || written >= 97) {
    return 0;
  }
  return written >= 93 ? 1 : written >= 85 ? 2 : written >= 65 ? 3 : 4;
}

/**
 * Formats the share of a cell. If no slot was expected, returns the reason: no site existed, or the first slot has not
 * ended.
 */
export function shareWords(cell: Cell, since: Date | null, end: Date): string {
  if (cell.expected > 0) return `${formatShare(share(cell))} %`;
  return isBeforeSites(since, end) ? 'no site yet' : 'nothing expected yet';
}

/** Returns whether the period ended before the first site was added. */
export function isBeforeSites(since: Date | null, end: Date): boolean {
  return since === null || since >= end;
}

/** Returns whether no data has arrived since the gap began. */
export function isGapOpen(gapFrom: Date, lastContact: Date | null): boolean {
  return lastContact !== null && lastContact <= gapFrom;
}

export function sumCells(cells: readonly Cell[]): Cell {
  return cells.reduce(
    (sum, cell) => ({ received: sum.received + cell.received, expected: sum.expected + cell.expected }),
    { received: 0, expected: 0 },
  );
}

export function totalOf(row: Pick<HealthRow, 'cells'>): Cell {
  return sumCells(row.cells);
}

/**
 * Formats the value of the previous twelve periods. If fewer than half as many slots were expected then as in the
 * current periods, the text says that there is not enough data to compare.
 */
export function previousPeriodsWords(each: HealthPeriod, total: Cell, before: Cell, value: string): string {
  const words = `12 ${each}s before`;
  if (before.expected === 0) return `${words}: no site yet`;
  return 2 * before.expected < total.expected ? `${words}: not enough data to compare` : `${words} ${value}`;
}

/** Formats the value of the previous month. If no slot was expected, `words` is the reason and follows a colon. */
export function previousMonthWords(name: string, { expected }: Cell, words: string): string {
  return expected > 0 ? `${name} ${words}` : `${name}: ${words}`;
}

/**
 * Counts the unit offices or sites below 97 % (`under`), and all unit offices or sites (`of`). Leaves out the row
 * without a unit office and rows for which no slot was expected.
 */
export function countBelowTarget(rows: readonly HealthRow[]): { under: number; of: number } {
  const named = rows.filter((row) => row.id !== '' && totalOf(row).expected > 0);
  return { under: named.filter((row) => heatLevel(share(totalOf(row))) > 0).length, of: named.length };
}

export function sumRows(rows: readonly HealthRow[]): Omit<HealthRow, 'id' | 'name' | 'office'> {
  const places = rows[0]?.cells.length ?? 0;
  return {
    sites: rows.reduce((sum, row) => sum + row.sites, 0),
    cells: Array.from({ length: places }, (_, place) => sumCells(rows.flatMap((row) => row.cells[place] ?? []))),
  };
}

/**
 * Functions that return the sort value of a row, keyed by column. Shares are sorted by the rounded value that is shown.
 */
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

/** Sorts by total share, lowest first, then by name. Rows for which no slot was expected come last. */
export function worstFirst<Row extends HealthRow>(rows: readonly Row[]): Row[] {
  const key = (row: HealthRow) => share(totalOf(row)) ?? Number.POSITIVE_INFINITY;
  return rows
    .map((row) => ({ row, at: key(row) }))
    .toSorted((a, b) => (a.at === b.at ? a.row.name.localeCompare(b.row.name) : a.at - b.at))
    .map(({ row }) => row);
}
