import { queryOptions } from '@tanstack/react-query';
import { ask, graphql } from '../../api/graphql.ts';
import { everyWord, key, orderOf, pageOf, type RowOf, rowsOf, wholeNumber, windowOf } from '../../kit/list/list.ts';
import type { ListDefaults, ListView } from '../../ui/table/list-view.ts';

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
        group2 {
          name
        }
        group3 {
          name
        }
        group4 {
          name
        }
        group5 {
          uuid
          name
        }
        alarms(first: 20, filter: { resolvedDate: { isNull: true } }) {
          nodes {
            severity
            reason
            quietBecause
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

/** Columns that the server can sort by, because they have an index. */
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
    // Polls, because the last contact and the state of a site change without any user action.
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

/** Fetches all site types in use. */
export const siteTypesQuery = queryOptions({
  queryKey: ['site', 'types'],
  queryFn: ({ signal }) =>
    everyValue(async (after) => {
      const { sites } = await ask(siteTypes, { after }, signal);
      return { values: rowsOf(sites).map((site) => site.siteType), total: sites?.totalCount ?? 0 };
    }),
  staleTime: 5 * 60_000,
});

const siteCategories = graphql(`
  query SiteCategories($after: String!) {
    sites(first: 500, orderBy: [SITE_CATEGORY_ASC], filter: { siteCategory: { greaterThan: $after } }) {
      totalCount
      nodes {
        siteCategory
      }
    }
  }
`);

/** Fetches all site categories in use. */
export const siteCategoriesQuery = queryOptions({
  queryKey: ['site', 'categories'],
  queryFn: ({ signal }) =>
    everyValue(async (after) => {
      const { sites } = await ask(siteCategories, { after }, signal);
      return { values: rowsOf(sites).map((site) => site.siteCategory), total: sites?.totalCount ?? 0 };
    }),
  staleTime: 5 * 60_000,
});

/**
 * Fetches the distinct values of a column, sorted. If one response does not contain all rows, fetches further pages.
 */
async function everyValue(read: (after: string) => Promise<{ values: string[]; total: number }>): Promise<string[]> {
  const found = new Set<string>();
  for (let last = '', more = true; more; ) {
    const { values, total } = await read(last);
    for (const value of values) {
      found.add(value);
    }
    more = values.length > 0 && values.length < total;
    last = values.at(-1) ?? last;
  }
  return [...found];
}

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

/** Fetches the unit offices of the sites that the user is allowed to see, sorted by name. */
export const unitOfficesQuery = queryOptions({
  queryKey: ['site', 'unit-offices'],
  queryFn: async ({ signal }) =>
    rowsOf((await ask(unitOffices, {}, signal)).unitOfficesByUser)
      .map((office) => ({ uuid: office.uuid ?? '', name: office.uoName ?? '' }))
      .sort((one, other) => one.name.localeCompare(other.name)),
  staleTime: 5 * 60_000,
});
