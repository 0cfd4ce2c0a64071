import type { CSSProperties, ReactNode } from 'react';
import { Skeleton } from '../../ui/Skeleton.tsx';
import classes from './FigureTable.module.css';

export interface FigureColumn<R> {
  header: string;
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
  keyOf: (row: R) => string;
  columns: readonly FigureColumn<R>[];
  /** Undefined while they are on their way. */
  rows: readonly R[] | undefined;
  totalName?: string;
}

/** A short table of counts by name. On a phone its names stay while the rest scrolls sideways. */
export function FigureTable<R>({ label, rowName, nameOf, keyOf, columns, rows, totalName }: FigureTableProps<R>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: on a phone it scrolls sideways, which keys must be able to do too.
    <section className={classes.scroll} tabIndex={0} aria-label={label}>
      <table
        className={classes.table}
        style={{ '--least': `${NAME_WIDTH + columns.length * COLUMN_WIDTH}px` } as CSSProperties}
        data-many={columns.length > MANY || undefined}
        aria-label={label}
        aria-busy={rows === undefined}
      >
        <thead>
          <tr>
            <th scope="col">{rowName}</th>
            {columns.map(({ header, text }) => (
              <th key={header} scope="col" data-text={text}>
                {header}
              </th>
            ))}
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
