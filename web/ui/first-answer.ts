import { useDeferredValue } from 'react';

/**
 * The data of a query. A query's answer renders at once and in one block. The first answer replaces a skeleton by the
 * largest part of a page, so React renders it in slices here, and a click or key meanwhile is answered first.
 * Later answers are returned at once.
 */
export function useFirstAnswer<T>(data: T | undefined): T | undefined {
  const isWaiting = useDeferredValue(data === undefined);
  return isWaiting ? undefined : data;
}
