/** By which column rows are put in order, and from which end. */
export interface Sort {
  column: string;
  descending: boolean;
}

/** What rows are put in order by. Null is where nothing is known. */
export type Sortable = string | number | Date | null | undefined;

/** Reads `-messages` out of an address that anybody may have written: what makes no sense is no order. */
export function readSort(value: string | undefined): Sort | null {
  const match = /^(-?)([A-Za-z]\w{0,63})$/.exec(value ?? '');
  return match?.[2] ? { column: match[2], descending: match[1] === '-' } : null;
}

export function writeSort(sort: Sort | null): string {
  return sort === null ? '' : `${sort.descending ? '-' : ''}${sort.column}`;
}

/** The same on every machine, whatever its language. */
const words = new Intl.Collator('en', { numeric: true });

/**
 * Rows in an order that somebody chose among some; without one, or with one that is not among them, as they were. Rows of equal
 * rank stay as they were too, and those of which nothing is known come last from either end.
 */
export function sortRows<R>(
  rows: readonly R[],
  sort: Sort | null,
  columns: Readonly<Record<string, (row: R) => Sortable>>,
): readonly R[] {
  const value = sort && Object.hasOwn(columns, sort.column) ? columns[sort.column] : undefined;
  if (!sort || !value) return rows;
  const sign = sort.descending ? -1 : 1;
  return rows
    .map((row) => ({ row, at: value(row) ?? null }))
    .toSorted((a, b) => {
      if (a.at === null || b.at === null) return Number(a.at === null) - Number(b.at === null);
      return sign * compare(a.at, b.at);
    })
    .map(({ row }) => row);
}

function compare(a: string | number | Date, b: string | number | Date): number {
  if (typeof a === 'string' || typeof b === 'string') return words.compare(String(a), String(b));
  return Number(a) - Number(b);
}
