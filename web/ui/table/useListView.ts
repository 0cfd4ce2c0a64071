import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { formatListView, type ListDefaults, type ListView, parseListView } from './list-view.ts';

/**
 * Returns the view of the page's list, which is stored in the URL. `defaults` must be a constant, because it is
 * compared by identity. Typing in the search replaces the history entry; a new page, order or filter adds one.
 */
export function useListView(defaults: ListDefaults): [ListView, (next: ListView) => void] {
  const search = useSearch({ strict: false }) as Record<string, unknown>;
  const navigate = useNavigate();
  const view = useMemo(() => parseListView(search, defaults), [search, defaults]);
  const change = (next: ListView) =>
    void navigate({
      to: '.',
      search: ((before: Record<string, unknown>) => ({ ...before, ...formatListView(next, defaults) })) as never,
      replace: next.search !== view.search,
      resetScroll: false,
    });
  return [view, change];
}
