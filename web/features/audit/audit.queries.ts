import { queryOptions } from '@tanstack/react-query';
import { ask, graphql, type VariablesOf } from '../../api/graphql.ts';
import type { ListDefaults, ListView } from '../../ui/table/list-view.ts';
import { pageOf, type RowOf, rowsOf, windowOf } from '../list/list.ts';

const auditList = graphql(`
  query AuditList($first: Int!, $offset: Int!, $filter: AuditFilter!, $orderBy: [AuditOrderBy!]!) {
    audits(first: $first, offset: $offset, filter: $filter, orderBy: $orderBy) {
      totalCount
      nodes {
        id
        action
        noun
        before
        after
        createdAt
        userDisplayName
      }
    }
  }
`);

export type AuditRow = RowOf<typeof auditList, 'audits'>;

/** Oldest first, as the trail was written. */
export const auditListDefaults: ListDefaults = {
  sort: { column: 'createdAt', descending: false },
  filters: ['noun'],
};

// Several changes of one transaction have the same time; their numbers tell which came first.
const oldestFirst: VariablesOf<typeof auditList>['orderBy'] = ['CREATED_AT_ASC', 'ID_ASC'];
const newestFirst: VariablesOf<typeof auditList>['orderBy'] = ['CREATED_AT_DESC', 'ID_DESC'];

export function auditListQuery(view: ListView) {
  return queryOptions({
    queryKey: ['audit', 'list', view],
    queryFn: async ({ signal }) => {
      const { noun } = view.filters;
      const variables = {
        ...windowOf(view),
        filter: { and: noun ? [{ noun: { equalTo: noun } }] : [] },
        orderBy: view.sort?.descending ? newestFirst : oldestFirst,
      };
      return pageOf((await ask(auditList, variables, signal)).audits);
    },
  });
}

const namesOfKeys = graphql(`
  query NamesOfKeys($keys: [UUID!]!) {
    sites(filter: { uuid: { in: $keys } }) {
      nodes {
        uuid
        name
      }
    }
    users(filter: { uuid: { in: $keys } }) {
      nodes {
        uuid
        displayName
      }
    }
    groups(filter: { uuid: { in: $keys } }) {
      nodes {
        uuid
        name
      }
    }
    assets(filter: { uuid: { in: $keys } }) {
      nodes {
        uuid
        name
      }
    }
    sensors(filter: { uuid: { in: $keys } }) {
      nodes {
        uuid
        uid
      }
    }
    sensorChannels(filter: { uuid: { in: $keys } }) {
      nodes {
        uuid
        name
      }
    }
    assetDatapoints(filter: { uuid: { in: $keys } }) {
      nodes {
        uuid
        tocsinDatapointName
      }
    }
    ruleAlerts(filter: { uuid: { in: $keys } }) {
      nodes {
        uuid
        tocsinRuleName
      }
    }
    reasons(filter: { uuid: { in: $keys } }) {
      nodes {
        uuid
        reason
      }
    }
  }
`);

/** What the keys of a change point at, as far as it is still there. */
export function namesOfKeysQuery(keys: readonly string[]) {
  return queryOptions({
    queryKey: ['audit', 'names', keys],
    queryFn: async ({ signal }) => {
      const found = await ask(namesOfKeys, { keys: [...keys] }, signal);
      return new Map<string, string>([
        ...rowsOf(found.sites).map((row) => [row.uuid, row.name] as const),
        ...rowsOf(found.users).map((row) => [row.uuid, row.displayName] as const),
        ...rowsOf(found.groups).map((row) => [row.uuid, row.name] as const),
        ...rowsOf(found.assets).map((row) => [row.uuid, row.name] as const),
        ...rowsOf(found.sensors).map((row) => [row.uuid, row.uid] as const),
        ...rowsOf(found.sensorChannels).map((row) => [row.uuid, row.name] as const),
        ...rowsOf(found.assetDatapoints).map((row) => [row.uuid, row.tocsinDatapointName] as const),
        ...rowsOf(found.ruleAlerts).map((row) => [row.uuid, row.tocsinRuleName] as const),
        ...rowsOf(found.reasons).map((row) => [row.uuid, row.reason] as const),
      ]);
    },
    enabled: keys.length > 0,
    staleTime: 60_000,
  });
}
