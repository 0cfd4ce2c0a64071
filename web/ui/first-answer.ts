import { useDeferredValue } from 'react';

/**
 * Returns a query's data, but delays the first answer to a transition. The first answer replaces a skeleton with most
 * of the page, and a transition keeps the page responsive. Later answers are returned immediately.
 */
export function useFirstAnswer<T>(data: T | undefined): T | undefined {
  const isWaiting = useDeferredValue(data === undefined);
  return isWaiting ? undefined : data;
}
