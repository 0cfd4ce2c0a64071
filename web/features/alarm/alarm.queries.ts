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
        occurrences
        escalationStep
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
      assetName
      datapointName
      ruleName
      ruleVersion
      source
      dateTime
      pendingSince
      value
      unit
      judgedBy
      samples
      recipients
      plan
      mustAcknowledge
      occurrences
      lastOccurredAt
      escalationStep
      nextEscalationAt
      resolvedDate
      resolveNote
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
        datapointTitleText
      }
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
          uuid
          recipientName
          address
          methodType
          kind
          step
          state
          attempts
          notifyTime
          nextAttemptAt
          sentAt
          deliveredAt
          failedAt
          ackTime
          provider
          providerAnswer
          attemptLog
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

const alarmsToAcknowledge = graphql(`
  query AlarmsToAcknowledge($uuids: [UUID!]!, $first: Int!) {
    alarms(filter: { uuid: { in: $uuids } }, first: $first) {
      nodes {
        uuid
        severity
        message
        siteName
        dateTime
        resolvedDate
        acknowledgeJson
        allowedReasons(first: 50) {
          nodes
        }
      }
    }
  }
`);

export type AlarmToAcknowledge = Omit<
  NonNullable<NonNullable<ResultOf<typeof alarmsToAcknowledge>['alarms']>['nodes'][number]>,
  'allowedReasons'
> & { reasons: string[] };

/** The alarms with the reasons this person may give, in the order asked for. What is not theirs to see is left out. */
export async function fetchAlarmsToAcknowledge(
  uuids: readonly string[],
  signal?: AbortSignal,
): Promise<AlarmToAcknowledge[]> {
  const { alarms } = await ask(alarmsToAcknowledge, { uuids: [...uuids], first: uuids.length }, signal);
  const found = (alarms?.nodes ?? []).filter((alarm) => alarm !== null);
  return uuids.flatMap((uuid) => {
    const alarm = found.find((one) => one.uuid === uuid);
    if (!alarm) return [];
    const { allowedReasons, ...rest } = alarm;
    return { ...rest, reasons: allowedReasons.nodes.filter((reason) => reason !== null) };
  });
}

const acknowledgeAlarm = graphql(`
  mutation AcknowledgeAlarm($input: AcknowledgeAlarmInput!) {
    acknowledgeAlarm(input: $input) {
      result {
        uuid
        acknowledgeJson
      }
    }
  }
`);

export interface AcknowledgementInput {
  reason: string;
  text: string;
}

/** Acknowledges one alarm; with the link of a message it is recorded as given through that message. Answers the record of it. */
export async function sendAcknowledgement(
  uuid: string,
  { reason, text }: AcknowledgementInput,
  link?: string,
): Promise<unknown> {
  const { acknowledgeAlarm: payload } = await ask(acknowledgeAlarm, {
    input: { uuid, reason, acknowledgeText: text || null, link: link ?? null },
  });
  return payload?.result?.acknowledgeJson ?? null;
}

/** What became of one of many alarms. The sentence is empty where all went well. */
export interface AlarmResult {
  uuid: string;
  ok: boolean;
  sentence: string;
}

type ResultRow = { tocsinAlarmUuid: string | null; ok: boolean | null; sentence: string | null } | null;

function resultsOf(rows: readonly ResultRow[] | null | undefined): AlarmResult[] {
  return (rows ?? []).flatMap((row) =>
    row?.tocsinAlarmUuid ? { uuid: row.tocsinAlarmUuid, ok: row.ok === true, sentence: row.sentence ?? '' } : [],
  );
}

const acknowledgeAlarms = graphql(`
  mutation AcknowledgeAlarms($input: AcknowledgeAlarmsInput!) {
    acknowledgeAlarms(input: $input) {
      result {
        tocsinAlarmUuid
        ok
        sentence
      }
    }
  }
`);

export async function sendAcknowledgements(
  uuids: readonly string[],
  { reason, text }: AcknowledgementInput,
): Promise<AlarmResult[]> {
  const { acknowledgeAlarms: payload } = await ask(acknowledgeAlarms, {
    input: { uuids: [...uuids], reason, acknowledgeText: text || null },
  });
  return resultsOf(payload?.result);
}

const resolveAlarms = graphql(`
  mutation ResolveAlarms($input: ResolveAlarmsInput!) {
    resolveAlarms(input: $input) {
      result {
        tocsinAlarmUuid
        ok
        sentence
      }
    }
  }
`);

/** Resolves alarms by hand, one or many, each with its own result. */
export async function sendResolutions(uuids: readonly string[], note: string): Promise<AlarmResult[]> {
  const { resolveAlarms: payload } = await ask(resolveAlarms, { input: { uuids: [...uuids], note: note || null } });
  return resultsOf(payload?.result);
}
