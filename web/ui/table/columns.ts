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

/** How a column looks; TanStack Table itself knows nothing of it. */
export interface ColumnLook {
  /** Numbers and ages stand at the end of their cell. */
  align?: 'end';
  /** Pixels. Columns without a width share what is left. */
  width?: number;
  /** Pixels on a phone, where `width` would be too much. */
  narrow?: number;
  /** Quieter than the rest: identifiers, times. */
  quiet?: boolean;
  /** The row's name. */
  strong?: boolean;
  /** Left out on a phone, and wherever the table has no room for all columns: those at the right go first. */
  wideOnly?: boolean;
  /** Left out on a tablet too, and first where there is no room for all columns. */
  roomyOnly?: boolean;
  /** Hidden until somebody chooses it. */
  optional?: boolean;
  /** Long text that is shown whole, over as many lines as it needs. */
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
 * How columns are written: `const column = columnsOf<Site>()`, then
 * `column.columns([column.accessor('name', { header: 'Name', meta: { strong: true } })])`.
 * `header` must be a text: it is the column's name in the choice of columns too. `enableSorting: false` for what the
 * server cannot order, `enableHiding: false` for what must always be seen.
 */
export function columnsOf<T extends object>() {
  return createColumnHelper<Features, T>();
}

export function columnName(header: unknown, id: string): string {
  return typeof header === 'string' ? header : id;
}
