import { queryOptions } from '@tanstack/react-query';
import { ask, graphql, type ResultOf } from '../../api/graphql.ts';
import { rowsOf } from '../../kit/list/list.ts';

const ruleUse = graphql(`
  query RuleUsage($rule: UUID!, $datapoint: UUID!, $siteId: String!) {
    rules(first: 20, filter: { tocsinDatapointUuid: { equalTo: $datapoint }, uuid: { notEqualTo: $rule } }) {
      nodes {
        uuid
        name
      }
    }
    rulesJsons(first: 200, filter: { siteId: { equalTo: $siteId } }) {
      nodes {
        uuid
        ruleName
        ruleJson
      }
    }
    actions(first: 0, filter: { tocsinDatapointUuid: { equalTo: $datapoint } }) {
      totalCount
    }
    ruleVersions(
      first: 200
      filter: { ruleUuid: { equalTo: $rule } }
      orderBy: [RULE_UUID_ASC, VERSION_DESC]
    ) {
      totalCount
      nodes {
        version
        changedBy
        createdAt
        valueLower
        valueUpper
        clearLower
        clearUpper
        debounce
        priority
        enabled
      }
    }
  }
`);

export type RuleVersionRow = NonNullable<NonNullable<ResultOf<typeof ruleUse>['ruleVersions']>['nodes'][number]>;

const alarmsOfRule = graphql(`
  query AlarmsOfRule($rule: UUID!) {
    alarms(first: 0, filter: { ruleUuid: { equalTo: $rule } }) {
      totalCount
    }
    openAlarms: alarms(first: 0, filter: { ruleUuid: { equalTo: $rule }, resolvedDate: { isNull: true } }) {
      totalCount
    }
  }
`);

/**
 * Fetches the number of alarms that a rule has raised. The query is separate, because this number changes more often
 * than the rule.
 */
export function alarmsOfRuleQuery(rule: string) {
  return queryOptions({
    queryKey: ['alarm', 'of-rule', rule],
    queryFn: async ({ signal }) => {
      const { alarms, openAlarms } = await ask(alarmsOfRule, { rule }, signal);
      return { all: alarms?.totalCount ?? 0, open: openAlarms?.totalCount ?? 0 };
    },
  });
}

const openAlarms = graphql(`
  query OpenAlarmsOfRules($rules: [UUID!]!) {
    alarms(first: 0, filter: { ruleUuid: { in: $rules }, resolvedDate: { isNull: true } }) {
      totalCount
    }
  }
`);

/** Counts the open alarms of these rules, whether they have limits or conditions. */
export async function countOpenAlarms(rules: readonly string[]): Promise<number> {
  return (await ask(openAlarms, { rules: [...rules] })).alarms?.totalCount ?? 0;
}

/** Fetches where a rule is used, and the other rules of its data point. */
export function ruleUsageQuery(rule: string, datapoint: string, siteId: string | undefined) {
  return queryOptions({
    queryKey: ['rule', 'use', rule, datapoint, siteId],
    queryFn: async ({ signal }) => {
      const found = await ask(ruleUse, { rule, datapoint, siteId: siteId ?? '' }, signal);
      return {
        actions: found.actions?.totalCount ?? 0,
        rules: rowsOf(found.rules),
        conditions: rowsOf(found.rulesJsons).filter(({ ruleJson }) => ruleJson.toLowerCase().includes(datapoint)),
        versions: rowsOf(found.ruleVersions),
        versionCount: found.ruleVersions?.totalCount ?? 0,
      };
    },
    enabled: siteId !== undefined,
  });
}
