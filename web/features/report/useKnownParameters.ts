import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { key } from '../../kit/list/list.ts';
import type { ListDefaults, ListView } from '../../ui/table/list-view.ts';
import { fetchSiteName } from '../alarm/index.ts';
import { type Choice, type KnownOrders, keepKnownParameters, placeChoices } from './known-parameters.ts';
import { useUnitOffices } from './useReports.ts';

/** Loads the name of a site; null if the site does not exist or the user has no access to it. */
export function useSiteName(site: string | undefined) {
  return useQuery({
    queryKey: ['site', 'name', site ?? ''],
    queryFn: ({ signal }) => fetchSiteName(site ?? '', signal),
    enabled: site !== undefined,
    staleTime: 300_000,
  });
}

/**
 * Removes from the view the parameters that the report does not support, and returns a sentence about each. Until the
 * server has responded, every unit office and site is assumed to exist. All arguments except `asked` must be constants.
 */
export function useKnownParameters(
  asked: ListView,
  defaults: ListDefaults,
  orders: KnownOrders,
  more?: Readonly<Record<string, Choice>>,
): { view: ListView; unknownParameters: string[] } {
  const offices = useUnitOffices().data;
  const siteIsGone = useSiteName(key(asked.filters.site)).data === null;
  return useMemo(() => {
    const places = placeChoices((name, uuid) =>
      name === 'site' ? !siteIsGone : offices === undefined || offices.some(({ value }) => value === uuid),
    );
    return keepKnownParameters(asked, defaults, orders, { ...places, ...more });
  }, [asked, defaults, orders, more, offices, siteIsGone]);
}
