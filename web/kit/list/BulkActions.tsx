import type { ReactNode } from 'react';
import { TbX } from 'react-icons/tb';
import classes from './BulkActions.module.css';

interface BulkActionsProps {
  count: number;
  onClear: () => void;
  /** One plain button for each action on the selected rows. */
  children: ReactNode;
}

/** Content of the bar that a table shows while rows are selected. */
export function BulkActions({ count, onClear, children }: BulkActionsProps) {
  return (
    <section className={classes.bar} aria-label="Selected rows">
      <b aria-live="polite">{count.toLocaleString()} selected</b>
      {children}
      <button type="button" aria-label="Clear the selection" onClick={onClear}>
        <TbX size={16} strokeWidth={1.75} aria-hidden />
      </button>
    </section>
  );
}
