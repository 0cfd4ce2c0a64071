import { useQuery } from '@tanstack/react-query';
import { can } from '../../../../domain/permission.ts';
import { useActor } from '../../../kit/session/actor.ts';
import { fetchOpenAlarmCounts } from '../alarm.queries.ts';
import { type OpenAlarms, sumUp } from './open-alarms.ts';

/** How often what is shown is asked for again. */
export const REFRESH = 15_000;

/** The open alarms in numbers, kept fresh also while the tab is hidden: the bell and the favicon must not lie. */
export function useOpenAlarms() {
  const allowed = can(useActor(), 'alarm.read');
  return useQuery({
    queryKey: ['alarm', 'open-counts'],
    queryFn: ({ signal }) => fetchOpenAlarmCounts(signal),
    select: (rows): OpenAlarms => sumUp(rows),
    refetchInterval: REFRESH,
    refetchIntervalInBackground: true,
    enabled: allowed,
  });
}
