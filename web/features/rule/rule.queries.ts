import { queryOptions } from '@tanstack/react-query';
import { ask, graphql } from '../../api/graphql.ts';
import { everyWord, orderOf, pageOf, type RowOf, windowOf } from '../../kit/list/list.ts';
import type { ListDefaults, ListView } from '../../ui/table/list-view.ts';

const ruleList = graphql(`
  query RuleList($first: Int!, $offset: Int!, $filter: RuleFilter!, $orderBy: [RuleOrderBy!]!) {
    rules(first: $first, offset: $offset, filter: $filter, orderBy: $orderBy) {
      totalCount
      nodes {
        uuid
        name
        valueLower
        valueUpper
        clearLower
        clearUpper
        debounce
        priority
        enabled
        updatedAt
        site {
          name
        }
        asset {
          name
        }
        datapoint {
          tocsinDatapointName
          uom
        }
      }
    }
  }
`);

export type RuleRow = RowOf<typeof ruleList, 'rules'>;

export const ruleListDefaults: ListDefaults = { sort: { column: 'name', descending: false } };

export function ruleListQuery(view: ListView) {
  return queryOptions({
    queryKey: ['rule', 'list', view],
    queryFn: async ({ signal }) => {
      const conditions = everyWord(view.search, (word) => [
        { name: word },
        { site: { name: word } },
        { asset: { name: word } },
        { datapoint: { tocsinDatapointName: word } },
      ]);
      const variables = {
        ...windowOf(view),
        filter: { and: conditions },
        orderBy: orderOf(view.sort, { name: 'NAME' } as const, 'NAME_ASC'),
      };
      return pageOf((await ask(ruleList, variables, signal)).rules);
    },
  });
}

const ruleAlertList = graphql(`
  query RuleAlertList($first: Int!, $offset: Int!, $filter: RuleAlertFilter!, $orderBy: [RuleAlertOrderBy!]!) {
    ruleAlerts(first: $first, offset: $offset, filter: $filter, orderBy: $orderBy) {
      totalCount
      nodes {
        uuid
        tocsinRuleName
        indAck
        site {
          name
        }
        ruleAlertUsers(first: 50) {
          totalCount
          nodes {
            isAlert
            isResolve
            isHealth
          }
        }
        ruleEscalateUsers(first: 0) {
          totalCount
        }
        reasons(first: 20) {
          totalCount
          nodes {
            reason
          }
        }
      }
    }
  }
`);

export type RuleAlertRow = RowOf<typeof ruleAlertList, 'ruleAlerts'>;

export const ruleAlertListDefaults: ListDefaults = { sort: { column: 'tocsinRuleName', descending: false } };

export function ruleAlertListQuery(view: ListView) {
  return queryOptions({
    queryKey: ['rule', 'alerts', view],
    queryFn: async ({ signal }) => {
      const conditions = everyWord(view.search, (word) => [
        { tocsinRuleName: word },
        { site: { name: word } },
        { people: word },
      ]);
      const variables = {
        ...windowOf(view),
        filter: { and: conditions },
        orderBy: orderOf(view.sort, { tocsinRuleName: 'TOCSIN_RULE_NAME' } as const, 'TOCSIN_RULE_NAME_ASC'),
      };
      return pageOf((await ask(ruleAlertList, variables, signal)).ruleAlerts);
    },
  });
}
