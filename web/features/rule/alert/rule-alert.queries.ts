import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { type AlarmAccess, alarmAccess } from '../../../../domain/permission.ts';
import { ask, graphql, type VariablesOf } from '../../../api/graphql.ts';
import { type RowOf, rowsOf } from '../../../kit/list/list.ts';
import { PORTION, wholeRuleAlert } from './rule-alert-portions.ts';

const alertRecords = graphql(`
  query RuleAlertRecords($filter: RuleAlertFilter!, $portion: Int!, $offset: Int!) {
    ruleAlerts(first: 1, filter: $filter) {
      nodes {
        uuid
        tocsinRuleName
        tocsinSiteUuid
        indAck
        escalateMinutes
        escalateIntervalMinutes
        escalateCount
        updatedAt
        ruleCount
        site {
          uuid
          name
        }
        ruleAlertUsers(first: $portion, offset: $offset, orderBy: [PRIMARY_KEY_ASC]) {
          totalCount
          nodes {
            uuid
            tocsinUserUuid
            isAlert
            isResolve
            isHealth
            personName
            user {
              email
              phoneNumber
              status
              varified
              emailNotification
              smsNotification
              whatsappNotification
              appsNotification
            }
          }
        }
        ruleEscalateUsers(first: $portion, offset: $offset, orderBy: [PRIMARY_KEY_ASC]) {
          totalCount
          nodes {
            uuid
            tocsinUserUuid
            personName
          }
        }
        reasons(first: $portion, offset: $offset, orderBy: [PRIMARY_KEY_ASC]) {
          totalCount
          nodes {
            uuid
            reason
            isNuisance
            siteReasons(first: 0) {
              totalCount
            }
            userReasons(first: 0) {
              totalCount
            }
          }
        }
      }
    }
  }
`);

type Parts = RowOf<typeof alertRecords, 'ruleAlerts'>;
export type AlertPerson = NonNullable<Parts['ruleAlertUsers']['nodes'][number]>;
export type RuleAlertRecord = Omit<Parts, 'ruleAlertUsers' | 'ruleEscalateUsers' | 'reasons'> & {
  people: AlertPerson[];
  escalates: NonNullable<Parts['ruleEscalateUsers']['nodes'][number]>[];
  reasons: NonNullable<Parts['reasons']['nodes'][number]>[];
};

async function findRuleAlert(
  filter: VariablesOf<typeof alertRecords>['filter'],
  signal?: AbortSignal,
): Promise<RuleAlertRecord | null> {
  return wholeRuleAlert(
    async (offset) => rowsOf((await ask(alertRecords, { filter, portion: PORTION, offset }, signal)).ruleAlerts)[0],
  );
}

export function readRuleAlert(uuid: string, signal?: AbortSignal): Promise<RuleAlertRecord | null> {
  return findRuleAlert({ uuid: { equalTo: uuid } }, signal);
}

export function ruleAlertRecordQuery(uuid: string) {
  return queryOptions({
    queryKey: ['rule', 'alert-record', uuid],
    queryFn: ({ signal }) => readRuleAlert(uuid, signal),
    staleTime: 0,
    gcTime: 0,
  });
}

/** Fetches the rule alert for this rule name at the site; null if there is none. */
export function alertOfRuleQuery(siteUuid: string | undefined, name: string) {
  return queryOptions({
    queryKey: ['rule', 'alert-of', siteUuid, name],
    queryFn: ({ signal }) =>
      findRuleAlert({ tocsinSiteUuid: { equalTo: siteUuid ?? '' }, tocsinRuleName: { equalTo: name } }, signal),
    enabled: siteUuid !== undefined && name !== '',
  });
}

const reasonUse = graphql(`
  query ReasonUse($site: UUID!) {
    alarms(
      first: 500
      filter: { tocsinSiteUuid: { equalTo: $site }, acknowledgedBy: { isNull: false } }
      orderBy: [DATE_TIME_DESC]
    ) {
      nodes {
        reason
        ruleName
      }
    }
  }
`);

