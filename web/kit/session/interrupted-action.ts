import { useEffect } from 'react';
import { createStore } from '../../ui/store.ts';

export interface InterruptedAction {
  /** Says what was not done, before "Sign in to go on." */
  words: string;
  /** Where it can be done after all; the page they were on where it is not given. */
  path?: string | undefined;
}

/** What somebody is in the middle of. When their session ends there, they are told that it was not done. */
export const interruptibleAction = createStore<InterruptedAction | null>(null);

export function useInterruptibleAction(words: string, path?: string): void {
  useEffect(() => {
    interruptibleAction.set({ words, path });
    return () => interruptibleAction.set(null);
  }, [words, path]);
}
