import { ask, graphql, type ResultOf } from '../../api/graphql.ts';
import { alarmRowFields } from '../../features/alarm/index.ts';

/** Maximum number of alarms fetched. The list shows a note if there are more. */
const MOST = 200;

const waitingForMe = graphql(
  `
  query WaitingForMe($first: Int!) {
    alarmsWaitingForMe(first: $first) {
      totalCount
      nodes {
        ...AlarmRowFields
        recipients
      }
    }
  }
`,
  [alarmRowFields],
);

const assignedToMe = graphql(
  `
  query AssignedToMe($first: Int!) {
    alarmsAssignedToMe(first: $first) {
      totalCount
      nodes {
        ...AlarmRowFields
      }
    }
  }
`,
  [alarmRowFields],
);

/** Fetches the open alarms that are assigned to this user. */
export async function fetchAssignedToMe(signal?: AbortSignal) {
  const { alarmsAssignedToMe: list } = await ask(assignedToMe, { first: MOST }, signal);
  return { total: list?.totalCount ?? 0, rows: (list?.nodes ?? []).filter((row) => row !== null) };
}

export type WaitingAlarm = NonNullable<
  NonNullable<ResultOf<typeof waitingForMe>['alarmsWaitingForMe']>['nodes'][number]
>;

/**
 * Fetches the open unacknowledged alarms that are addressed or escalated to this user, or will be escalated to them.
 * Leaves out alarms that are assigned to this user.
 */
export async function fetchWaitingForMe(signal?: AbortSignal): Promise<{ total: number; rows: WaitingAlarm[] }> {
  const { alarmsWaitingForMe: list } = await ask(waitingForMe, { first: MOST }, signal);
  return { total: list?.totalCount ?? 0, rows: (list?.nodes ?? []).filter((row) => row !== null) };
}

const myNotifications = graphql(`
  query MyNotifications($first: Int!, $offset: Int!) {
    myNotifications(first: $first, offset: $offset) {
      totalCount
      nodes {
        uuid
        recipientName
        address
        methodType
        kind
        step
        shownState
        attempts
        notifyMessage
        notifyTime
        nextAttemptAt
        sentAt
        deliveredAt
        failedAt
        ackTime
        providerAnswer
        attemptLog
        alarm {
          uuid
          message
          siteName
        }
      }
    }
  }
`);

/** Fetches the messages sent to this user, newest first. */
export async function fetchMyNotifications(page: { size: number; offset: number }, signal?: AbortSignal) {
  const { myNotifications: list } = await ask(myNotifications, { first: page.size, offset: page.offset }, signal);
  return { total: list?.totalCount ?? 0, rows: (list?.nodes ?? []).filter((row) => row !== null) };
}
