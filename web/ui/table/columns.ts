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

/** Appearance of a column, in addition to the options of TanStack Table. */
export interface ColumnLook {
  /** Aligns the column to the right, for numbers and ages. */
  align?: 'end';
  /** Width in pixels. Columns without a width share the remaining space. */
  width?: number;
  /** Width in pixels on a phone. */
  narrow?: number;
  /** Mutes the text, for identifiers and times. */
  quiet?: boolean;
  /** Marks the column that contains the row's name. */
  strong?: boolean;
  /**
   * Hides the column on a phone, and on other screens if the space is too small. The rightmost columns are hidden
   * first.
   */
  wideOnly?: boolean;
  /** Hides the column on a tablet too, and before all other columns if the space is too small. */
  roomyOnly?: boolean;
  /** Hides the column until the user shows it. */
  optional?: boolean;
  /** Wraps long text instead of truncating it. */
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
 * Creates a helper that builds columns: `const column = columnsOf<Site>()`, then
 * `column.columns([column.accessor('name', { header: 'Name', meta: { strong: true } })])`. `header` must be a string,
 * because the column menu uses it too. Use `enableSorting: false` for columns that the server cannot sort, and
 * `enableHiding: false` for columns that must stay visible.
 */
export function columnsOf<T extends object>() {
  return createColumnHelper<Features, T>();
}

export function columnName(header: unknown, id: string): string {
  return typeof header === 'string' ? header : id;
}
