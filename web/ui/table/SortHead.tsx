import type { ReactNode } from 'react';
import { TbArrowDown, TbArrowUp } from 'react-icons/tb';
import classes from './SortHead.module.css';

/** The sort direction of a column, or false. */
export type Sorted = 'asc' | 'desc' | false;

const direction = { asc: 'ascending', desc: 'descending' } as const;

/** Returns the `aria-sort` value of a sortable column. */
export function ariaSort(sorted: Sorted): 'ascending' | 'descending' | 'none' {
  return sorted ? direction[sorted] : 'none';
}

interface SortButtonProps {
  sorted: Sorted;
  onClick: ((event: unknown) => void) | undefined;
  children: ReactNode;
}

/** Button with a column's name that sorts the table by this column. */
export function SortButton({ sorted, onClick, children }: SortButtonProps) {
  const Arrow = sorted === 'desc' ? TbArrowDown : TbArrowUp;
  return (
    <button type="button" className={classes.sort} onClick={onClick}>
      {children}
      {sorted ? <Arrow size={14} strokeWidth={1.75} aria-hidden /> : null}
    </button>
  );
}
