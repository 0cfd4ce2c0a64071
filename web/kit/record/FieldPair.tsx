import type { ReactNode } from 'react';
import classes from './RecordPanel.module.css';

/**
 * Two fields side by side. On the narrowest phones they are stacked, except with `short`, which is for short inputs
 * such as numbers.
 */
export function FieldPair({ short, children }: { short?: boolean; children: ReactNode }) {
  return (
    <div className={classes.pair} data-short={short}>
      {children}
    </div>
  );
}
