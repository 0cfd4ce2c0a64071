import { queryOptions } from '@tanstack/react-query';
import { ask, graphql, type ResultOf } from '../../../api/graphql.ts';

const trial = graphql(`
  fragment TrialFields on RuleTrial {
    valueLower
    valueUpper
    clearLower
    clearUpper
    debounce
    alarms
    alarmsPerDay
    nuisanceAvoided
    realKept
    realMissed
    missed {
      alarmUuid
      openedAt
    }
    delay
    isSafe
  }
`);

const ruleAdvice = graphql(
  `
  query RuleAdvice($rule: UUID!, $days: Int!) {
    ruleAdvice(ruleUuid: $rule, days: $days) {
      because
      sentence
      notes
      from
      to
      ruleName
      siteName
      version
      unit
      replayedFrom
      readings
      tried
      recorded {
        alarms
        nuisance
        real
        unknown
        chattering
        fleeting
        reasons {
          reason
          class
          alarms
        }
      }
      days {
        start
        readings
        lowest
        highest
        mean
      }
      present {
        ...TrialFields
      }
      trials {
        ...TrialFields
      }
    }
  }
`,
  [trial],
);

export type RuleAdvice = NonNullable<ResultOf<typeof ruleAdvice>['ruleAdvice']>;
export type Trial = RuleAdvice['trials'][number];
export type AdviceDay = RuleAdvice['days'][number];
export type AlarmCounts = NonNullable<RuleAdvice['recorded']>;

/** Fetches the advice for a rule from the alarms and readings of the last days. */
export function ruleAdviceQuery(ruleUuid: string, days: number) {
  return queryOptions({
    queryKey: ['rule', 'advice', ruleUuid, days],
    queryFn: async ({ signal }): Promise<RuleAdvice | null> =>
      (await ask(ruleAdvice, { rule: ruleUuid, days }, signal)).ruleAdvice,
    staleTime: 60_000,
    retry: false,
  });
}
