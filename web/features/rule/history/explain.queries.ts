import { queryOptions } from '@tanstack/react-query';
import { ask, graphql, type ResultOf } from '../../../api/graphql.ts';
import { againWhileNothing, type Range } from './history.queries.ts';

const explainRule = graphql(`
  query ExplainRule($rule: UUID!, $from: Datetime!, $to: Datetime!) {
    explainRule(ruleUuid: $rule, from: $from, to: $to) {
      because
      sentence
      readings
      lateReadings
      versions {
        version
        from
        to
        sentence
        readings
        wouldHaveOpened {
          openedAt
          resolvedAt
          peak
        }
      }
      transitions {
        at
        from
        to
        because
        value
        version
        alarmUuid
      }
      transitionCount
      alarms {
        alarmUuid
        message
        openedAt
        resolvedAt
        resolvedName
      }
    }
  }
`);

export type RuleExplanation = NonNullable<ResultOf<typeof explainRule>['explainRule']>;

/**
 * Fetches an explanation of why a rule did or did not open alarms in the range; the result is null if the rule was
 * deleted.
 */
export function explainRuleQuery(ruleUuid: string, range: Range | undefined) {
  return queryOptions({
    queryKey: ['rule', 'explanation', ruleUuid, range?.from, range?.to],
    queryFn: async ({ signal }): Promise<RuleExplanation | null> =>
      (await ask(explainRule, { rule: ruleUuid, from: range?.from ?? '', to: range?.to ?? '' }, signal)).explainRule,
    enabled: range !== undefined,
    staleTime: 30_000,
    refetchInterval: ({ state }) => againWhileNothing(state.data?.readings),
    retry: false,
  });
}
