import type { ResultOf } from '../../api/graphql.ts';
import { type ListView, offsetOf, type Sort } from '../../ui/table/list-view.ts';

/** One page of a list as the server cut it, and how many rows there are on all pages. */
export interface ListPage<T> {
  rows: T[];
  total: number;
}

interface Connection<T> {
  nodes: readonly (T | null)[];
  totalCount: number;
}

/** The rows of a connection. A null in it is a row the person may not see. */
export function pageOf<T>(connection: Connection<T> | null): ListPage<T> {
  return { rows: rowsOf(connection), total: connection?.totalCount ?? 0 };
}

export function rowsOf<T>(connection: { nodes: readonly (T | null)[] } | null | undefined): T[] {
  return (connection?.nodes ?? []).filter((node): node is T => node !== null);
}

/** One row of the connection that a document asks for under the name. */
export type RowOf<D, Name extends keyof ResultOf<D>> =
  NonNullable<ResultOf<D>[Name]> extends { nodes: readonly (infer Node)[] } ? NonNullable<Node> : never;

/** The part of the list that the view shows. */
export function windowOf(view: Pick<ListView, 'page' | 'size'>): { first: number; offset: number } {
  return { first: view.size, offset: offsetOf(view) };
}

/**
 * The server's order for a view. `columns` names what the server calls each column that it can order by; an address with
 * any other column gets the usual order. The key comes last, so that rows of equal rank keep their page, and in the same
 * direction, so that an index can be read backwards.
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

/** Every word of the search has to be found in one of the places. */
export function everyWord<F>(search: string, places: (word: { includesInsensitive: string }) => F[]): { or: F[] }[] {
  return wordsOf(search).map((word) => ({ or: places({ includesInsensitive: word }) }));
}

/** A number out of a filter of the address, or undefined where it is none: such a filter filters nothing. */
export function wholeNumber(value: string | undefined): number | undefined {
  return value !== undefined && /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}

/** A key out of a filter of the address. What cannot be one would only be refused by the server. */
export function key(value: string | undefined): string | undefined {
  return value !== undefined && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value) ? value : undefined;
}
