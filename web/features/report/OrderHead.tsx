import type { ReactNode, ThHTMLAttributes } from 'react';
import { readSort, type Sort, writeSort } from '../../../domain/order.ts';
import { type ListView, withFilter } from '../../ui/table/list-view.ts';
import { ariaSort, SortButton } from '../../ui/table/SortHead.tsx';

/** The order that somebody chose for a table of figures, or null for its usual one. */
export interface TableOrder {
  sort: Sort | null;
  onSort: (next: Sort | null) => void;
}

/** The order that stands in the address under this name, which a file of the report takes too. */
export function orderIn(view: ListView, setView: (next: ListView) => void, name = 'order'): TableOrder {
  return {
    sort: readSort(view.filters[name]),
    onSort: (next) => setView(withFilter(view, name, writeSort(next))),
  };
}

interface OrderHeadProps extends Omit<ThHTMLAttributes<HTMLTableCellElement>, 'scope'> {
  /** What the column is called in the address. */
  column: string;
  order: TableOrder;
  /** Text stands at the beginning of its column. */
  text?: boolean | undefined;
  /** From which end the first press orders the rows: words from the first on, figures from the most. */
  least?: boolean;
  children: ReactNode;
}

/** The head of a column: one press orders the rows by it, the next from the other end, and the third takes the order away. */
export function OrderHead({
  column,
  order: { sort, onSort },
  text,
  least = text === true,
  children,
  ...cell
}: OrderHeadProps) {
  const current = sort?.column === column ? sort : null;
  const next = (): Sort | null => {
    if (current === null) return { column, descending: !least };
    return current.descending === !least ? { column, descending: least } : null;
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
