import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import {
  type Cell,
  formatShare,
  type HealthRow,
  heatLevel,
  share,
  sumRows,
  totalOf,
} from '../../../../domain/report/health.ts';
import { cellsPerRow, type HealthRange, runningWeekEnd } from '../../../../domain/report/health-periods.ts';
import { dayOf } from '../../../../domain/report/range.ts';
import { counted } from '../../../kit/format/number.ts';
import { officeWords } from '../../../kit/session/group-words.ts';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { useFrame } from '../../../ui/table/useFrame.ts';
import { useTimeZone } from '../../../ui/time/TimeZone.tsx';
import { formatDayOfYear, formatMonth, useTimeOfDay } from '../ranges.ts';
import { SortHeading, type TableOrder } from '../SortHeading.tsx';
import classes from './HeatTable.module.css';

interface HeatTableProps {
  /** Accessible name of the table. */
  label: string;
  rowName: string;
  order: TableOrder;
  /** Rows of the current page, sorted; undefined while loading. */
  rows: readonly HealthRow[] | undefined;
  /** Rows of all pages, for the totals. */
  all: readonly HealthRow[] | undefined;
  range: HealthRange;
  /** Content of the second column: the number of sites, or the site's unit office. */
  second: 'sites' | 'office';
  /** Renders the row's name, for example as a link. */
  nameOf?: (row: HealthRow) => ReactNode;
  /** Opens the details of a row when the user clicks one of its cells or presses Enter. */
  onOpen: (row: HealthRow) => void;
  /** True if the last column is a past day instead of today. */
  past?: boolean;
}

interface Pointed {
  row: number;
  column: number;
  left: number;
  top: number;
  below: boolean;
}

/**
 * Heat table of received and expected data for twelve weeks and today, or for twelve whole months. Complete cells are
 * grey; cells with missing data are violet.
 */
export function HeatTable(props: HeatTableProps) {
  const { label, rowName, rows, all, order, range, second, nameOf, onOpen, past = false } = props;
  const timeZone = useTimeZone();
  const time = useTimeOfDay();
  const tip = useId();
  const card = useRef<HTMLDivElement>(null);
  const [pointed, setPointed] = useState<Pointed | null>(null);
  const [current, setCurrent] = useState({ row: 0, column: 0 });
  const frameRef = useFrame();
  const weeks = range.weekStarts.slice(0, 12);
  const months = range.each === 'month';
  const running = runningWeekEnd(range, timeZone);
  const places = cellsPerRow(range);
  const sums = all && sumRows(all);
  // On a narrow screen, scrolls to the newest weeks, so that the last period is at the right edge.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only when the table shows other periods, not while the user scrolls.
  useLayoutEffect(() => {
    const frame = card.current?.firstElementChild;
    const total = frame?.querySelector<HTMLElement>('th[data-total]');
    if (frame && total) frame.scrollLeft = total.offsetLeft - frame.clientWidth;
  }, [range.each, rows === undefined]);

  const point = (cell: HTMLElement, row: number, column: number) => {
    const frame = card.current?.getBoundingClientRect();
    if (frame) {
      const box = cell.getBoundingClientRect();
      const left = Math.max(4, Math.min(box.left - frame.left - 16, frame.width - 228));
      // Shows the tooltip above the cell if there is no room below.
      const below = box.bottom + 84 < window.innerHeight;
      setPointed({ row, column, left, top: (below ? box.bottom + 8 : box.top - 8) - frame.top, below });
    }
  };
  const move = (event: KeyboardEvent<HTMLElement>, row: number, column: number) => {
    const step = steps[event.key];
    const opened = event.key === 'Enter' ? rows?.[row] : undefined;
    if (opened) onOpen(opened);
    if (event.key === 'Escape') {
      setPointed(null);
    }
    if (!step || !rows) {
      return;
    }
    const next = {
      row: clamp(row + step[0], rows.length),
      column: clamp(event.key === 'Home' ? 0 : event.key === 'End' ? places - 1 : column + step[1], places),
    };
    card.current?.querySelector<HTMLElement>(`[data-cell="${next.row}-${next.column}"]`)?.focus();
    event.preventDefault();
  };
  const shown = pointed && rows?.[pointed.row];

  return (
    <div className={classes.card} ref={card}>
      <div className={classes.scroll} ref={frameRef} onScroll={() => setPointed(null)}>
        {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: arrow keys move between the cells, as in an ARIA grid. */}
        <table className={classes.heat} role="grid" aria-label={label} aria-busy={rows === undefined}>
          <thead>
            <tr>
              <SortHeading column="name" order={order} text>
                {rowName}
              </SortHeading>
              <SortHeading column={second} order={order} text={second === 'office'} data-second={second}>
                {second === 'sites' ? 'Sites' : officeWords().title}
              </SortHeading>
              {weeks.map((start, index) => (
                // The first click on a column heading puts the worst rows first, as in the default order.
                <SortHeading key={start.getTime()} column={`w${index + 1}`} order={order} ascendingFirst>
                  <span>
                    <small>
                      {months
                        ? dayOf(start, timeZone).slice(0, 4)
                        : running && index === 11
                          ? `to ${formatDayOfYear(running, timeZone)}`
                          : `W${index + 1}`}
                    </small>
                    {months ? formatMonth(start, timeZone, 'short') : formatDayOfYear(start, timeZone)}
                  </span>
                </SortHeading>
              ))}
              {months ? null : (
                <SortHeading column="today" order={order} ascendingFirst data-today>
                  {past ? (
                    formatDayOfYear(range.today, timeZone)
                  ) : (
                    <span>
                      <small>to {time}</small>Today
                    </span>
                  )}
                </SortHeading>
              )}
              <SortHeading column="total" order={order} ascendingFirst data-total>
                Total
              </SortHeading>
              <SortHeading column="received" order={order}>
                Received
              </SortHeading>
            </tr>
          </thead>
          {rows === undefined ? (
            <SkeletonBody cells={places + 3} />
          ) : (
            <tbody>
              {rows.map((row, at) => (
                <tr key={row.id || 'none'}>
                  <th scope="row">{nameOf?.(row) ?? row.name}</th>
                  <td className={classes.second} data-second={second}>
                    {second === 'sites' ? row.sites.toLocaleString() : row.office || '–'}
                  </td>
                  {row.cells.map((cell, column) => (
                    <td
                      // biome-ignore lint/suspicious/noArrayIndexKey: the index identifies the cell's week.
                      key={column}
                      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: keyboard users can focus the cell to see its tooltip.
                      role="gridcell"
                      className={classes.cell}
                      data-heat={heatLevel(share(cell))}
                      data-today={column === 12 || undefined}
                      data-cell={`${at}-${column}`}
                      tabIndex={at === current.row && column === current.column ? 0 : -1}
                      aria-describedby={pointed?.row === at && pointed.column === column ? tip : undefined}
                      onPointerEnter={(event) => point(event.currentTarget, at, column)}
                      onPointerLeave={() => setPointed(null)}
                      onFocus={(event) => {
                        setCurrent({ row: at, column });
                        point(event.currentTarget, at, column);
                      }}
                      onBlur={() => setPointed(null)}
                      // On touch screens, a tap shows the tooltip. The row's name opens the row.
                      onClick={({ nativeEvent }) =>
                        (nativeEvent as PointerEvent).pointerType === 'touch' ? undefined : onOpen(row)
                      }
                      onKeyDown={(event) => move(event, at, column)}
                    >
                      <span>{formatShare(share(cell))}</span>
                    </td>
                  ))}
                  <Totals cell={totalOf(row)} />
                </tr>
              ))}
            </tbody>
          )}
          {sums && rows && rows.length > 0 ? (
            <tfoot>
              <tr>
                <th scope="row">{second === 'sites' ? officeWords().all : 'All sites'}</th>
                <td className={classes.second} data-second={second}>
                  {second === 'sites' ? sums.sites.toLocaleString() : ''}
                </td>
                {sums.cells.map((cell, column) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the index identifies the cell's week.
                  <td key={column} className={classes.cell} data-today={column === 12 || undefined}>
                    <span>{formatShare(share(cell))}</span>
                  </td>
                ))}
                <Totals cell={totalOf(sums)} />
              </tr>
            </tfoot>
          ) : null}
        </table>
      </div>
      {pointed && shown ? (
        <div
          id={tip}
          role="tooltip"
          className={classes.tip}
          data-below={pointed.below || undefined}
          style={{ left: pointed.left, top: pointed.top }}
        >
          <b>
            {shown.name}, {periodWords(range, pointed.column, past, timeZone)}
          </b>
          <br />
          {slots(shown.cells[pointed.column])}
        </div>
      ) : null}
    </div>
  );
}

