import { useQueryClient } from '@tanstack/react-query';
import { messageOf } from '../../api/http.ts';
import { ErrorState } from '../../ui/Notice.tsx';

/** Asks again for every part of the report that could not be loaded: whoever tries one wants all of them. */
export function useRetry(): () => void {
  const client = useQueryClient();
  return () =>
    void client.refetchQueries({
      queryKey: ['report'],
      type: 'active',
      predicate: ({ state }) => state.status === 'error',
    });
}

/** Stands in place of a part of a report that could not be loaded. */
export function LoadFailed({ what, error }: { what: string; error: unknown }) {
  const retry = useRetry();
  return (
    <ErrorState title={`${what} could not be loaded`} onRetry={retry}>
      {messageOf(error)}
    </ErrorState>
  );
}
