import { useDeferredValue } from 'react';

/**
 * Returns a query's data. The first result replaces most of the page, so it is rendered in a transition, which keeps
 * the page responsive. Later results are returned immediately.
 */
export function useFirstAnswer<T>(data: T | undefined): T | undefined {
  const isWaiting = useDeferredValue(data === undefined);
  return isWaiting ? undefined : data;
}
