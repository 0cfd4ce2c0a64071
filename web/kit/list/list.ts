import type { ResultOf } from '../../api/graphql.ts';
import { type ListView, offsetOf, type Sort } from '../../ui/table/list-view.ts';

/** One page of a list, with the total number of rows. */
export interface ListPage<T> {
  rows: T[];
  total: number;
}

interface Connection<T> {
  nodes: readonly (T | null)[];
  totalCount: number;
}

/**
 * Returns the rows and the total of a connection. Omits null rows: the server returns null for a record that the user
 * is not allowed to see.
 */
export function pageOf<T>(connection: Connection<T> | null): ListPage<T> {
  return { rows: rowsOf(connection), total: connection?.totalCount ?? 0 };
}

export function rowsOf<T>(connection: { nodes: readonly (T | null)[] } | null | undefined): T[] {
  return (connection?.nodes ?? []).filter((node): node is T => node !== null);
}

/** Type of the rows of the connection `Name` in a document's result. */
export type RowOf<D, Name extends keyof ResultOf<D>> =
  NonNullable<ResultOf<D>[Name]> extends { nodes: readonly (infer Node)[] } ? NonNullable<Node> : never;

/** Returns the limit and offset of the view's page. */
export function windowOf(view: Pick<ListView, 'page' | 'size'>): { first: number; offset: number } {
  return { first: view.size, offset: offsetOf(view) };
}

/**
 * Returns the server's sort order for a view. `columns` maps columns to server names; for a column that is not listed,
 * the default order applies. The primary key comes last, so that rows with equal values always appear in the same
 * order. It is sorted in the same direction as the column, so that the database can scan an index backwards.
 */
export function orderOf<Name extends string>(
  sort: Sort | null,
  columns: Readonly<Record<string, Name>>,
  usual: NoInfer<`${Name}_ASC` | `${Name}_DESC`>,
): (`${Name}_ASC` | `${Name}_DESC` | 'PRIMARY_KEY_ASC' | 'PRIMARY_KEY_DESC')[] {
  const name = sort && Object.hasOwn(columns, sort.column) ? columns[sort.column] : undefined;
  const order = name === undefined ? usual : sort?.descending ? (`${name}_DESC` as const) : (`${name}_ASC` as const);
  return [order, order.endsWith('_DESC') ? 'PRIMARY_KEY_DESC' : 'PRIMARY_KEY_ASC'];
}

const MOST_WORDS = 8;

export function wordsOf(search: string): string[] {
  return search.split(/\s+/).filter(Boolean).slice(0, MOST_WORDS);
}

/** Returns a filter that requires every word of the search in at least one of the fields. */
export function everyWord<F>(search: string, places: (word: { includesInsensitive: string }) => F[]): { or: F[] }[] {
  return wordsOf(search).map((word) => ({ or: places({ includesInsensitive: word }) }));
}

/** Parses a number from a filter in the URL; undefined if it is invalid. */
export function wholeNumber(value: string | undefined): number | undefined {
  return value !== undefined && /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}

/** Returns a uuid from a filter in the URL; undefined if it is invalid, because the server would refuse it. */
export function key(value: string | undefined): string | undefined {
  return value !== undefined && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value) ? value : undefined;
}
