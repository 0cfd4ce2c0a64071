import type { ReactNode } from 'react';
import classes from './RecordPanel.module.css';

/** Two fields beside each other; below each other on the narrowest phones, unless both are `short`, such as numbers. */
export function FieldPair({ short, children }: { short?: boolean; children: ReactNode }) {
  return (
    <div className={classes.pair} data-short={short}>
      {children}
    </div>
  );
}
