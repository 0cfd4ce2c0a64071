import { useEffect } from 'react';
import { createStore } from '../../ui/store.ts';

export interface KeyWords {
  keys: readonly string[];
  /** What they do, as a whole sentence would say it after "to". */
  words: string;
  /** The same in a word, for a line at the foot of the page. */
  short?: string;
}

/** The keys that only the open page answers. */
export const pageKeys = createStore<readonly KeyWords[]>([]);

/** Whether the list of all keys lies over the page. */
export const isKeyListOpen = createStore(false);

/** Lists the keys of a page while it is open. */
export function useListedKeys(keys: readonly KeyWords[]): void {
  const words = JSON.stringify(keys);
  useEffect(() => {
    pageKeys.set(JSON.parse(words));
    return () => pageKeys.set([]);
  }, [words]);
}
