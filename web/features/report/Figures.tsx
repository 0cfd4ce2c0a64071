import type { ReactNode } from 'react';
import { Skeleton } from '../../ui/Skeleton.tsx';
import classes from './Report.module.css';

export interface FigureProps {
  name: string;
  /** Value of the figure; undefined while loading. */
  value: ReactNode | undefined;
  unit?: ReactNode;
  /** Value of the previous period; empty if there is nothing to compare with. */
  before?: ReactNode;
  /** Link to the details, hidden in print. */
  more?: ReactNode;
  failed?: boolean;
}

/** Key figures of a report, side by side. */
export function Figures({ children }: { children: ReactNode }) {
  return <dl className={classes.figures}>{children}</dl>;
}

export function Figure({ name, value, unit, before, more, failed = false }: FigureProps) {
  return (
    <div className={classes.figure}>
      <dt>{name}</dt>
      <dd>
        {value === undefined ? (
          failed ? (
            <b>–</b>
          ) : (
            <Skeleton width={120} height={18} />
          )
        ) : (
          <>
            <b>{value}</b> {unit}
          </>
        )}
        {before === undefined || before === '' ? null : <span className={classes.before}>{before}</span>}
        {more === undefined ? null : <span className={`${classes.before} ${classes.more}`}>{more}</span>}
      </dd>
    </div>
  );
}
