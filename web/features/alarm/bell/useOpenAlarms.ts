import { useQuery } from '@tanstack/react-query';
import { can } from '../../../../domain/permission.ts';
import { useActor } from '../../../kit/session/actor.ts';
import { fetchOpenAlarmCounts } from '../alarm.queries.ts';
import { type OpenAlarms, sumCounts } from './open-alarms.ts';

/** Refetch interval of alarm data in milliseconds. */
export const REFRESH = 15_000;

/** Fetches the counts of open alarms, in hidden tabs too, because the favicon and the tab title must stay correct. */
export function useOpenAlarms() {
  const allowed = can(useActor(), 'alarm.read');
  return useQuery({
    queryKey: ['alarm', 'open-counts'],
    queryFn: ({ signal }) => fetchOpenAlarmCounts(signal),
    select: (rows): OpenAlarms => sumCounts(rows),
    refetchInterval: REFRESH,
    refetchIntervalInBackground: true,
    enabled: allowed,
  });
}
