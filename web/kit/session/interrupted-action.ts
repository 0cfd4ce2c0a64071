import { useEffect } from 'react';
import { createStore } from '../../ui/store.ts';

export interface InterruptedAction {
  /** A sentence that says what was not done; "Sign in to continue." follows it. */
  words: string;
  /** The page to repeat the action on after sign-in; by default the current page. */
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
