import { useQuery } from '@tanstack/react-query';
import { fetchAlarm } from './alarm-detail.queries.ts';
import { REFRESH } from './useOpenAlarms.ts';

/** One alarm with everything that was said about it, kept fresh; null where it is not there, or not for this person. */
export function useAlarm(uuid: string, enabled = true) {
  return useQuery({
    queryKey: ['alarm', 'detail', uuid],
    queryFn: ({ signal }) => fetchAlarm(uuid, signal),
    refetchInterval: REFRESH,
    enabled,
  });
}
