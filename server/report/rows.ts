import type { Cell } from './table.ts';

export type Rows = AsyncGenerator<readonly Cell[]>;

const PORTION = 500;

/**
 * Reads a long list in portions, each after the last row of the previous one. No transaction stays open during a slow
 * download, and only one portion is in memory. `ask` must compare (time, uuid) pairs and also filter the time with
 * `<=`; without that filter, the database would read every portion from the start of the range.
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

/**
 * Returns SQL that joins a table to the list of uuids in parameter 1. `k.place` is the position of a uuid in the list.
 */
export function joinUuids(table: string): string {
  const [, alias] = table.split(' ');
  return `unnest($1::uuid[]) with ordinality k (uuid, place) join ${table} on ${alias}.uuid = k.uuid`;
}

/**
 * Reads a long list in a chosen sort order: first the uuids of all rows, then the rows in portions. Leaves out rows
 * that are deleted before their portion is read.
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
