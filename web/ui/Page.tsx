import type { ReactNode } from 'react';
import classes from './Page.module.css';

/**
 * The content of a page. With `fill`, it is as high as the window on a desktop, and only one part, such as a table,
 * scrolls. On a phone the whole page scrolls.
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
  /** Number of records, shown muted next to the title. */
  count?: number | undefined;
  /** Buttons at the end of the title line, at most one of them primary. */
  actions?: ReactNode;
  /** Breadcrumbs above the title. */
  above?: ReactNode;
  /** Key facts next to the title, or below it on narrow screens. */
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

/** A bordered surface for one section of a page. */
export function Card({ title, children }: { title?: ReactNode; children: ReactNode }) {
  return (
    <section className={classes.card}>
      {title ? <h2 className={classes.cardTitle}>{title}</h2> : null}
      {children}
    </section>
  );
}
