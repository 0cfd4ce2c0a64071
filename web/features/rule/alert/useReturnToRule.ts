import { useLocation, useRouter } from '@tanstack/react-router';

/** Navigation state of a link from a rule to its rule alert. */
export const fromRule = { openedFromRule: true };

declare module '@tanstack/history' {
  interface HistoryState {
    /** True if the previous history entry is the rule's page. */
    openedFromRule?: boolean;
  }
}

/**
 * Returns a function that closes the form of a rule alert. If a link on a rule's page opened the form, the function
 * returns to that page; otherwise, it returns to the list.
 */
export function useReturnToRule(close: () => void): () => void {
  const { history } = useRouter();
  const isFromRule = useLocation({ select: ({ state }) => state.openedFromRule === true });
  return isFromRule ? () => history.back() : close;
}
