import type { ReactNode } from 'react';
import { TbArrowDown, TbArrowUp } from 'react-icons/tb';
import classes from './SortHead.module.css';

/** From which end a column orders the rows, or false where it does not. */
export type Sorted = 'asc' | 'desc' | false;

const direction = { asc: 'ascending', desc: 'descending' } as const;

/** What the head of a column that can be ordered says of it. */
export function ariaSort(sorted: Sorted): 'ascending' | 'descending' | 'none' {
  return sorted ? direction[sorted] : 'none';
}

interface SortButtonProps {
  sorted: Sorted;
  onClick: ((event: unknown) => void) | undefined;
  children: ReactNode;
}

/** The name of a column as the button that orders the rows by it. */
export function SortButton({ sorted, onClick, children }: SortButtonProps) {
  const Arrow = sorted === 'desc' ? TbArrowDown : TbArrowUp;
  return (
    <button type="button" className={classes.sort} onClick={onClick}>
      {children}
      {sorted ? <Arrow size={14} strokeWidth={1.75} aria-hidden /> : null}
    </button>
  );
}
