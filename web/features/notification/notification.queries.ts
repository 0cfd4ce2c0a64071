import { queryOptions } from '@tanstack/react-query';
import { ask, graphql, type ResultOf } from '../../api/graphql.ts';
import { rowsOf } from '../../kit/list/list.ts';

const unreachedRules = graphql(`
  query UnreachedRules($site: UUID) {
    rulesReachingNobody(siteUuid: $site, first: 100) {
      nodes {
        siteUuid
        siteName
        ruleName
        ruleUuid
        kind
        ruleAlertUuid
        because
      }
    }
  }
`);

export type UnreachedRule = NonNullable<
  NonNullable<ResultOf<typeof unreachedRules>['rulesReachingNobody']>['nodes'][number]
>;

/** Up to 100 rules whose alarms notify nobody, at one site or at all sites of this user. */
export function unreachedRulesQuery(site: string | null | undefined) {
  return queryOptions({
    queryKey: ['rule', 'unreached', site ?? null],
    queryFn: async ({ signal }) =>
      rowsOf((await ask(unreachedRules, { site: site ?? null }, signal)).rulesReachingNobody),
    enabled: site !== undefined,
    refetchInterval: 60_000,
    staleTime: 0,
  });
}

const alertsOfPeople = graphql(`
  query RuleAlertsOfPeople($people: [UUID]!) {
    ruleAlertsOfPeople(personUuids: $people, first: 500) {
      nodes {
        ruleAlertUuid
        siteName
        ruleName
        roles
        reachesNobodyThen
      }
    }
  }
`);

/** The rule alerts that name these people. Those that would reach nobody without them come first. */
export function alertsOfPeopleQuery(people: readonly string[]) {
  return queryOptions({
    queryKey: ['rule', 'alerts-of-people', people],
    queryFn: async ({ signal }) =>
      rowsOf((await ask(alertsOfPeople, { people: [...people] }, signal)).ruleAlertsOfPeople),
    staleTime: 0,
  });
}

const replacementOf = graphql(`
  query Replacement($people: [UUID]!, $replacement: UUID!) {
    sitesForReplacement(personUuids: $people, replacement: $replacement, first: 5) {
      totalCount
      nodes {
        uuid
        name
      }
    }
    users(first: 1, filter: { uuid: { equalTo: $replacement } }) {
      nodes {
        displayName
        tocsinPartnerAccount
      }
    }
    peopleReach(personUuids: [$replacement]) {
      nodes {
        unreachableBecause
      }
    }
  }
`);

export interface Replacement {
  name: string;
  /** Partner accounts cannot open alarms; the server refuses them. */
  isPartner: boolean;
  /** Whether notifications reach this person. */
  isReached: boolean;
  /** Sites that disabling links this person to: their number, and the first names. */
  newSites: { count: number; names: string[] };
}

/** State of the replacement after these people are disabled. */
export function replacementQuery(people: readonly string[], replacement: string | null) {
  return queryOptions({
    queryKey: ['user', 'replacement', people, replacement],
    queryFn: async ({ signal }): Promise<Replacement> => {
      const found = await ask(replacementOf, { people: [...people], replacement: replacement ?? '' }, signal);
      const user = rowsOf(found.users)[0];
      return {
        name: user?.displayName ?? 'The replacement',
        isPartner: user?.tocsinPartnerAccount === true,
        isReached: rowsOf(found.peopleReach)[0]?.unreachableBecause === null,
        newSites: {
          count: found.sitesForReplacement?.totalCount ?? 0,
          names: rowsOf(found.sitesForReplacement).map(({ name }) => name),
        },
      };
    },
    enabled: replacement !== null,
    staleTime: 0,
  });
}

const disableMutation = graphql(`
  mutation DisableUsers($users: [UUID]!, $replacement: UUID) {
    disableUsers(input: { users: $users, replacement: $replacement }) {
      disabledCount
    }
  }
`);

/** Disables users and sets their replacement in one transaction. Returns the number of disabled users. */
export async function disableUsers(users: readonly string[], replacement: string | null): Promise<number> {
  return (await ask(disableMutation, { users: [...users], replacement })).disableUsers?.disabledCount ?? 0;
}

const summary = graphql(`
  query NotificationSummary {
    notificationSummary {
      unnotifiedAlarms
      unreachedRules
    }
  }
`);

export const notificationSummaryQuery = queryOptions({
  // The key starts with `alarm`, so that alarm news refetches it.
  queryKey: ['alarm', 'notification-summary'],
  queryFn: async ({ signal }) => {
    const found = (await ask(summary, {}, signal)).notificationSummary;
    return { alarms: found?.unnotifiedAlarms ?? 0, rules: found?.unreachedRules ?? 0 };
  },
  refetchInterval: 60_000,
});

const problems = graphql(`
  query DeliveryProblems {
    deliveryProblems {
      nodes {
        methodType
        cause
        messages
        alarms
        since
        answer
      }
    }
  }
`);

export const deliveryProblemsQuery = queryOptions({
  queryKey: ['alarm', 'delivery-problems'],
  queryFn: async ({ signal }) => rowsOf((await ask(problems, {}, signal)).deliveryProblems),
  refetchInterval: 30_000,
});
