import { useEffect } from 'react';
import { createStore } from '../../ui/store.ts';

export interface InterruptedAction {
  /** A sentence about the action that was not completed. It is followed by "Sign in to continue." */
  words: string;
  /** The page that opens after sign-in to repeat the action; by default the current page. */
  path?: string | undefined;
}

/** The action in progress. If the session ends, the login page reports that the action was not completed. */
export const interruptibleAction = createStore<InterruptedAction | null>(null);

export function useInterruptibleAction(words: string, path?: string): void {
  useEffect(() => {
    interruptibleAction.set({ words, path });
    return () => interruptibleAction.set(null);
  }, [words, path]);
}
