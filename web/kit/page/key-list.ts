import { useEffect } from 'react';
import { createStore } from '../../ui/store.ts';

export interface KeyWords {
  keys: readonly string[];
  /** The effect of the keys, as an instruction: `Select the alarm`. */
  words: string;
  /** Shorter text, for the footer. */
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
