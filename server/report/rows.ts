import type { Cell } from './table.ts';

export type Rows = AsyncGenerator<readonly Cell[]>;

const PORTION = 500;

/**
 * A long list in portions, each asked for by itself from where the one before ended. No transaction stays open while
 * somebody's connection takes its time, and nothing is held but the portion. `ask` must bound the time by `<=`, without an
 * exception for the first portion, and not only compare time and uuid together, or the database reads every portion from the
 * beginning of the range.
 */
export async function* rowsByKey(
  ask: (afterUuid: string, beforeTime: string, limit: number) => Promise<any[]>,
  cells: (row: any) => readonly Cell[],
): Rows {
  let last: { at: string; uuid: string } = { at: 'infinity', uuid: '00000000-0000-0000-0000-000000000000' };
  for (;;) {
    const portion: any[] = await ask(last.uuid, last.at, PORTION);
    for (const row of portion) yield cells(row);
    if (portion.length < PORTION) return;
    last = portion.at(-1);
  }
}

/** The rows of a table whose keys are the first value of a question, each with its place `k.place` among them. */
export function keyed(table: string): string {
  const [, alias] = table.split(' ');
  return `unnest($1::uuid[]) with ordinality k (uuid, place) join ${table} on ${alias}.uuid = k.uuid`;
}

/**
 * A long list in an order that somebody chose. First come the keys of all its rows, because only all of them can be put in order; then
 * the rows, in portions by their keys. A row that is gone by then is left out.
 */
export async function* rowsByOrder(
  keys: () => Promise<{ uuid: string }[]>,
  ask: (uuids: readonly string[]) => Promise<any[]>,
  cells: (row: any) => readonly Cell[],
): Rows {
  const uuids = (await keys()).map(({ uuid }) => uuid);
  for (let first = 0; first < uuids.length; first += PORTION) {
    for (const row of await ask(uuids.slice(first, first + PORTION))) yield cells(row);
  }
}
