import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { ask, graphql, type VariablesOf } from '../../api/graphql.ts';
import { type RowOf, rowsOf } from '../list/list.ts';

const alertRecords = graphql(`
  query RuleAlertRecords($filter: RuleAlertFilter!) {
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
        site {
          uuid
          name
        }
        ruleAlertUsers(first: 200, orderBy: [PRIMARY_KEY_ASC]) {
          nodes {
            uuid
            tocsinUserUuid
            isAlert
            isResolve
            isHealth
            user {
              displayName
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
        ruleEscalateUsers(first: 200, orderBy: [PRIMARY_KEY_ASC]) {
          nodes {
            uuid
            tocsinUserUuid
            user {
              displayName
            }
          }
        }
        reasons(first: 200) {
          nodes {
            uuid
            reason
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
  const [found] = rowsOf((await ask(alertRecords, { filter }, signal)).ruleAlerts);
  if (!found) return null;
  const { ruleAlertUsers, ruleEscalateUsers, reasons, ...rest } = found;
  return {
    ...rest,
    people: rowsOf(ruleAlertUsers),
    escalates: rowsOf(ruleEscalateUsers),
    reasons: rowsOf(reasons),
  };
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

/** Who is told by the rule of this name at the site; null where nobody has been joined to it. */
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

/** How often each reason was given for alarms of the rule, among the site's last 500 acknowledged ones. */
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

const createAlert = graphql(`
  mutation CreateRuleAlert($ruleAlert: RuleAlertInput!) {
    createRuleAlert(input: { ruleAlert: $ruleAlert }) {
      ruleAlert {
        uuid
      }
    }
  }
`);

const updateAlert = graphql(`
  mutation UpdateRuleAlert($uuid: UUID!, $patch: RuleAlertPatch!) {
    updateRuleAlert(input: { uuid: $uuid, patch: $patch }) {
      ruleAlert {
        updatedAt
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

const createAlertUser = graphql(`
  mutation CreateRuleAlertUser($person: RuleAlertUserInput!) {
    createRuleAlertUser(input: { ruleAlertUser: $person }) {
      clientMutationId
    }
  }
`);

const updateAlertUser = graphql(`
  mutation UpdateRuleAlertUser($uuid: UUID!, $patch: RuleAlertUserPatch!) {
    updateRuleAlertUser(input: { uuid: $uuid, patch: $patch }) {
      clientMutationId
    }
  }
`);

const deleteAlertUser = graphql(`
  mutation DeleteRuleAlertUser($uuid: UUID!) {
    deleteRuleAlertUser(input: { uuid: $uuid }) {
      clientMutationId
    }
  }
`);

const createEscalateUser = graphql(`
  mutation CreateRuleEscalateUser($person: RuleEscalateUserInput!) {
    createRuleEscalateUser(input: { ruleEscalateUser: $person }) {
      clientMutationId
    }
  }
`);

const deleteEscalateUser = graphql(`
  mutation DeleteRuleEscalateUser($uuid: UUID!) {
    deleteRuleEscalateUser(input: { uuid: $uuid }) {
      clientMutationId
    }
  }
`);

const createReason = graphql(`
  mutation CreateReasonOfAlert($reason: ReasonInput!) {
    createReason(input: { reason: $reason }) {
      clientMutationId
    }
  }
`);

const deleteReason = graphql(`
  mutation DeleteReasonOfAlert($uuid: UUID!) {
    deleteReason(input: { uuid: $uuid }) {
      clientMutationId
    }
  }
`);

export interface AlertHead {
  indAck: boolean;
  escalateMinutes: number;
  escalateIntervalMinutes: number;
  escalateCount: number;
}

export const ruleAlertStore = {
  create: async (siteUuid: string, ruleName: string, head: AlertHead): Promise<string> => {
    const ruleAlert = { tocsinSiteUuid: siteUuid, tocsinRuleName: ruleName, ...head };
    return (await ask(createAlert, { ruleAlert })).createRuleAlert?.ruleAlert?.uuid ?? '';
  },
  /** Answers the new mark. */
  update: async (uuid: string, head: AlertHead, mark: string | undefined): Promise<string | undefined> => {
    const patch = { ...head, ...(mark && { updatedAt: mark }) };
    return (await ask(updateAlert, { uuid, patch })).updateRuleAlert?.ruleAlert?.updatedAt;
  },
  remove: (uuid: string) => ask(deleteAlert, { uuid }),
  addPerson: (alert: string, user: string, flags: { isAlert: boolean; isResolve: boolean; isHealth: boolean }) =>
    ask(createAlertUser, { person: { tocsinRuleAlertUuid: alert, tocsinUserUuid: user, ...flags } }),
  changePerson: (uuid: string, patch: { isAlert: boolean; isResolve: boolean; isHealth: boolean }) =>
    ask(updateAlertUser, { uuid, patch }),
  removePerson: (uuid: string) => ask(deleteAlertUser, { uuid }),
  addEscalation: (alert: string, user: string) =>
    ask(createEscalateUser, { person: { tocsinRuleAlertUuid: alert, tocsinUserUuid: user } }),
  removeEscalation: (uuid: string) => ask(deleteEscalateUser, { uuid }),
  addReason: (alert: string, reason: string) => ask(createReason, { reason: { ruleUuid: alert, reason } }),
  removeReason: (uuid: string) => ask(deleteReason, { uuid }),
};

export async function forgetRuleAlerts(client: QueryClient): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: ['rule'] }),
    client.invalidateQueries({ queryKey: ['reason'] }),
  ]);
}
