export interface Sort {
  column: string;
  descending: boolean;
}

/** Sort key of a row. Null and undefined mean that the value is unknown. */
export type Sortable = string | number | Date | null | undefined;

/** Parses a sort parameter of the URL, such as `-messages`. Returns null if it is invalid. */
export function readSort(value: string | undefined): Sort | null {
  const match = /^(-?)([A-Za-z]\w{0,63})$/.exec(value ?? '');
  return match?.[2] ? { column: match[2], descending: match[1] === '-' } : null;
}

export function writeSort(sort: Sort | null): string {
  return sort === null ? '' : `${sort.descending ? '-' : ''}${sort.column}`;
}

/** A fixed locale, so that the order is the same on every machine. */
const words = new Intl.Collator('en', { numeric: true });

/**
 * Sorts rows by one of `columns`. If the sort order is null or refers to an unknown column, the order of the rows does
 * not change. The sort is stable, and unknown values come last in both directions.
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
