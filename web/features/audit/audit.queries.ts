import { queryOptions } from '@tanstack/react-query';
import { ask, graphql, type VariablesOf } from '../../api/graphql.ts';
import { rangeOfDays } from '../../kit/format/log-range.ts';
import { key, type ListPage, pageOf, type RowOf, rowsOf, windowOf } from '../../kit/list/list.ts';
import type { ListDefaults, ListView } from '../../ui/table/list-view.ts';
import { goneNames, joinedBy, namedNouns, peopleOf, subjectOf } from './audit-words.ts';

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

export type AuditRow = RowOf<typeof auditList, 'audits'> & {
  /** Name of the changed record. */
  subject: string;
};

/** Default view of the audit trail, sorted oldest first. */
export const auditListDefaults: ListDefaults = {
  sort: { column: 'createdAt', descending: false },
  filters: ['noun', 'person', 'from', 'to'],
};

// All changes of one transaction have the same time, so the rows are also sorted by id.
const oldestFirst: VariablesOf<typeof auditList>['orderBy'] = ['CREATED_AT_ASC', 'ID_ASC'];
const newestFirst: VariablesOf<typeof auditList>['orderBy'] = ['CREATED_AT_DESC', 'ID_DESC'];

export function auditListQuery(view: ListView, timeZone: string) {
  return queryOptions({
    queryKey: ['audit', 'list', view, timeZone],
    queryFn: async ({ client, signal }): Promise<ListPage<AuditRow>> => {
      const { noun, person, from, to } = view.filters;
      const after = from ? rangeOfDays(from, from, timeZone)?.from : undefined;
      const before = to ? rangeOfDays(to, to, timeZone)?.to : undefined;
      const who = key(person);
      const variables = {
        ...windowOf(view),
        filter: {
          and: [
            ...(noun ? [{ noun: { equalTo: noun } }] : []),
            ...(who ? [{ tocsinUserUuid: { equalTo: who } }] : []),
            ...(after ? [{ createdAt: { greaterThanOrEqualTo: after.toISOString() } }] : []),
            ...(before ? [{ createdAt: { lessThan: before.toISOString() } }] : []),
          ],
        },
        orderBy: view.sort?.descending ? newestFirst : oldestFirst,
      };
      const { rows, total } = pageOf((await ask(auditList, variables, signal)).audits);
      const keys = [...new Set(rows.flatMap((row) => joinedBy(row.before, row.after)))].sort();
      const names = keys.length > 0 ? await client.fetchQuery(namesOfKeysQuery(keys)) : undefined;
      return { total, rows: rows.map((row) => ({ ...row, subject: subjectOf(row.before, row.after, names) })) };
    },
  });
}

const auditPeople = graphql(`
  query AuditPeople {
    users(first: 500, orderBy: [DISPLAY_NAME_ASC]) {
      nodes {
        uuid
        displayName
      }
    }
    auditPeople {
      nodes {
        uuid
        name
      }
    }
  }
`);

/** Loads the users for the person filter, including deleted users with audit rows. */
export const auditPeopleQuery = queryOptions({
  queryKey: ['user', 'for-audit'],
  queryFn: async ({ signal }) => {
    const found = await ask(auditPeople, {}, signal);
    return peopleOf(rowsOf(found.users), rowsOf(found.auditPeople));
  },
  staleTime: 60_000,
});

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

const namesOfGone = graphql(`
  query NamesOfGone($keys: [String!]!, $nouns: [String!]!) {
    audits(first: 500, filter: { rowKey: { in: $keys }, noun: { in: $nouns } }, orderBy: [ID_DESC]) {
      nodes {
        rowKey
        before
        after
      }
    }
  }
`);

/** Loads the names of the records with these uuids. Names of deleted records come from the audit trail. */
export function namesOfKeysQuery(keys: readonly string[]) {
  return queryOptions({
    queryKey: ['audit', 'names', keys],
    queryFn: async ({ signal }) => {
      const found = await ask(namesOfKeys, { keys: [...keys] }, signal);
      const names = new Map<string, string>([
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
      const gone = keys.filter((one) => !names.has(one));
      if (gone.length === 0) return names;
      const { audits } = await ask(namesOfGone, { keys: gone, nouns: namedNouns }, signal);
      return new Map([...goneNames(rowsOf(audits)), ...names]);
    },
    enabled: keys.length > 0,
    staleTime: 60_000,
  });
}
