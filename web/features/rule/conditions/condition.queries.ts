import { queryOptions } from '@tanstack/react-query';
import type { PointWords } from '../../../../domain/rule/conditions-words.ts';
import { ask, graphql, type ResultOf, type VariablesOf } from '../../../api/graphql.ts';
import { datapointLabel } from '../../../kit/choices/choices.queries.ts';
import { namedPoint, pointWords } from '../../../kit/format/datapoint-name.ts';
import { everyWord, orderOf, pageOf, type RowOf, rowsOf, windowOf } from '../../../kit/list/list.ts';
import type { Option } from '../../../kit/record/Picker.tsx';
import type { ListDefaults, ListView } from '../../../ui/table/list-view.ts';
import { causeFields } from '../../dependency/index.ts';

const conditionList = graphql(`
  query ConditionList($first: Int!, $offset: Int!, $filter: RulesJsonFilter!, $orderBy: [RulesJsonOrderBy!]!) {
    rulesJsons(first: $first, offset: $offset, filter: $filter, orderBy: $orderBy) {
      totalCount
      nodes {
        uuid
        ruleName
        siteId
        ruleJson
        enabled
        version
        site {
          name
        }
      }
    }
  }
`);

export type ConditionRow = RowOf<typeof conditionList, 'rulesJsons'>;

export const conditionListDefaults: ListDefaults = { sort: { column: 'ruleName', descending: false } };

export function conditionListQuery(view: ListView) {
  return queryOptions({
    queryKey: ['rule', 'conditions', view],
    queryFn: async ({ signal }) => {
      const conditions = everyWord(view.search, (word) => [
        { ruleName: word },
        { site: { name: word } },
        { siteId: word },
      ]);
      const variables = {
        ...windowOf(view),
        filter: { and: conditions },
        orderBy: orderOf(view.sort, { ruleName: 'RULE_NAME' } as const, 'RULE_NAME_ASC'),
      };
      return pageOf((await ask(conditionList, variables, signal)).rulesJsons);
    },
  });
}

const conditionRecord = graphql(
  `
  query ConditionRecord($uuid: UUID!) {
    rulesJson(uuid: $uuid) {
      uuid
      ruleName
      siteId
      ruleJson
      enabled
      version
      updatedAt
      site {
        uuid
        name
      }
      causes(first: 20) {
        nodes {
          ...CauseFields
        }
      }
    }
  }
`,
  [causeFields],
);

export type ConditionRecord = NonNullable<ResultOf<typeof conditionRecord>['rulesJson']>;

export async function readCondition(uuid: string, signal?: AbortSignal): Promise<ConditionRecord | null> {
  return (await ask(conditionRecord, { uuid }, signal)).rulesJson ?? null;
}

export function conditionRecordQuery(uuid: string) {
  return queryOptions({
    queryKey: ['rule', 'condition', uuid],
    queryFn: ({ signal }) => readCondition(uuid, signal),
    staleTime: 0,
    gcTime: 0,
  });
}

const saveRulesJson = graphql(`
  mutation SaveRulesJson($input: SaveRulesJsonInput!) {
    saveRulesJson(input: $input) {
      clientMutationId
    }
  }
`);

const updateCondition = graphql(`
  mutation UpdateRulesJson($uuid: UUID!, $patch: RulesJsonPatch!) {
    updateRulesJson(input: { uuid: $uuid, patch: $patch }) {
      clientMutationId
    }
  }
`);

const deleteCondition = graphql(`
  mutation DeleteRulesJson($ruleName: String!, $siteId: String!) {
    deleteRulesJson(input: { ruleName: $ruleName, siteId: $siteId }) {
      clientMutationId
    }
  }
`);

export type ConditionInput = VariablesOf<typeof saveRulesJson>['input']['rulesJson'];

/** Creates a multi-condition rule with its causes, or updates it if `uuid` is set. */
export async function saveCondition(
  uuid: string | null,
  rulesJson: ConditionInput,
  causes: readonly string[],
  mark: string | undefined,
): Promise<void> {
  const input = {
    rulesJson,
    causes: [...causes],
    ...(uuid !== null && { uuid }),
    ...(mark !== undefined && { seen: mark }),
  };
  await ask(saveRulesJson, { input });
}

export async function switchCondition(uuid: string, enabled: boolean): Promise<void> {
  await ask(updateCondition, { uuid, patch: { enabled } });
}

/** Deletes a multi-condition rule. The specification identifies it by name and site, not by uuid. */
export async function removeCondition({ ruleName, siteId }: { ruleName: string; siteId: string }): Promise<void> {
  await ask(deleteCondition, { ruleName, siteId });
}

const datapointsOfSite = graphql(
  `
  query DatapointsOfSite($siteId: String!) {
    assetDatapoints(
      first: 500
      filter: { asset: { site: { siteId: { equalTo: $siteId } } } }
      orderBy: [TOCSIN_DATAPOINT_NAME_ASC, PRIMARY_KEY_ASC]
    ) {
      nodes {
        uuid
        ...NamedPoint
      }
    }
  }
`,
  [namedPoint],
);

/** Option for a data point, with its texts for display. */
export interface DatapointOption extends Option {
  point: PointWords;
}

/** Fetches all data points of a site. A multi-condition rule can use only these. */
export function datapointsOfSiteQuery(siteId: string | null) {
  return queryOptions({
    queryKey: ['datapoint', 'of-site', siteId],
    queryFn: async ({ signal }): Promise<DatapointOption[]> =>
      rowsOf((await ask(datapointsOfSite, { siteId: siteId ?? '' }, signal)).assetDatapoints)
        .map((row) => ({
          value: row.uuid,
          label: datapointLabel(row.asset?.name, row.tocsinDatapointName, row.uom),
          point: pointWords(row),
        }))
        .sort((one, other) => one.label.localeCompare(other.label)),
    enabled: siteId !== null,
    staleTime: 30_000,
  });
}
