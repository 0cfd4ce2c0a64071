import type { CSSProperties, ReactNode } from 'react';
import { type Sortable, sortRows } from '../../../domain/order.ts';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { useFrame } from '../../ui/table/useFrame.ts';
import classes from './FigureTable.module.css';
import { OrderHead, type TableOrder } from './OrderHead.tsx';

export interface FigureColumn<R> {
  header: string;
  /** What the rows can be put in order by, and what that is called in the address. Without it they cannot. */
  key?: string;
  by?: (row: R) => Sortable;
  /** What stands in the cell; a number is written in the locale's own way, and a nought is quiet. */
  value: (row: R) => ReactNode;
  /** The line of totals. */
  total?: ReactNode;
  strong?: boolean;
  /** Text stands at the beginning of its column. */
  text?: boolean;
}

const NAME_WIDTH = 148;
const COLUMN_WIDTH = 88;
/** Beyond this many columns the names have less room. */
const MANY = 5;

interface FigureTableProps<R> {
  label: string;
  rowName: string;
  nameOf: (row: R) => ReactNode;
  /** The name as rows are put in order by it. */
  nameBy: (row: R) => Sortable;
  /** The order that somebody chose; without one the rows stay as they come. */
  order: TableOrder;
  /** The rows come in that order, because they are the first of many in it. */
  inOrderAlready?: boolean;
  keyOf: (row: R) => string;
  columns: readonly FigureColumn<R>[];
  /** Undefined while they are on their way. */
  rows: readonly R[] | undefined;
  totalName?: string;
}

/** What the rows of such a table can be put in order by. */
export function ordersOf<R>(columns: readonly FigureColumn<R>[], nameBy: (row: R) => Sortable) {
  return {
    name: nameBy,
    ...Object.fromEntries(columns.flatMap(({ key, by }) => (key && by ? [[key, by]] : []))),
  };
}

/** A short table of counts by name. On a phone its names stay while the rest scrolls sideways. */
export function FigureTable<R>(props: FigureTableProps<R>) {
  const { label, rowName, nameOf, nameBy, keyOf, columns, order, totalName } = props;
  const [frameRef] = useFrame();
  const sorted = props.inOrderAlready ? null : order.sort;
  const rows = props.rows && sortRows(props.rows, sorted, ordersOf(columns, nameBy));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: on a phone it scrolls sideways, which keys must be able to do too.
    <section ref={frameRef} className={classes.scroll} tabIndex={0} aria-label={label}>
      <table
        className={classes.table}
        style={{ '--least': `${NAME_WIDTH + columns.length * COLUMN_WIDTH}px` } as CSSProperties}
        data-many={columns.length > MANY || undefined}
        aria-label={label}
        aria-busy={rows === undefined}
      >
        <thead>
          <tr>
            <OrderHead column="name" order={order} text>
              {rowName}
            </OrderHead>
            {columns.map(({ header, key, text }) =>
              key ? (
                <OrderHead key={header} column={key} order={order} text={text}>
                  {header}
                </OrderHead>
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
