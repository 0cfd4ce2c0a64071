import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { lostSince } from '../../api/connection.ts';
import { ErrorState } from '../../ui/Notice.tsx';
import { useStore } from '../../ui/store.ts';

interface LoadErrorProps {
  query: Pick<UseQueryResult, 'isPaused'>;
  /** What stands in its place while the server is asked. */
  children: ReactNode;
}

/** For what has not come yet: a skeleton of it, or that it cannot come before the connection is back. */
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
