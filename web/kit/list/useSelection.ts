import { useState } from 'react';

export interface Selection<T> {
  selection: ReadonlySet<string>;
  onSelectionChange: (next: ReadonlySet<string>) => void;
  /** The selected rows, including those on other pages. */
  chosen: readonly T[];
  choose: (rows: readonly T[]) => void;
}

/** Manages the selected rows of a list. They stay selected across pages and sort orders. */
export function useSelection<T>(rows: readonly T[] | undefined, idOf: (row: T) => string): Selection<T> {
  const [chosen, setChosen] = useState<ReadonlyMap<string, T>>(new Map());
  const inSight = new Map((rows ?? []).map((row) => [idOf(row), row] as const));
  const keep = (list: readonly T[]) => setChosen(new Map(list.map((row) => [idOf(row), row])));
  return {
    selection: new Set(chosen.keys()),
    onSelectionChange: (next) => {
      const known = new Map([...chosen, ...inSight]);
      keep([...next].flatMap((id) => known.get(id) ?? []));
    },
    // Rows on this page contain current data. Rows on other pages contain the data from when they were selected.
    chosen: [...chosen].map(([id, row]) => inSight.get(id) ?? row),
    choose: keep,
  };
}
