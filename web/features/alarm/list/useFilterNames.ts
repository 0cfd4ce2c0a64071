import { useQuery } from '@tanstack/react-query';
import type { ListView } from '../../../ui/table/list-view.ts';
import { fetchAlarmChoices, fetchSiteName } from '../alarm.queries.ts';

const STALE_AFTER_MS = 300_000;

/** Returns the filter options, and the name of the site in the URL. */
export function useFilterNames({ filters }: ListView) {
  const choices = useQuery({
    queryKey: ['alarm-choices'],
    queryFn: ({ signal }) => fetchAlarmChoices(signal),
    staleTime: STALE_AFTER_MS,
  }).data;
  const site = filters.site ?? '';
  const siteName = useQuery({
    queryKey: ['site', 'name', site],
    queryFn: ({ signal }) => fetchSiteName(site, signal),
    enabled: site !== '',
    staleTime: STALE_AFTER_MS,
  }).data;
  return { groups: choices?.groups ?? none, rules: choices?.rules ?? none, siteName: siteName ?? '' };
}

const none: never[] = [];
