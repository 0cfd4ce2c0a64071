/** A column of a table, in order from the left. */
export interface FoldableColumn {
  id: string;
  /** Minimum readable width in pixels. */
  width: number;
  /** Columns marked `roomy` are hidden first, then `wide`. */
  kept: 'always' | 'wide' | 'roomy';
}

/** The columns to hide so that the others fit, beginning at the right. A `room` of 0 is unknown and hides none. */
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
