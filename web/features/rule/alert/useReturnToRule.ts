import { useLocation, useRouter } from '@tanstack/react-router';

/** What a link of a rule to its rule alert carries. */
export const fromRule = { openedFromRule: true };

declare module '@tanstack/history' {
  interface HistoryState {
    /** The rule that led here is one step back. */
    openedFromRule?: boolean;
  }
}

/** Closes the form of a rule alert: back to the rule that led to it, else to the list beside it. */
export function useReturnToRule(close: () => void): () => void {
  const { history } = useRouter();
  const isFromRule = useLocation({ select: ({ state }) => state.openedFromRule === true });
  return isFromRule ? () => history.back() : close;
}
