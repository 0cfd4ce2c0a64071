import { useLocation, useRouter } from '@tanstack/react-router';

/** Navigation state of a link from a rule to its rule alert. */
export const fromRule = { openedFromRule: true };

declare module '@tanstack/history' {
  interface HistoryState {
    /** The rule is the previous history entry. */
    openedFromRule?: boolean;
  }
}

/** Closes a rule alert's form: back to the rule that linked to it, else to the list. */
export function useReturnToRule(close: () => void): () => void {
  const { history } = useRouter();
  const isFromRule = useLocation({ select: ({ state }) => state.openedFromRule === true });
  return isFromRule ? () => history.back() : close;
}
