import { useQuery } from '@tanstack/react-query';
import { useLast30Days } from '../ranges.ts';
import { fetchDeliveryFigures } from './delivery-figures.queries.ts';

/** Loads the figures of messages kept in the outbox, for the default date range of the delivery report. */
export function useKeptMessages() {
  const range = useLast30Days();
  const wanted = { office: undefined, site: undefined, state: 'kept' } as const;
  return useQuery({
    queryKey: ['report', 'delivery-figures', range, wanted, false],
    queryFn: ({ signal }) => fetchDeliveryFigures(range, wanted, false, signal),
    refetchInterval: 60_000,
  });
}
