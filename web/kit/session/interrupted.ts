import { useEffect } from 'react';
import { createStore } from '../../ui/store.ts';

export interface Interrupted {
  /** Says what was not done, before "Sign in to go on." */
  words: string;
  /** Where it can be done after all; the page they were on where it is not given. */
  path?: string | undefined;
}

/** What somebody is in the middle of. When their session ends there, they are told that it was not done. */
export const inTheMiddleOf = createStore<Interrupted | null>(null);

export function useInTheMiddleOf(words: string, path?: string): void {
  useEffect(() => {
    inTheMiddleOf.set({ words, path });
    return () => inTheMiddleOf.set(null);
  }, [words, path]);
}
