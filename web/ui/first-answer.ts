import { useDeferredValue } from 'react';

/**
 * Returns a query's data, but renders the first answer in a transition. It replaces a skeleton with most of the page,
 * and a transition keeps the page responsive meanwhile. Later answers are returned at once.
 */
export function useFirstAnswer<T>(data: T | undefined): T | undefined {
  const isWaiting = useDeferredValue(data === undefined);
  return isWaiting ? undefined : data;
}
