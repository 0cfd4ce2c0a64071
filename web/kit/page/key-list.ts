import { useEffect } from 'react';
import { createStore } from '../../ui/store.ts';

export interface KeyWords {
  keys: readonly string[];
  /** What the keys do, as it would follow "to". */
  words: string;
  /** A shorter text, for the line at the foot of the page. */
  short?: string;
}

/** Keys of the open page. */
export const pageKeys = createStore<readonly KeyWords[]>([]);

/** Whether the list of keys is open. */
export const isKeyListOpen = createStore(false);

/** Lists a page's keys while it is mounted. */
export function useListedKeys(keys: readonly KeyWords[]): void {
  const words = JSON.stringify(keys);
  useEffect(() => {
    pageKeys.set(JSON.parse(words));
    return () => pageKeys.set([]);
  }, [words]);
}
