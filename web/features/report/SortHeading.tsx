import type { ReactNode, ThHTMLAttributes } from 'react';
import { readSort, type Sort, writeSort } from '../../../domain/order.ts';
import { type ListView, withFilter } from '../../ui/table/list-view.ts';
import { ariaSort, SortButton } from '../../ui/table/SortHead.tsx';

/** Sort order of a table of figures. `sort` is null for the default order. */
export interface TableOrder {
  sort: Sort | null;
  onSort: (next: Sort | null) => void;
}

/** Returns the sort order stored in the URL parameter `name`. Downloads use the same order. */
export function orderFromAddress(view: ListView, setView: (next: ListView) => void, name = 'order'): TableOrder {
  return {
    sort: readSort(view.filters[name]),
    onSort: (next) => setView(withFilter(view, name, writeSort(next))),
  };
}

interface SortHeadingProps extends Omit<ThHTMLAttributes<HTMLTableCellElement>, 'scope'> {
  /** Sort key of the column in the URL. */
  column: string;
  order: TableOrder;
  /** True for a text column, which is aligned to the left. */
  text?: boolean | undefined;
  /** True if the first click sorts in ascending order. Defaults to true for text and false for numbers. */
  ascendingFirst?: boolean;
  children: ReactNode;
}

/**
 * Column heading with a sort button. Clicks cycle through the initial direction, the opposite direction and the default
 * order.
 */
export function SortHeading({
  column,
  order: { sort, onSort },
  text,
  ascendingFirst = text === true,
  children,
  ...cell
}: SortHeadingProps) {
  const current = sort?.column === column ? sort : null;
  const next = (): Sort | null => {
    if (current === null) return { column, descending: !ascendingFirst };
    return current.descending === !ascendingFirst ? { column, descending: ascendingFirst } : null;
  };
  const sorted = current === null ? false : current.descending ? 'desc' : 'asc';
  return (
    <th scope="col" data-text={text || undefined} aria-sort={ariaSort(sorted)} {...cell}>
      <SortButton sorted={sorted} onClick={() => onSort(next())}>
        {children}
      </SortButton>
    </th>
  );
}
