import { queryOptions } from '@tanstack/react-query';
import { ask, graphql } from '../../api/graphql.ts';
import type { ListDefaults, ListView } from '../../ui/table/list-view.ts';
import { everyWord, key, orderOf, pageOf, type RowOf, rowsOf, wholeNumber, windowOf } from '../list/list.ts';

const siteList = graphql(`
  query SiteList($first: Int!, $offset: Int!, $filter: SiteFilter!, $orderBy: [SiteOrderBy!]!) {
    sites(first: $first, offset: $offset, filter: $filter, orderBy: $orderBy) {
      totalCount
      nodes {
        uuid
        name
        siteId
        siteType
        siteCategory
        address
        phoneNumber
        gsmProvider
        gsmSignalStrength
        tocsinHealthDurationHours
        lastUpdate
        siteStatus
        group5 {
          uuid
          name
        }
        alarms(first: 20, filter: { resolvedDate: { isNull: true } }) {
          nodes {
            severity
            reason
          }
        }
      }
    }
  }
`);

export type SiteRow = RowOf<typeof siteList, 'sites'>;

export const siteListDefaults: ListDefaults = {
  sort: { column: 'name', descending: false },
  filters: ['type', 'office', 'status'],
};

/** The columns that the server can order by, because they are indexed. */
const order = {
  name: 'NAME',
  siteId: 'SITE_ID',
  siteType: 'SITE_TYPE',
  siteCategory: 'SITE_CATEGORY',
  gsmSignalStrength: 'GSM_SIGNAL_STRENGTH',
  lastUpdate: 'LAST_UPDATE',
  siteStatus: 'SITE_STATUS',
} as const;

export function siteListQuery(view: ListView) {
  return queryOptions({
    queryKey: ['site', 'list', view],
    queryFn: async ({ signal }) => {
      const { type, office, status } = view.filters;
      const conditions = [
        ...everyWord(view.search, (word) => [{ name: word }, { siteId: word }]),
        ...(type ? [{ siteType: { equalTo: type } }] : []),
        ...(key(office) ? [{ tocsinGroup5Uuid: { equalTo: key(office) } }] : []),
        ...(wholeNumber(status) === undefined ? [] : [{ siteStatus: { equalTo: wholeNumber(status) } }]),
      ];
      const variables = {
        ...windowOf(view),
        filter: { and: conditions },
        orderBy: orderOf(view.sort, order, 'NAME_ASC'),
      };
      return pageOf((await ask(siteList, variables, signal)).sites);
    },
    // Last contact and state change by themselves.
    refetchInterval: 30_000,
  });
}

const siteTypes = graphql(`
  query SiteTypes($after: String!) {
    sites(first: 500, orderBy: [SITE_TYPE_ASC], filter: { siteType: { greaterThan: $after } }) {
      totalCount
      nodes {
        siteType
      }
    }
  }
`);

/** Every type that some site has. A plant of more sites than one answer holds is asked again for the types after the last. */
export const siteTypesQuery = queryOptions({
  queryKey: ['site', 'types'],
  queryFn: async ({ signal }) => {
    const found = new Set<string>();
    for (let last = '', more = true; more; ) {
      const { sites } = await ask(siteTypes, { after: last }, signal);
      const types = rowsOf(sites).map((site) => site.siteType);
      for (const type of types) {
        found.add(type);
      }
      more = types.length > 0 && types.length < (sites?.totalCount ?? 0);
      last = types.at(-1) ?? last;
    }
    return [...found];
  },
  staleTime: 5 * 60_000,
});

const unitOffices = graphql(`
  query UnitOffices {
    unitOfficesByUser {
      nodes {
        uuid
        uoName
      }
    }
  }
`);

/** The unit offices of the sites that the person may see, by name. */
export const unitOfficesQuery = queryOptions({
  queryKey: ['site', 'unit-offices'],
  queryFn: async ({ signal }) =>
    rowsOf((await ask(unitOffices, {}, signal)).unitOfficesByUser)
      .map((office) => ({ uuid: office.uuid ?? '', name: office.uoName ?? '' }))
      .sort((one, other) => one.name.localeCompare(other.name)),
  staleTime: 5 * 60_000,
});
