import type { ReactNode } from 'react';
import classes from './RecordPanel.module.css';

/** Two fields side by side; stacked on the narrowest phones unless `short`, such as numbers. */
export function FieldPair({ short, children }: { short?: boolean; children: ReactNode }) {
  return (
    <div className={classes.pair} data-short={short}>
      {children}
    </div>
  );
}
