import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { ask, graphql, type ResultOf, type VariablesOf } from '../../api/graphql.ts';
import { rowsOf } from '../../kit/list/list.ts';
import { usedDefaultMessage } from '../alarm-default-message/index.ts';
import { causeFields } from '../dependency/index.ts';

const ruleRecord = graphql(
  `
  query RuleRecord($uuid: UUID!) {
    rule(uuid: $uuid) {
      uuid
      name
      valueLower
      valueUpper
      clearLower
      clearUpper
      debounce
      priority
      enabled
      message
      version
      updatedAt
      tocsinDatapointUuid
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

export type RuleRecord = NonNullable<ResultOf<typeof ruleRecord>['rule']>;

/** Fetches a rule; null if it was deleted or the user has no access to it. */
export async function readRule(uuid: string, signal?: AbortSignal): Promise<RuleRecord | null> {
  return (await ask(ruleRecord, { uuid }, signal)).rule ?? null;
}

export function ruleRecordQuery(uuid: string) {
  return queryOptions({
    queryKey: ['rule', 'record', uuid],
    queryFn: ({ signal }) => readRule(uuid, signal),
    staleTime: 0,
    gcTime: 0,
  });
}

const ruleDatapoint = graphql(
  `
    query RuleDatapoint($uuid: UUID!) {
      assetDatapoint(uuid: $uuid) {
        uuid
        tocsinDatapointName
        uom
        latestValue
        asset {
          uuid
          name
          site {
            uuid
            name
            siteId
          }
        }
        sensor {
          uid
        }
        sensorChannel {
          channelNumber
          channelMajorAlarmStatus
        }
      }
      ...UsedDefaultMessage
    }
  `,
  [usedDefaultMessage],
);

export type RuleDatapoint = NonNullable<ResultOf<typeof ruleDatapoint>['assetDatapoint']> & {
  defaultMessage: string | null;
};

/** Fetches the rule's data point and the default message of its alarms. */
export function ruleDatapointQuery(uuid: string | null) {
  return queryOptions({
    queryKey: ['datapoint', 'for-rule', uuid],
    queryFn: async ({ signal }): Promise<RuleDatapoint | null> => {
      const found = await ask(ruleDatapoint, { uuid: uuid ?? '' }, signal);
      const defaultMessage = rowsOf(found.alarmDefaultMessages)[0]?.message ?? null;
      return found.assetDatapoint ? { ...found.assetDatapoint, defaultMessage } : null;
    },
    enabled: uuid !== null,
    staleTime: 60_000,
  });
}

const saveRuleMutation = graphql(`
  mutation SaveRule($input: SaveRuleInput!) {
    saveRule(input: $input) {
      rule {
        uuid
        updatedAt
      }
    }
  }
`);

const updateRule = graphql(`
  mutation UpdateRule($uuid: UUID!, $patch: RulePatch!) {
    updateRule(input: { uuid: $uuid, patch: $patch }) {
      rule {
        uuid
        updatedAt
      }
    }
  }
`);

const deleteRule = graphql(`
  mutation DeleteRule($uuid: UUID!) {
    deleteRule(input: { uuid: $uuid }) {
      clientMutationId
    }
  }
`);

export type RuleInput = VariablesOf<typeof saveRuleMutation>['input']['rule'];

/** Creates a rule with its causes, or updates it if `uuid` is set. Returns the rule's uuid and its new mark. */
export async function saveRule(
  uuid: string | null,
  rule: RuleInput,
  causes: readonly string[],
  mark: string | undefined,
): Promise<{ uuid: string; mark: string | undefined }> {
  const input = {
    rule,
    causes: [...causes],
    ...(uuid !== null && { uuid }),
    ...(mark !== undefined && { seen: mark }),
  };
  const saved = (await ask(saveRuleMutation, { input })).saveRule?.rule;
  return { uuid: saved?.uuid ?? '', mark: saved?.updatedAt };
}

export async function switchRule(uuid: string, enabled: boolean): Promise<void> {
  await ask(updateRule, { uuid, patch: { enabled } });
}

const changeManyRules = graphql(`
  mutation BulkChangeForm($input: ChangeRulesInput!) {
    changeRules(input: $input) {
      changedCount
    }
  }
`);

/** Changes to a rule. Null removes a limit; omitted fields stay unchanged. */
export interface RuleChange {
  priority?: string;
  debounce?: number;
  valueLower?: number | null;
  valueUpper?: number | null;
  clearLower?: number | null;
  clearUpper?: number | null;
}

/**
 * Makes the same change to all rules and returns the number of changed rules. Changes no rule if the server rejects the
 * change for one of them, or if another user has changed one of them in the meantime.
 */
export async function changeRules(
  rules: readonly { uuid: string; updatedAt: string }[],
  change: RuleChange,
): Promise<number> {
  const input = { rules: rules.map(({ uuid }) => uuid), seen: rules.map(({ updatedAt }) => updatedAt), ...change };
  return (await ask(changeManyRules, { input })).changeRules?.changedCount ?? 0;
}

export async function removeRule(uuid: string): Promise<void> {
  await ask(deleteRule, { uuid });
}

export async function forgetRules(client: QueryClient): Promise<void> {
  await client.invalidateQueries({ queryKey: ['rule'] });
}
