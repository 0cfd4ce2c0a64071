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

/** Shows a skeleton while a query is loading, or a message if the connection is lost. */
export function LoadError({ query, children }: LoadErrorProps) {
  const lost = useStore(lostSince);
  return lost === null && !query.isPaused ? (
    children
  ) : (
    <ErrorState title="There is no connection">
      The server is not responding. This page will appear once the connection is back.
    </ErrorState>
  );
}
