import { useQuery } from '@tanstack/react-query';
import type { ListView } from '../../../ui/table/list-view.ts';
import { fetchAlarmChoices, fetchSiteName } from '../alarm.queries.ts';

const KEPT = 300_000;

/** What there is to filter by, and what the site is called that the address names. */
export function useFilterNames({ filters }: ListView) {
  const choices = useQuery({
    queryKey: ['alarm-choices'],
    queryFn: ({ signal }) => fetchAlarmChoices(signal),
    staleTime: KEPT,
  }).data;
  const site = filters.site ?? '';
  const siteName = useQuery({
    queryKey: ['site', 'name', site],
    queryFn: ({ signal }) => fetchSiteName(site, signal),
    enabled: site !== '',
    staleTime: KEPT,
  }).data;
  return { groups: choices?.groups ?? none, rules: choices?.rules ?? none, siteName: siteName ?? '' };
}

const none: never[] = [];
