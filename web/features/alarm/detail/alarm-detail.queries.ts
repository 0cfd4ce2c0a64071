import { ask, graphql, type ResultOf } from '../../../api/graphql.ts';
import { rowsOf } from '../../../kit/list/list.ts';
import { alarmAssignment, alarmConditionPoints, alarmHead, alarmHolders, alarmShelving } from '../alarm.queries.ts';

const alarmDetail = graphql(
  `
  query AlarmDetail($uuid: UUID!) {
    alarm(uuid: $uuid) {
      ...AlarmConditionPoints
      ...AlarmHolders
      ...AlarmShelving
      ...AlarmAssignment
      uuid
      severity
      message
      tocsinSiteUuid
      tocsinDatapointUuid
      siteName
      assetName
      datapointName
      ruleName
      ruleVersion
      source
      dateTime
      pendingSince
      value
      unit
      criteria
      samples
      recipients
      notNotifiedBecause
      notNotifiedMethods
      causeName
      tocsinCauseAlarmUuid
      causeAlarm {
        uuid
        resolvedDate
      }
      plan
      mustAcknowledge
      occurrences
      lastOccurredAt
      escalationStep
      nextEscalationAt
      resolvedDate
      resolveNote
      acknowledgeJson
      site {
        tocsinHealthDurationHours
      }
      asset {
        name
      }
      datapoint {
        tocsinDatapointName
        latestValue
        lastUpdated
        uom
        sensorType
        datapointTitleText
      }
    }
  }
`,
  [alarmConditionPoints, alarmHolders, alarmShelving, alarmAssignment],
);

const historyMessage = graphql(`
  fragment HistoryMessage on Notification {
    uuid
    sequenceNumber
    recipientName
    address
    methodType
    kind
    step
    shownState
    attempts
    notifyTime
    nextAttemptAt
    sentAt
    deliveredAt
    failedAt
    ackTime
    providerAnswer
    attemptLog
  }
`);

/**
 *  Events, notifications and digests of an alarm. They have a separate query, because a query that also fetched the
 * alarm would contain too many fields.
 */
const alarmHistory = graphql(
  `
  query AlarmHistory($uuid: UUID!) {
    alarm(uuid: $uuid) {
      alarmEvents(first: 300, orderBy: [AT_ASC, ID_ASC]) {
        totalCount
        nodes {
          id
          at
          kind
          sentence
          detail
        }
      }
      notifications(first: 200, orderBy: [NOTIFY_TIME_ASC]) {
        totalCount
        nodes {
          ...HistoryMessage
        }
      }
      digests(first: 200) {
        totalCount
        nodes {
          ...HistoryMessage
        }
      }
    }
  }
`,
  [historyMessage],
);

type Result<Query extends typeof alarmDetail | typeof alarmHistory> = NonNullable<ResultOf<Query>['alarm']>;
export type AlarmDetail = Result<typeof alarmDetail> & Result<typeof alarmHistory>;

/**
 * Returns an alarm with its events and notifications; null if the alarm does not exist or this user is not allowed to
 * see it.
 */
export async function fetchAlarm(uuid: string, signal?: AbortSignal): Promise<AlarmDetail | null> {
  const [{ alarm }, { alarm: history }] = await Promise.all([
    ask(alarmDetail, { uuid }, signal),
    ask(alarmHistory, { uuid }, signal),
  ]);
  return alarm && history && { ...alarm, ...history };
}

const similarAlarms = graphql(`
  query SimilarAlarms($uuid: UUID!) {
    alarm(uuid: $uuid) {
      similar(first: 50) {
        totalCount
        nodes {
          uuid
          severity
          message
          siteName
          dateTime
          resolvedDate
          resolveNote
          acknowledgeJson
        }
      }
    }
  }
`);

type Similar = NonNullable<ResultOf<typeof similarAlarms>['alarm']>['similar'];
export type SimilarAlarm = NonNullable<Similar['nodes'][number]>;

/** Returns the newest 50 alarms of the same rule or data point, and their total number. */
export async function fetchSimilar(uuid: string, signal?: AbortSignal) {
  const similar = (await ask(similarAlarms, { uuid }, signal)).alarm?.similar;
  return { total: similar?.totalCount ?? 0, rows: (similar?.nodes ?? []).filter((row) => row !== null) };
}

const consequences = graphql(
  `
  query Consequences($uuid: UUID!) {
    alarm(uuid: $uuid) {
      consequences(first: 50, orderBy: [DATE_TIME_DESC]) {
        totalCount
        nodes {
          ...AlarmHead
          quietBecause
        }
      }
    }
  }
`,
  [alarmHead],
);

type Consequences = NonNullable<ResultOf<typeof consequences>['alarm']>['consequences'];
export type Consequence = NonNullable<Consequences['nodes'][number]>;

/** Returns the newest 50 alarms that were recorded under this alarm, and their total number. */
export async function fetchConsequences(uuid: string, signal?: AbortSignal) {
  const found = (await ask(consequences, { uuid }, signal)).alarm?.consequences;
  return { total: found?.totalCount ?? 0, rows: rowsOf(found) };
}
