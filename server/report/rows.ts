import type { Cell } from './table.ts';

export type Rows = AsyncGenerator<readonly Cell[]>;

const PORTION = 2000;

/**
 * A long list in portions, each asked for by itself from where the one before ended. No transaction stays open while
 * somebody's connection takes its time, and nothing is held but the portion. `ask` must bound the time by `<=` and not only
 * compare time and uuid together, or the database reads every portion from the beginning of the range.
 */
export async function* rowsByKey(
  ask: (afterUuid: string | null, beforeTime: string | null, limit: number) => Promise<any[]>,
  cells: (row: any) => readonly Cell[],
): Rows {
  let last: { at: string; uuid: string } | undefined;
  for (;;) {
    const portion: any[] = await ask(last?.uuid ?? null, last?.at ?? null, PORTION);
    for (const row of portion) yield cells(row);
    last = portion.at(-1);
    if (portion.length < PORTION) return;
  }
}
