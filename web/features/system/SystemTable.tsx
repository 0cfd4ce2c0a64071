import type { CSSProperties, ReactNode } from 'react';
import { useFrame } from '../../ui/table/useFrame.ts';
import classes from './System.module.css';

export interface SystemColumn<R> {
  header: string;
  /** Width in pixels. Columns without a width share the remaining space. */
  width?: number;
  /** True for a text column, which is aligned to the left. */
  text?: boolean;
  value: (row: R) => ReactNode;
  total?: ReactNode;
}

interface SystemTableProps<R> {
  label: string;
  columns: readonly SystemColumn<R>[];
  rows: readonly R[];
  keyOf: (row: R) => string;
  /** Returns true if the figures of a row are outdated. Such a row is shown in grey. */
  isOld?: (row: R) => boolean;
  /** Returns the content to show below a row, such as its problems; null if there is none. */
  below?: (row: R) => ReactNode;
  hasTotal?: boolean;
}

/**
 * Minimum width in pixels of a column for which no `width` is set. If the columns do not fit, the table scrolls
 * sideways.
 */
const LEAST_WIDTH = 150;

/** Table on the System page. On a phone it scrolls sideways, and the first column stays visible. */
export function SystemTable<R>(props: SystemTableProps<R>) {
  const { label, columns, rows, keyOf, isOld, below, hasTotal } = props;
  const frameRef = useFrame();
  const least = columns.reduce((sum, { width = LEAST_WIDTH }) => sum + width, 0);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolls sideways on a phone, so it must be focusable by keyboard.
    <section ref={frameRef} className={classes.scroll} tabIndex={0} aria-label={label}>
      <table className={classes.table} style={{ '--least': `${least}px` } as CSSProperties} aria-label={label}>
        <colgroup>
          {columns.map(({ header, width }) => (
            <col key={header} style={width === undefined ? undefined : { width }} />
          ))}
        </colgroup>
        <thead>
          <tr>
            {columns.map(({ header, text }) => (
              <th key={header} scope="col" data-text={text}>
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <SystemRow
              key={keyOf(row)}
              {...{ row, columns }}
              isOld={isOld?.(row) ?? false}
              below={below?.(row) ?? null}
            />
          ))}
        </tbody>
        {hasTotal ? (
          <tfoot>
            <tr>
              {columns.map(({ header, text, total }, index) =>
                index === 0 ? (
                  <th key={header} scope="row" data-text={text}>
                    {total}
                  </th>
                ) : (
                  <td key={header} data-text={text}>
                    {total}
                  </td>
                ),
              )}
            </tr>
          </tfoot>
        ) : null}
      </table>
    </section>
  );
}

interface SystemRowProps<R> {
  row: R;
  columns: readonly SystemColumn<R>[];
  isOld: boolean;
  below: ReactNode;
}

function SystemRow<R>({ row, columns, isOld, below }: SystemRowProps<R>) {
  return (
    <>
      <tr data-old={isOld || undefined} data-below={below === null ? undefined : true}>
        {columns.map(({ header, text, value }, index) =>
          index === 0 ? (
            <th key={header} scope="row" data-text={text}>
              {value(row)}
            </th>
          ) : (
            <td key={header} data-text={text}>
              {value(row)}
            </td>
          ),
        )}
      </tr>
      {below === null ? null : (
        <tr className={classes.below}>
          <td colSpan={columns.length}>
            <span>{below}</span>
          </td>
        </tr>
      )}
    </>
  );
}

/** Number with a unit in smaller, muted text. */
export function Figure({ unit, children }: { unit: string; children: ReactNode }) {
  return (
    <>
      {children}
      {unit === '' ? null : <small className={classes.unit}>&nbsp;{unit}</small>}
    </>
  );
}

interface SystemCardProps {
  title: string;
  /** The most important figure, shown next to the title. */
  fact?: ReactNode;
  /** Explanation shown at the end of the title line. */
  note?: string;
  children: ReactNode;
}

export function SystemCard({ title, fact, note, children }: SystemCardProps) {
  return (
    <section className={classes.card} aria-label={title}>
      <div className={classes.head}>
        <h2>{title}</h2>
        {fact ? <span className={classes.fact}>{fact}</span> : null}
        {note ? <span className={classes.note}>{note}</span> : null}
      </div>
      {children}
    </section>
  );
}
