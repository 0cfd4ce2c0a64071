import { useEffect } from 'react';
import { createStore } from '../../ui/store.ts';

export interface InterruptedAction {
  /** What was not done; "Sign in to continue." follows. */
  words: string;
  /** Where to do it after sign-in; by default the page they were on. */
  path?: string | undefined;
}

/** A task in progress. If the session ends, the login says that the task was not done. */
export const interruptibleAction = createStore<InterruptedAction | null>(null);

export function useInterruptibleAction(words: string, path?: string): void {
  useEffect(() => {
    interruptibleAction.set({ words, path });
    return () => interruptibleAction.set(null);
  }, [words, path]);
}
