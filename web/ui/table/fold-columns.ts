/** A column of a table, in order from the left. */
export interface FoldableColumn {
  id: string;
  /** The least width in pixels at which its texts can be read. */
  width: number;
  /** Which columns go first where there is no room for all: those for roomy windows, then those for wide ones. */
  kept: 'always' | 'wide' | 'roomy';
}

/** The columns that are left out so that the others fit, from the right. A room of 0 is not known yet. */
export function foldedColumns(columns: readonly FoldableColumn[], room: number): ReadonlySet<string> {
  const folded = new Set<string>();
  if (room === 0) return folded;
  let needed = columns.reduce((sum, { width }) => sum + width, 0);
  const fromTheRight = columns.toReversed();
  for (const kind of ['roomy', 'wide'] as const) {
    for (const { id, width, kept } of fromTheRight) {
      if (needed <= room) return folded;
      if (kept !== kind) continue;
      folded.add(id);
      needed -= width;
    }
  }
  return folded;
}
