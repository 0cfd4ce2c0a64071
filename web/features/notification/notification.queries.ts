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

/** Loads up to 100 rules whose alarms notify nobody. If `site` is null, searches all sites of this user. */
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

/**
 * Loads the rule alerts that have these people as recipients. Alerts that would notify nobody without these people come
 * first.
 */
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
  /** True for a partner account. The server rejects it as a replacement, because it has no access to alarms. */
  isPartner: boolean;
  /** True if notifications reach this person. */
  isReached: boolean;
  /** Sites to which this person gets access as a replacement: the number of sites, and the first five names. */
  newSites: { count: number; names: string[] };
}

/** Loads the replacement, with the sites to which this person gets access when these people are disabled. */
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

/** Disables the users and replaces them in rule alerts, in one transaction. Returns the number of disabled users. */
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
  // The key starts with `alarm`, so that this query is refetched when alarms change.
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
