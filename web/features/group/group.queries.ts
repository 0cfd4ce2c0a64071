import { queryOptions } from '@tanstack/react-query';
import { ask, graphql } from '../../api/graphql.ts';
import { everyWord, rowsOf, wholeNumber, windowOf } from '../../kit/list/list.ts';
import type { ListDefaults, ListView } from '../../ui/table/list-view.ts';

const groupList = graphql(`
  query GroupList($first: Int!, $offset: Int!, $filter: CustomerGroupsRecordFilter!) {
    customerGroups(first: $first, offset: $offset, filter: $filter) {
      totalCount
      nodes {
        uuid
        name
        level
        status
      }
    }
  }
`);

const groupSites = graphql(`
  query GroupSites($uuids: [UUID!]!) {
    groups(first: 500, filter: { uuid: { in: $uuids } }) {
      nodes {
        uuid
        sitesOfGroup2(first: 0) {
          totalCount
        }
        sitesOfGroup3(first: 0) {
          totalCount
        }
        sitesOfGroup4(first: 0) {
          totalCount
        }
        sitesOfGroup5(first: 0) {
          totalCount
        }
      }
    }
  }
`);

export interface GroupRow {
  uuid: string;
  name: string;
  level: number;
  status: boolean;
  /** Number of sites in the group; null if the group was deleted between the two queries. */
  sites: number | null;
}

export const groupListDefaults: ListDefaults = { filters: ['level'] };

/** Loads the groups. Groups of level 1 are excluded, because level 1 is the customer itself. */
export function groupListQuery(view: ListView) {
  return queryOptions({
    queryKey: ['group', 'list', view],
    queryFn: async ({ signal }) => {
      const level = wholeNumber(view.filters.level);
      const filter = {
        and: [
          { level: level === undefined ? { greaterThan: 1 } : { equalTo: Math.max(2, level) } },
          ...everyWord(view.search, (word) => [{ name: word }]),
        ],
      };
      const { customerGroups } = await ask(groupList, { ...windowOf(view), filter }, signal);
      const groups = rowsOf(customerGroups);
      const counts = await countSites(
        groups.map((group) => group.uuid ?? ''),
        signal,
      );
      const rows = groups.map(
        (group): GroupRow => ({
          uuid: group.uuid ?? '',
          name: group.name ?? '',
          level: group.level ?? 0,
          status: group.status ?? false,
          sites: counts.get(group.uuid ?? '') ?? null,
        }),
      );
      return { rows, total: customerGroups?.totalCount ?? 0 };
    },
  });
}

// Counts the sites of each group. A site refers to a group only in the field for that group's level, so three of the
// four counts are always 0.
async function countSites(uuids: string[], signal: AbortSignal): Promise<Map<string, number>> {
  if (uuids.length === 0) {
    return new Map();
  }
  const { groups } = await ask(groupSites, { uuids }, signal);
  return new Map(
    rowsOf(groups).map((group) => [
      group.uuid,
      group.sitesOfGroup2.totalCount +
        group.sitesOfGroup3.totalCount +
        group.sitesOfGroup4.totalCount +
        group.sitesOfGroup5.totalCount,
    ]),
  );
}
