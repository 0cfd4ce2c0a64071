import { VisuallyHidden } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useTable } from '@tanstack/react-table';
import { type CSSProperties, type ReactNode, useMemo, useRef, useState } from 'react';
import { ErrorState, NoPermission } from '../Notice.tsx';
import { type ColumnLook, type Columns, type DataTableInstance, features } from './columns.ts';
import classes from './DataTable.module.css';
import { useDensity } from './density.ts';
import { type FoldableColumn, foldedColumns } from './fold-columns.ts';
import { type ListView, withSort } from './list-view.ts';
import { Paging } from './Paging.tsx';
import { RowCheckbox } from './RowCheckbox.tsx';
import frame from './TableFrame.module.css';
import { TableHead } from './TableHead.tsx';
import { SkeletonRows, TableRows } from './TableRows.tsx';
import { NoMatch, TableToolbar } from './TableToolbar.tsx';
import { useFrame } from './useFrame.ts';

export interface DataTableProps<T extends object> {
  /** Name for screen readers, such as 'Sites'. */
  label: string;
  /** Must be a constant: if the columns changed on each render, the table would be reset. */
  columns: Columns<T>;
  /** The rows of this page; undefined during the first load. */
  rows: readonly T[] | undefined;
  /** Number of rows on all pages. */
  total: number | undefined;
  rowId: (row: T) => string;
  view: ListView;
  onViewChange: (next: ListView) => void;
  /** True while new rows are loading. The current rows stay visible until the new ones arrive. */
  fetching?: boolean;
  /** Error message, or null. */
  error?: string | null;
  onRetry?: () => void;
  /** Text that tells the user who can help, if the server refused this user the list; otherwise null. */
  refused?: string | null;
  /** Shown if the list is empty although no filter is active: an `EmptyState` with the next step. */
  empty: ReactNode;
  /**
   * Names of the filters that define the list, such as the days of a report. They do not count as filters that hide
   * rows.
   */
  standing?: readonly string[];
  /** Placeholder of the search field. If omitted, the field is hidden. */
  searchHint?: string;
  /** Filters between the search field and the column menu. */
  filters?: ReactNode;
  /** True to hide the toolbar, for a page that has its own. */
  bare?: boolean;
  /** Opens a row after a click or Enter. */
  onOpen?: (row: T) => void;
  /** Id of the row that is open in a panel. */
  openId?: string | undefined;
  /** Returns the content to show below the open row. If set, each row has a chevron. */
  detail?: (row: T) => ReactNode;
  /** Ids of the selected rows. If set, each row has a checkbox. */
  selection?: ReadonlySet<string>;
  onSelectionChange?: (next: ReadonlySet<string>) => void;
  /** Footer text for a list that has only one page. */
  foot?: string;
  /** Printed note that the list has further pages. It is not visible on the screen. */
  paper?: string;
  /** Shown over the footer while rows are selected. */
  bulkBar?: ReactNode;
}

const noRows: never[] = [];
const FLEXIBLE = 160;
/** Minimum width of the name column. */
const NAME = 184;
const LEADING = 40;

/** Table that shows one page of a list. The server searches and sorts the list and divides it into pages. */
export function DataTable<T extends object>(props: DataTableProps<T>) {
  const { view, rows, total, error } = props;
  const table = useDataTable(props);
  const [density] = useDensity();
  const body = useRef<HTMLTableSectionElement>(null);
  const [room, setRoom] = useState(0);
  const frameRef = useFrame(setRoom);
  const selectable = props.selection !== undefined;
  const leading = [
    ...(selectable ? [<SelectAll key="select" table={table} />] : []),
    ...(props.detail ? [<VisuallyHidden key="detail">Details</VisuallyHidden>] : []),
  ];
  const isEmpty = rows !== undefined && rows.length === 0;
  const folded = foldedColumns(foldable(table), room - leading.length * LEADING);

  return (
    <div className={classes.list}>
      {props.bare ? null : (
        <TableToolbar
          table={table}
          view={view}
          onViewChange={props.onViewChange}
          searchHint={props.searchHint}
          filters={props.filters}
        />
      )}
      <div className={`${frame.card} ${classes.card}`}>
        {props.refused ? (
          <NoPermission title="You do not have access to this list">{props.refused}</NoPermission>
        ) : error ? (
          <ErrorState title="The list could not be loaded" {...(props.onRetry ? { onRetry: props.onRetry } : {})}>
            {error}
          </ErrorState>
        ) : isEmpty ? (
          <NoMatch
            view={view}
            total={total ?? 0}
            onViewChange={props.onViewChange}
            standing={props.standing}
            otherwise={props.empty}
          />
        ) : (
          <div
            ref={frameRef}
            className={`${frame.scroll} ${classes.scroll}`}
            data-fetching={props.fetching || undefined}
          >
            <table
              className={`${frame.table} ${classes.table}`}
              data-density={density}
              data-below={
                table
                  .getVisibleLeafColumns()
                  .some(({ id, columnDef }) => columnDef.meta?.roomyOnly && folded.has(id)) || undefined
              }
              data-tablet={
                table.getVisibleLeafColumns().some(({ columnDef }) => columnDef.meta?.roomyOnly) || undefined
              }
              style={
                {
                  '--least': `${leastWidth(table, folded) + leading.length * LEADING}px`,
                  '--least-tablet': `${leastWidth(table, folded, true) + leading.length * LEADING}px`,
                } as CSSProperties
              }
              aria-label={props.label}
              aria-busy={rows === undefined || props.fetching}
            >
              <TableHead table={table} leading={leading} folded={folded} />
              {rows === undefined ? (
                <SkeletonRows table={table} leading={leading.length} folded={folded} />
              ) : (
                <TableRows
                  ref={body}
                  table={table}
                  selectable={selectable}
                  folded={folded}
                  openId={props.openId}
                  {...(props.onOpen ? { onOpen: props.onOpen } : {})}
                  {...(props.detail ? { detail: props.detail } : {})}
                />
              )}
            </table>
          </div>
        )}
        {props.selection && props.selection.size > 0 && props.bulkBar ? (
          <div className={classes.bulk}>{props.bulkBar}</div>
        ) : null}
        {props.refused || error || isEmpty ? null : (
          <Paging view={view} total={total} onViewChange={props.onViewChange} foot={props.foot} paper={props.paper} />
        )}
      </div>
    </div>
  );
}

