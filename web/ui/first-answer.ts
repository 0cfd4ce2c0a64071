import { useDeferredValue } from 'react';

/**
 * Returns a query's data. The first result replaces most of the page and is rendered in a transition, so that the page
 * stays responsive. Later results are returned immediately.
 */
export function useFirstAnswer<T>(data: T | undefined): T | undefined {
  const isWaiting = useDeferredValue(data === undefined);
  return isWaiting ? undefined : data;
}