/**
 * Returns the period of a cell: `week of 17 Aug`, `October`, `today`. The current week is `week of 9 Nov to 10 Nov`.
 */
function periodWords(range: HealthRange, column: number, past: boolean, timeZone: string): string {
  const { each, weekStarts, today } = range;
  if (column === 12) return past ? formatDayOfYear(today, timeZone) : 'today';
  const start = weekStarts[column] ?? today;
  if (each === 'month') return formatMonth(start, timeZone);
  const running = column === 11 ? runningWeekEnd(range, timeZone) : null;
  return `week of ${formatDayOfYear(start, timeZone)}${running ? ` to ${formatDayOfYear(running, timeZone)}` : ''}`;
}

const steps: Record<string, [row: number, column: number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  Home: [0, 0],
  End: [0, 0],
};

function clamp(index: number, count: number): number {
  return Math.max(0, Math.min(index, count - 1));
}

function slots(cell: Cell | undefined): string {
  if (!cell || cell.expected === 0) {
    return 'No data expected yet';
  }
  return `${cell.received.toLocaleString()} of ${counted(cell.expected, 'slot')} received`;
}

function Totals({ cell }: { cell: Cell }) {
  return (
    <>
      <td className={classes.total}>{formatShare(share(cell))}</td>
      <td className={classes.received}>
        {cell.received.toLocaleString()} <span>of {cell.expected.toLocaleString()}</span>
      </td>
    </>
  );
}

function SkeletonBody({ cells }: { cells: number }) {
  return (
    <tbody aria-hidden>
      {['62%', '48%', '71%', '55%', '66%', '44%', '58%', '64%'].map((width) => (
        <tr key={width}>
          <th>
            <Skeleton width={width} />
          </th>
          {Array.from({ length: cells }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: placeholder cells have nothing else to identify them.
            <td key={index} className={classes.waiting}>
              <Skeleton width={28} />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}
