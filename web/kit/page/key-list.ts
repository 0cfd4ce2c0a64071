import { useEffect } from 'react';
import { createStore } from '../../ui/store.ts';

export interface KeyWords {
  keys: readonly string[];
  /** What the keys do, written as an instruction, such as `Select the alarm`. */
  words: string;
  /** A shorter text for the footer. */
  short?: string;
}

/** Keyboard shortcuts of the open page. */
export const pageKeys = createStore<readonly KeyWords[]>([]);

export const isKeyListOpen = createStore(false);

/** Adds the keyboard shortcuts of a page to the list while the page is mounted. */
export function useListedKeys(keys: readonly KeyWords[]): void {
  const words = JSON.stringify(keys);
  useEffect(() => {
    pageKeys.set(JSON.parse(words));
    return () => pageKeys.set([]);
  }, [words]);
}
