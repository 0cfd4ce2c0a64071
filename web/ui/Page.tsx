import type { ReactNode } from 'react';
import classes from './Page.module.css';

/**
 * The inside of a page. With `fill`, on a desk, it is exactly as high as the window leaves, so that one part of it
 * (a table) can scroll by itself while its head and foot stay in view; on a phone the whole page scrolls.
 */
export function Page({ fill = false, children }: { fill?: boolean; children: ReactNode }) {
  return (
    <div className={classes.page} data-fill={fill || undefined}>
      {children}
    </div>
  );
}

interface PageTitleProps {
  children: ReactNode;
  /** How many there are, quietly beside the title. */
  count?: number | undefined;
  /** Buttons at the end of the line; at most one of them filled. */
  actions?: ReactNode;
  /** The way here, above the title. */
  above?: ReactNode;
  /** A line of facts: beside the title where there is room, else below it. */
  facts?: ReactNode;
}

export function PageTitle({ children, count, actions, above, facts }: PageTitleProps) {
  return (
    <div className={classes.titlebar} data-facts={facts ? true : undefined}>
      <div className={classes.title}>
        {above ? <div className={classes.above}>{above}</div> : null}
        <h1>
          {children}
          {count === undefined ? null : <span className={classes.count}>{count.toLocaleString()}</span>}
        </h1>
      </div>
      {actions ? <div className={classes.actions}>{actions}</div> : null}
      {facts ? <div className={classes.facts}>{facts}</div> : null}
    </div>
  );
}

/** A surface for one thing on a page. */
export function Card({ title, children }: { title?: ReactNode; children: ReactNode }) {
  return (
    <section className={classes.card}>
      {title ? <h2 className={classes.cardTitle}>{title}</h2> : null}
      {children}
    </section>
  );
}