/** Counts how often each reason was used for the rule, in the site's last 500 acknowledged alarms. */
export function reasonUseQuery(siteUuid: string | null, ruleName: string) {
  return queryOptions({
    queryKey: ['alarm', 'reason-use', siteUuid, ruleName],
    queryFn: async ({ signal }) => {
      const uses = new Map<string, number>();
      for (const alarm of rowsOf((await ask(reasonUse, { site: siteUuid ?? '' }, signal)).alarms)) {
        if (alarm.ruleName !== ruleName || !alarm.reason) continue;
        const key = alarm.reason.trim().toLowerCase();
        uses.set(key, (uses.get(key) ?? 0) + 1);
      }
      return uses;
    },
    enabled: siteUuid !== null,
  });
}

const alarmReaders = graphql(`
  query AlarmReaders($site: UUID!, $people: [UUID!]!) {
    users(first: 500, filter: { uuid: { in: $people } }) {
      nodes {
        uuid
        level
        tocsinPartnerAccount
        siteUsers(first: 1, filter: { tocsinSiteUuid: { equalTo: $site } }) {
          nodes {
            uuid
          }
        }
      }
    }
  }
`);

/**
 * Fetches whether each of these users is allowed to open the site's alarms. Users whom the signed-in user cannot see
 * are missing from the result; they are managers or owners, who are allowed to open all alarms.
 */
export function alarmReadersQuery(siteUuid: string | null, people: readonly string[]) {
  const asked = [...new Set(people)].sort().slice(0, 500);
  return queryOptions({
    queryKey: ['user', 'alarm-readers', siteUuid, asked],
    queryFn: async ({ signal }): Promise<ReadonlyMap<string, AlarmAccess>> => {
      const { users } = await ask(alarmReaders, { site: siteUuid ?? '', people: asked }, signal);
      return new Map(
        rowsOf(users).map(({ uuid, level, tocsinPartnerAccount: partnerAccount, siteUsers }) => [
          uuid,
          alarmAccess({ level, partnerAccount }, rowsOf(siteUsers).length > 0),
        ]),
      );
    },
    enabled: siteUuid !== null && asked.length > 0,
    placeholderData: (before, query) => (query?.queryKey[2] === siteUuid ? before : undefined),
    // Always refetch, because the user may have linked a person to the site in another window.
    staleTime: 0,
  });
}

const saveAlert = graphql(`
  mutation SaveRuleAlert($input: SaveRuleAlertInput!) {
    saveRuleAlert(input: $input) {
      ruleAlert {
        uuid
      }
    }
  }
`);

const deleteAlert = graphql(`
  mutation DeleteRuleAlert($uuid: UUID!) {
    deleteRuleAlert(input: { uuid: $uuid }) {
      clientMutationId
    }
  }
`);

export type RuleAlertInput = VariablesOf<typeof saveAlert>['input'];

/** Saves a rule alert with its people and reasons in one transaction. */
export function saveRuleAlert(input: RuleAlertInput) {
  return ask(saveAlert, { input });
}

export function removeRuleAlert(uuid: string) {
  return ask(deleteAlert, { uuid });
}

export async function forgetRuleAlerts(client: QueryClient): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: ['rule'] }),
    client.invalidateQueries({ queryKey: ['reason'] }),
  ]);
}

const ruleSensor = graphql(`
  query SensorOfRule($site: UUID!, $name: String!) {
    rules(first: 1, filter: { tocsinSiteUuid: { equalTo: $site }, name: { equalTo: $name } }) {
      nodes {
        datapoint {
          tocsinSensorUuid
        }
      }
    }
  }
`);

/** Returns the sensor of a rule with limits; null for other rules. */
export async function sensorOfRule(site: string, name: string): Promise<string | null> {
  const [rule] = rowsOf((await ask(ruleSensor, { site, name })).rules);
  return rule?.datapoint?.tocsinSensorUuid ?? null;
}
