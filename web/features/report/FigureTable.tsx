import type { CSSProperties, ReactNode } from 'react';
import { type Sortable, sortRows } from '../../../domain/order.ts';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { useFrame } from '../../ui/table/useFrame.ts';
import classes from './FigureTable.module.css';
import { SortHeading, type TableOrder } from './SortHeading.tsx';

export interface FigureColumn<R> {
  header: string;
  /** Sort key of the column in the URL. A column without `key` and `by` cannot be sorted. */
  key?: string;
  by?: (row: R) => Sortable;
  /** Cell content. Numbers are formatted for the locale; zeros are greyed out. */
  value: (row: R) => ReactNode;
  /** Cell content of the column in the total row. */
  total?: ReactNode;
  strong?: boolean;
  /** True for a text column, which is aligned to the left. */
  text?: boolean;
}

const NAME_WIDTH = 148;
const COLUMN_WIDTH = 88;
/** If there are more columns than this, the name column is narrower. */
const MANY_COLUMNS = 5;

interface FigureTableProps<R> {
  label: string;
  rowName: string;
  nameOf: (row: R) => ReactNode;
  /** Returns the value by which the name column is sorted. */
  nameBy: (row: R) => Sortable;
  /** Sort order that the user chose. If its `sort` is null, the rows stay in the order of `rows`. */
  order: TableOrder;
  /** True if the server has already sorted the rows. It does so if they are only the first rows of a longer list. */
  isSorted?: boolean;
  keyOf: (row: R) => string;
  columns: readonly FigureColumn<R>[];
  /** Rows of the table; undefined while loading. */
  rows: readonly R[] | undefined;
  totalName?: string;
}

/** Returns a map from column keys to the functions that return a row's sort value. */
export function ordersOf<R>(columns: readonly FigureColumn<R>[], nameBy: (row: R) => Sortable) {
  return {
    name: nameBy,
    ...Object.fromEntries(columns.flatMap(({ key, by }) => (key && by ? [[key, by]] : []))),
  };
}

/**
 * Short table of figures, one row per name. On a phone, the name column stays in place while the other columns scroll
 * sideways.
 */
export function FigureTable<R>(props: FigureTableProps<R>) {
  const { label, rowName, nameOf, nameBy, keyOf, columns, order, totalName } = props;
  const frameRef = useFrame();
  const sorted = props.isSorted ? null : order.sort;
  const rows = props.rows && sortRows(props.rows, sorted, ordersOf(columns, nameBy));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolls sideways on a phone, so it must be focusable by keyboard.
    <section ref={frameRef} className={classes.scroll} tabIndex={0} aria-label={label}>
      <table
        className={classes.table}
        style={{ '--least': `${NAME_WIDTH + columns.length * COLUMN_WIDTH}px` } as CSSProperties}
        data-many={columns.length > MANY_COLUMNS || undefined}
        aria-label={label}
        aria-busy={rows === undefined}
      >
        <thead>
          <tr>
            <SortHeading column="name" order={order} text>
              {rowName}
            </SortHeading>
            {columns.map(({ header, key, text }) =>
              key ? (
                <SortHeading key={header} column={key} order={order} text={text}>
                  {header}
                </SortHeading>
              ) : (
                <th key={header} scope="col" data-text={text}>
                  {header}
                </th>
              ),
            )}
          </tr>
        </thead>
        {rows === undefined ? (
          <tbody aria-hidden>
            {['62%', '48%', '71%', '55%', '66%', '44%'].map((width) => (
              <tr key={width}>
                <th>
                  <Skeleton width={width} />
                </th>
                {columns.map(({ header }) => (
                  <td key={header}>
                    <Skeleton width={32} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        ) : (
          <tbody>
            {rows.map((row) => (
              <tr key={keyOf(row)}>
                <th scope="row">{nameOf(row)}</th>
                {columns.map(({ header, value, strong, text }) => {
                  const shown = value(row);
                  return (
                    <td
                      key={header}
                      data-strong={strong || undefined}
                      data-text={text}
                      data-none={shown === 0 || undefined}
                    >
                      {typeof shown === 'number' ? shown.toLocaleString() : shown}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        )}
        {rows && totalName ? (
          <tfoot>
            <tr>
              <th scope="row">{totalName}</th>
              {columns.map(({ header, total }) => (
                <td key={header}>{typeof total === 'number' ? total.toLocaleString() : total}</td>
              ))}
            </tr>
          </tfoot>
        ) : null}
      </table>
    </section>
  );
}
