/** A column of a table. Lists of columns are in the order from left to right. */
export interface FoldableColumn {
  id: string;
  /** Minimum readable width in pixels. */
  width: number;
  /** Priority of the column. Columns marked `roomy` are hidden first, then those marked `wide`. */
  kept: 'always' | 'wide' | 'roomy';
}

/**
 * Returns the columns to hide, beginning at the right, so that the remaining columns fit into `room` pixels. If `room`
 * is 0, the width is unknown, and no column is hidden.
 */
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
