import { useDeferredValue } from 'react';

/**
 * Returns a query's data, and renders the first answer in a transition. The first answer replaces a skeleton with the
 * largest part of a page; a transition keeps the page responsive meanwhile. Later answers are returned at once.
 */
export function useFirstAnswer<T>(data: T | undefined): T | undefined {
  const isWaiting = useDeferredValue(data === undefined);
  return isWaiting ? undefined : data;
}
