import { useMediaQuery } from '@mantine/hooks';
import { Fragment, type KeyboardEvent, type ReactNode, type RefObject, useDeferredValue, useState } from 'react';
import { TbChevronRight } from 'react-icons/tb';
import { Skeleton } from '../Skeleton.tsx';
import type { DataTableInstance } from './columns.ts';
import classes from './DataTable.module.css';
import { RowCheckbox } from './RowCheckbox.tsx';
import { nextRow } from './row-keys.ts';

interface TableRowsProps<T extends object> {
  ref: RefObject<HTMLTableSectionElement | null>;
  table: DataTableInstance<T>;
  selectable: boolean;
  /** Ids of the columns that are hidden because they do not fit. */
  folded: ReadonlySet<string>;
  openId: string | undefined;
  onOpen?: (row: T) => void;
  detail?: (row: T) => ReactNode;
}

/**
 * Number of rows rendered in the first frame, enough to fill a screen. Laying out a whole page of rows would block
 * input for too long.
 */
const FIRST_ROWS = 25;

/**
 * The rows of a table. One row is in the tab order. The arrow keys, j, k, Home and End move to another row. Enter opens
 * the row; x or Space selects it.
 */
export function TableRows<T extends object>(props: TableRowsProps<T>) {
  const { ref, table, selectable, folded, openId, onOpen, detail } = props;
  const allRows = table.getRowModel().rows;
  const complete = useDeferredValue(true, false);
  const rows = complete ? allRows : allRows.slice(0, FIRST_ROWS);
  const [focused, setFocused] = useState(0);
  // The detail cell of an open row must span exactly the visible columns. A wider cell would add empty columns.
  const narrow = useMediaQuery('(max-width: 767px)', undefined, { getInitialValueInEffect: false });
  const tablet = useMediaQuery('(max-width: 1023px)', undefined, { getInitialValueInEffect: false });
  const shown = table.getVisibleLeafColumns().filter(({ id, columnDef: { meta } }) => {
    return !(folded.has(id) || (narrow && meta?.wideOnly) || (tablet && meta?.roomyOnly));
  }).length;
  const columns = table.getAllLeafColumns();
  const nameColumn = (columns.find(({ columnDef }) => columnDef.meta?.strong) ?? columns[0])?.id ?? '';
  const inTabOrder = Math.min(focused, rows.length - 1);

  const press = (event: KeyboardEvent<HTMLTableRowElement>, index: number) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const row = rows[index];
    const next = nextRow(event.key, index, rows.length);
    if (next !== null) {
      ref.current?.querySelectorAll<HTMLElement>('[data-row]')[next]?.focus();
    } else if (event.key === 'Enter' && row && onOpen) {
      onOpen(row.original);
    } else if ((event.key === 'x' || event.key === ' ') && row && selectable) {
      row.toggleSelected();
    } else {
      return;
    }
    event.preventDefault();
  };

  return (
    <tbody ref={ref}>
      {rows.map((row, index) => (
        <Fragment key={row.id}>
          <tr
            tabIndex={index === inTabOrder ? 0 : -1}
            data-row
            data-open={row.id === openId || undefined}
            data-opens={onOpen ? true : undefined}
            aria-selected={selectable ? row.getIsSelected() : undefined}
            onFocus={() => setFocused(index)}
            onKeyDown={(event) => press(event, index)}
            onClick={onOpen ? () => onOpen(row.original) : undefined}
          >
            {selectable ? (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the handler only prevents the click from opening the row.
              <td className={classes.check} onClick={(event) => event.stopPropagation()}>
                <RowCheckbox
                  aria-label={`Select ${String(row.getValue(nameColumn) ?? '') || 'row'}`}
                  tabIndex={-1}
                  checked={row.getIsSelected()}
                  onChange={() => row.toggleSelected()}
                />
              </td>
            ) : null}
            {detail ? (
              <td className={classes.check}>
                <button
                  type="button"
                  className={classes.expand}
                  tabIndex={-1}
                  aria-expanded={row.id === openId}
                  aria-label={row.id === openId ? 'Hide details' : 'Show details'}
                >
                  <TbChevronRight size={16} strokeWidth={1.75} aria-hidden />
                </button>
              </td>
            ) : null}
            {row.getVisibleCells().map((cell) => {
              const look = cell.column.columnDef.meta;
              return (
                <td
                  key={cell.id}
                  data-align={look?.align}
                  data-quiet={look?.quiet || undefined}
                  data-strong={look?.strong || undefined}
                  data-wide-only={look?.wideOnly || undefined}
                  data-roomy-only={look?.roomyOnly || undefined}
                  data-folded={folded.has(cell.column.id) || undefined}
                  data-wrap={look?.wrap || undefined}
                >
                  <table.FlexRender cell={cell} />
                </td>
              );
            })}
          </tr>
          {detail && row.id === openId ? (
            <tr data-detail>
              <td colSpan={shown + 1 + (selectable ? 1 : 0)}>{detail(row.original)}</td>
            </tr>
          ) : null}
        </Fragment>
      ))}
    </tbody>
  );
}

const widths = ['64%', '48%', '72%', '56%', '40%', '60%', '52%'];

interface SkeletonRowsProps<T extends object> {
  table: DataTableInstance<T>;
  leading: number;
  folded: ReadonlySet<string>;
}

/** Ten placeholder rows, shown while the table loads. */
export function SkeletonRows<T extends object>({ table, leading, folded }: SkeletonRowsProps<T>) {
  const columns = table.getVisibleLeafColumns();
  return (
    <tbody aria-hidden>
      {Array.from({ length: 10 }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the bars have no identity but their index.
        <tr key={row}>
          {Array.from({ length: leading }, (_, cell) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the cells have no identity but their index.
            <td key={cell} className={classes.check}>
              <Skeleton width={14} height={14} />
            </td>
          ))}
          {columns.map((column, index) => (
            <td
              key={column.id}
              data-align={column.columnDef.meta?.align}
              data-wide-only={column.columnDef.meta?.wideOnly || undefined}
              data-roomy-only={column.columnDef.meta?.roomyOnly || undefined}
              data-folded={folded.has(column.id) || undefined}
            >
              <Skeleton width={widths[(row * 3 + index) % widths.length] ?? '50%'} />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}