function useDataTable<T extends object>(props: DataTableProps<T>): DataTableInstance<T> {
  const { view, onViewChange, columns, label, selection, onSelectionChange } = props;
  const usual = useMemo(() => usualVisibility(columns), [columns]);
  const [visibility, setVisibility] = useLocalStorage<Record<string, boolean>>({
    key: `columns:${label}`,
    defaultValue: usual,
    getInitialValueInEffect: false,
  });
  const sorting = view.sort ? [{ id: view.sort.column, desc: view.sort.descending }] : [];
  const rowSelection = Object.fromEntries([...(selection ?? [])].map((id) => [id, true] as const));
  return useTable<typeof features, T>({
    features,
    columns,
    data: (props.rows ?? noRows) as T[],
    getRowId: props.rowId,
    manualSorting: true,
    enableSortingRemoval: false,
    enableMultiSort: false,
    sortDescFirst: false,
    enableRowSelection: selection !== undefined,
    state: { sorting, columnVisibility: { ...usual, ...visibility }, rowSelection },
    onSortingChange: (update) => {
      const [first] = typeof update === 'function' ? update(sorting) : update;
      onViewChange(withSort(view, first ? { column: first.id, descending: first.desc } : null));
    },
    onColumnVisibilityChange: (update) =>
      setVisibility(typeof update === 'function' ? update({ ...usual, ...visibility }) : update),
    onRowSelectionChange: (update) => {
      const next = typeof update === 'function' ? update(rowSelection) : update;
      onSelectionChange?.(new Set(Object.keys(next).filter((id) => next[id])));
    },
  });
}

function usualVisibility<T extends object>(columns: Columns<T>): Record<string, boolean> {
  const optional = columns.filter((column) => column.meta?.optional);
  return Object.fromEntries(
    optional.map((column) => [column.id ?? ('accessorKey' in column ? String(column.accessorKey) : ''), false]),
  );
}

const leastOf = (meta: ColumnLook | undefined) => meta?.width ?? (meta?.strong ? NAME : FLEXIBLE);

function foldable<T extends object>(table: DataTableInstance<T>): FoldableColumn[] {
  return table.getVisibleLeafColumns().map(({ id, columnDef: { meta } }) => ({
    id,
    width: leastOf(meta),
    kept: meta?.roomyOnly ? 'roomy' : meta?.wideOnly ? 'wide' : 'always',
  }));
}

/** Returns the minimum width, below which the table scrolls sideways. */
function leastWidth<T extends object>(
  table: DataTableInstance<T>,
  folded: ReadonlySet<string>,
  tablet = false,
): number {
  return table.getVisibleLeafColumns().reduce((sum, { id, columnDef: { meta } }) => {
    return folded.has(id) || (tablet && meta?.roomyOnly) ? sum : sum + leastOf(meta);
  }, 0);
}

function SelectAll<T extends object>({ table }: { table: DataTableInstance<T> }) {
  const all = table.getIsAllRowsSelected();
  return (
    <RowCheckbox
      aria-label="Select all on this page"
      checked={all}
      indeterminate={!all && table.getIsSomeRowsSelected()}
      onChange={() => table.toggleAllRowsSelected(!all)}
    />
  );
}
