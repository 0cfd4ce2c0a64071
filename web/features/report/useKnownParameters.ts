import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { key } from '../../kit/list/list.ts';
import type { ListDefaults, ListView } from '../../ui/table/list-view.ts';
import { fetchSiteName } from '../alarm/index.ts';
import { type Choice, type KnownOrders, keepKnownParameters, placeChoices } from './known-parameters.ts';
import { useUnitOffices } from './useReports.ts';

/** The name of a site; null where there is none, or none that the person sees. */
export function useSiteName(site: string | undefined) {
  return useQuery({
    queryKey: ['site', 'name', site ?? ''],
    queryFn: ({ signal }) => fetchSiteName(site ?? '', signal),
    enabled: site !== undefined,
    staleTime: 300_000,
  });
}

/**
 * A view out of an address, without what the report does not know, and a sentence on each of these. A unit office or site that is
 * gone is taken for one that is there until the server has said so. Give all but the view as constants.
 */
export function useKnownParameters(
  asked: ListView,
  defaults: ListDefaults,
  orders: KnownOrders,
  more?: Readonly<Record<string, Choice>>,
): { view: ListView; strange: string[] } {
  const offices = useUnitOffices().data;
  const siteIsGone = useSiteName(key(asked.filters.site)).data === null;
  return useMemo(() => {
    const places = placeChoices((name, uuid) =>
      name === 'site' ? !siteIsGone : offices === undefined || offices.some(({ value }) => value === uuid),
    );
    return keepKnownParameters(asked, defaults, orders, { ...places, ...more });
  }, [asked, defaults, orders, more, offices, siteIsGone]);
}
