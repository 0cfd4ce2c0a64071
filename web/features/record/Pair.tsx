import type { ReactNode } from 'react';
import classes from './RecordPanel.module.css';

/** Two fields beside each other. */
export function Pair({ children }: { children: ReactNode }) {
  return <div className={classes.pair}>{children}</div>;
}
