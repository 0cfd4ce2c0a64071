import { ask, graphql, type ResultOf } from '../../api/graphql.ts';

const openAlarmCounts = graphql(`
  query OpenAlarmCounts {
    openAlarmCounts {
      nodes {
        severity
        open
        unacknowledged
        oldestUnacknowledged
      }
    }
  }
`);

export type OpenAlarmCount = NonNullable<
  NonNullable<ResultOf<typeof openAlarmCounts>['openAlarmCounts']>['nodes'][number]
>;

export async function fetchOpenAlarmCounts(signal?: AbortSignal): Promise<OpenAlarmCount[]> {
  const { openAlarmCounts: counts } = await ask(openAlarmCounts, {}, signal);
  return (counts?.nodes ?? []).filter((row) => row !== null);
}

const alarmList = graphql(`
  query AlarmList($isOpen: Boolean!, $severity: String, $search: String, $first: Int!, $offset: Int!) {
    alarmList(isOpen: $isOpen, severity: $severity, search: $search, first: $first, offset: $offset) {
      totalCount
      nodes {
        uuid
        severity
        message
        siteName
        dateTime
        resolvedDate
        acknowledgeJson
        toldCount
        asset {
          name
        }
        datapoint {
          latestValue
          uom
          sensorType
          status
          datapointTitleText
        }
        site {
          uuid
          lastUpdate
        }
      }
    }
  }
`);

export type AlarmRow = NonNullable<NonNullable<ResultOf<typeof alarmList>['alarmList']>['nodes'][number]>;

export interface AlarmQuery {
  open: boolean;
  severity: string;
  search: string;
  size: number;
  offset: number;
}

export async function fetchAlarms(query: AlarmQuery, signal?: AbortSignal) {
  const { alarmList: list } = await ask(
    alarmList,
    {
      isOpen: query.open,
      severity: query.severity || null,
      search: query.search || null,
      first: query.size,
      offset: query.offset,
    },
    signal,
  );
  return { total: list?.totalCount ?? 0, rows: (list?.nodes ?? []).filter((row) => row !== null) };
}

const alarmDetail = graphql(`
  query AlarmDetail($uuid: UUID!) {
    alarm(uuid: $uuid) {
      uuid
      severity
      message
      siteName
      ruleName
      dateTime
      resolvedDate
      acknowledgeJson
      asset {
        name
      }
      datapoint {
        tocsinDatapointName
        latestValue
        lastUpdated
        uom
        sensorType
        status
        datapointTitleText
      }
      notifications(first: 200, orderBy: [NOTIFY_TIME_ASC]) {
        totalCount
        nodes {
          uuid
          recipientName
          methodType
          messageType
          state
          attempts
          notifyTime
          sentAt
          deliveredAt
          failedAt
          ackTime
          providerAnswer
        }
      }
    }
  }
`);

export type AlarmDetail = NonNullable<ResultOf<typeof alarmDetail>['alarm']>;

/** One alarm with everything that was said about it; null where it is not there, or not for this person. */
export async function fetchAlarm(uuid: string, signal?: AbortSignal): Promise<AlarmDetail | null> {
  return (await ask(alarmDetail, { uuid }, signal)).alarm;
}
