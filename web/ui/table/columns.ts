import {
  type ColumnDef,
  columnVisibilityFeature,
  createColumnHelper,
  metaHelper,
  type ReactTable,
  rowSelectionFeature,
  rowSortingFeature,
  tableFeatures,
} from '@tanstack/react-table';

/** How a column looks, in addition to TanStack Table's options. */
export interface ColumnLook {
  /** Aligns the column to the right, for numbers and ages. */
  align?: 'end';
  /** Width in pixels. Columns without a width share the rest. */
  width?: number;
  /** Width in pixels on a phone. */
  narrow?: number;
  /** Muted text, for identifiers and times. */
  quiet?: boolean;
  /** Marks the column with the row's name. */
  strong?: boolean;
  /** Hidden on a phone, and where the width is short, beginning at the right. */
  wideOnly?: boolean;
  /** Hidden on a tablet too, and before all others where the width is short. */
  roomyOnly?: boolean;
  /** Hidden until the user shows it. */
  optional?: boolean;
  /** Long text, wrapped instead of truncated. */
  wrap?: boolean;
}

export const features = tableFeatures({
  rowSortingFeature,
  rowSelectionFeature,
  columnVisibilityFeature,
  columnMeta: metaHelper<ColumnLook>(),
});

type Features = typeof features;

export type Columns<T extends object> = ColumnDef<Features, T, any>[];
export type DataTableInstance<T extends object> = ReactTable<Features, T>;

/**
 * Builds columns: `const column = columnsOf<Site>()`, then `column.columns([column.accessor('name', { header: 'Name',
 * meta: { strong: true } })])`. `header` must be a text: the column menu uses it too. Use `enableSorting: false` for
 * columns the server cannot sort, `enableHiding: false` for columns that must stay visible.
 */
export function columnsOf<T extends object>() {
  return createColumnHelper<Features, T>();
}

export function columnName(header: unknown, id: string): string {
  return typeof header === 'string' ? header : id;
}
