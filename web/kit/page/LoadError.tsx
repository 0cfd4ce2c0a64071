import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { lostSince } from '../../api/connection.ts';
import { ErrorState } from '../../ui/Notice.tsx';
import { useStore } from '../../ui/store.ts';

interface LoadErrorProps {
  query: Pick<UseQueryResult, 'isPaused'>;
  /** The skeleton to show while loading. */
  children: ReactNode;
}

/** Shows a skeleton while loading, or that the connection is lost. */
export function LoadError({ query, children }: LoadErrorProps) {
  const lost = useStore(lostSince);
  return lost === null && !query.isPaused ? (
    children
  ) : (
    <ErrorState title="There is no connection">
      It has not been opened here before, and the server does not answer. It is shown here once it does.
    </ErrorState>
  );
}
