import { useQueryClient } from '@tanstack/react-query';
import { messageOf } from '../../api/http.ts';
import { ErrorState } from '../../ui/Notice.tsx';

/** Returns a function that refetches all failed queries of the report, not only the one whose button was clicked. */
export function useRetry(): () => void {
  const client = useQueryClient();
  return () =>
    void client.refetchQueries({
      queryKey: ['report'],
      type: 'active',
      predicate: ({ state }) => state.status === 'error',
    });
}

/** Shown instead of a part of the report that failed to load. */
export function LoadFailed({ what, error }: { what: string; error: unknown }) {
  const retry = useRetry();
  return (
    <ErrorState title={`${what} could not be loaded`} onRetry={retry}>
      {messageOf(error)}
    </ErrorState>
  );
}
