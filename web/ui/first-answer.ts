import { useDeferredValue } from 'react';

/**
 * Returns a query's data. The first answer replaces most of the page, so it is rendered in a transition, during which
 * the page stays responsive. Later answers are returned immediately.
 */
export function useFirstAnswer<T>(data: T | undefined): T | undefined {
  const isWaiting = useDeferredValue(data === undefined);
  return isWaiting ? undefined : data;
}
