import { TbChevronLeft, TbChevronRight } from 'react-icons/tb';
import { Skeleton } from '../Skeleton.tsx';
import { type ListView, pageRange } from './list-view.ts';
import classes from './Paging.module.css';

interface PagingProps {
  view: ListView;
  total: number | undefined;
  onViewChange: (next: ListView) => void;
  foot: string | undefined;
  /** Printed note that the list has further pages. It is not visible on the screen. */
  paper?: string | undefined;
}

/** Shows the position, such as `1 to 50 of 412`, with buttons for the previous and next page. */
export function Paging({ view, total, onViewChange, foot, paper }: PagingProps) {
  if (total === undefined) {
    return (
      <div className={classes.foot}>
        <Skeleton width={88} />
      </div>
    );
  }
  if (foot !== undefined) {
    return <div className={classes.foot}>{foot}</div>;
  }
  const { page, pages, from, to } = pageRange(view, total);
  const go = (next: number) => onViewChange({ ...view, page: next });
  return (
    <nav className={classes.foot} aria-label="Pages">
      <span>
        {from.toLocaleString()} to {to.toLocaleString()} of {total.toLocaleString()}
      </span>
      {pages > 1 && paper ? <span className={classes.paper}>{paper}</span> : null}
      <span className={classes.pages}>
        Page {page.toLocaleString()} of {pages.toLocaleString()}
      </span>
      <button type="button" aria-label="Previous page" disabled={page <= 1} onClick={() => go(page - 1)}>
        <TbChevronLeft size={16} strokeWidth={1.75} aria-hidden />
      </button>
      <button type="button" aria-label="Next page" disabled={page >= pages} onClick={() => go(page + 1)}>
        <TbChevronRight size={16} strokeWidth={1.75} aria-hidden />
      </button>
    </nav>
  );
}
