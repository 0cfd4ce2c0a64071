import { ask, type FragmentOf, graphql, type ResultOf } from '../../api/graphql.ts';
import { follow } from '../../api/live.ts';
import { namedPoint } from '../../kit/format/datapoint-name.ts';
import { officeWords, UNIT_OFFICE } from '../../kit/session/group-words.ts';

const alarmNews = graphql(`
  subscription AlarmNews {
    alarmNews {
      count
      company
    }
  }
`);

export interface AlarmNews {
  /** True for the first message of a subscription, which only confirms that the subscription has started. */
  isFirst: boolean;
  company: boolean;
}

/**
 * Calls `tell` when alarms or the company may have changed, and after each reconnect. Returns an unsubscribe function.
 */
export function followAlarmNews(tell: (news: AlarmNews) => void): () => void {
  let seen: number | undefined;
  return follow(alarmNews, {}, ({ alarmNews: news }) => {
    const isFirst = seen === undefined;
    // The company is not refreshed after the first message, because the page has just loaded it. A later message with
    // the count 1 means that the connection was restored and changes may have been missed.
    const company = !isFirst && (news?.count === 1 || news?.company !== seen);
    seen = news?.company ?? 0;
    tell({ isFirst, company });
  });
}

const openAlarmCounts = graphql(`
  query OpenAlarmCounts {
    openAlarmCounts {
      nodes {
        severity
        open
        unacknowledged
        oldestUnacknowledged
        newestUnacknowledged
        shelved
        consequences
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

const newAlarms = graphql(`
  query NewAlarms($since: Datetime!) {
    alarms(
      filter: {
        createdAt: { greaterThan: $since }
        acknowledgedBy: { isNull: true }
        resolvedDate: { isNull: true }
        quietBecause: { isNull: true }
      }
      orderBy: [CREATED_AT_DESC]
      first: 3
    ) {
      totalCount
      nodes {
        uuid
        severity
        message
        siteName
      }
    }
  }
`);

/**
 * Returns the newest three open alarms created after `since` that are neither acknowledged nor quiet, and the total
 * number of such alarms.
 */
export async function fetchNewAlarms(since: Date) {
  const { alarms } = await ask(newAlarms, { since: since.toISOString() });
  return { total: alarms?.totalCount ?? 0, rows: (alarms?.nodes ?? []).filter((row) => row !== null) };
}

const stillOpen = graphql(`
  query StillOpen($uuids: [UUID!]!, $first: Int!) {
    alarms(
      filter: { uuid: { in: $uuids }, resolvedDate: { isNull: true }, quietBecause: { isNull: true } }
      first: $first
    ) {
      nodes {
        uuid
      }
    }
  }
`);

/** Returns the given uuids whose alarms are still open and not quiet. */
export async function fetchStillOpen(uuids: readonly string[]): Promise<string[]> {
  const { alarms } = await ask(stillOpen, { uuids: [...uuids], first: uuids.length });
  return (alarms?.nodes ?? []).flatMap((row) => row?.uuid ?? []);
}

/** Identity and state of an alarm. */
export const alarmHead = graphql(`
  fragment AlarmHead on Alarm {
    uuid
    severity
    message
    siteName
    dateTime
    resolvedDate
    acknowledgeJson
  }
`);

/** The data points used in the alarm's conditions, with their current values. */
export const alarmConditionPoints = graphql(
  `
  fragment AlarmConditionPoints on Alarm {
    conditionDatapoints(first: 50) {
      nodes {
        uuid
        ...NamedPoint
        latestValue
        lastUpdated
      }
    }
  }
`,
  [namedPoint],
);

/** Other rules with the same message at the site that keep the alarm open, with their current values. */
export const alarmHolders = graphql(`
  fragment AlarmHolders on Alarm {
    otherHolders(first: 20) {
      nodes {
        ruleUuid
        ruleName
        criteria
        datapointUuid
        datapointName
        latestValue
        uom
        sensorType
        datapointTitleText
        isClearing
      }
    }
  }
`);

export type AlarmHolders = FragmentOf<typeof alarmHolders>;

/** The alarm's current value, its value when it opened, and the limits, state or conditions that opened it. */
export const alarmReading = graphql(
  `
  fragment AlarmReading on Alarm {
    ...AlarmConditionPoints
    ...AlarmHolders
    severity
    criteria
    dateTime
    value
    datapoint {
      latestValue
      lastUpdated
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
`,
  [alarmConditionPoints, alarmHolders],
);

export type AlarmReading = FragmentOf<typeof alarmReading>;

export const shelvingFields = graphql(`
  fragment ShelvingFields on Shelving {
    uuid
    scope
    targetName
    userName
    reason
    until
  }
`);

export type Shelving = FragmentOf<typeof shelvingFields>;

/** The alarm's shelving: by whom, why and until when. A resolved alarm keeps its last shelving. */
export const alarmShelving = graphql(
  `
  fragment AlarmShelving on Alarm {
    quietBecause
    quietUntil
    shelving {
      ...ShelvingFields
    }
    maintenanceWindow {
      uuid
      name
      targetName
    }
  }
`,
  [shelvingFields],
);

export type AlarmShelving = FragmentOf<typeof alarmShelving>;

/** The person to whom the alarm is assigned. A resolved alarm keeps its last assignment. */
export const alarmAssignment = graphql(`
  fragment AlarmAssignment on Alarm {
    assignedTo
    assignedName
    assignedAt
  }
`);

export type AlarmAssignment = FragmentOf<typeof alarmAssignment>;

/** The fields of one row, for all lists of alarms. */
export const alarmRowFields = graphql(
  `
  fragment AlarmRowFields on Alarm {
    ...AlarmHead
    ...AlarmReading
    ...AlarmShelving
    ...AlarmAssignment
    notifiedCount
    notNotifiedBecause
    notNotifiedMethods
    causeName
    occurrences
    escalationStep
    resolvedName
    resolveNote
    assetName
    asset {
      name
    }
  }
`,
  [alarmHead, alarmReading, alarmShelving, alarmAssignment],
);

const alarmList = graphql(
  `
  query AlarmList(
    $isOpen: Boolean
    $severity: String
    $search: String
    $state: String
    $siteUuid: UUID
    $groupUuid: UUID
    $ruleName: String
    $rangeFrom: Datetime
    $rangeTo: Datetime
    $bySite: Boolean
    $isShelved: Boolean
    $isMine: Boolean
    $floodUuid: UUID
    $digestUuid: UUID
    $first: Int!
    $offset: Int!
  ) {
    alarmCount(
      isOpen: $isOpen
      severity: $severity
      search: $search
      state: $state
      siteUuid: $siteUuid
      groupUuid: $groupUuid
      ruleName: $ruleName
      rangeFrom: $rangeFrom
      rangeTo: $rangeTo
      isShelved: $isShelved
      isMine: $isMine
      floodUuid: $floodUuid
      digestUuid: $digestUuid
    ) {
      nodes
    }
    alarmList(
      isOpen: $isOpen
      severity: $severity
      search: $search
      state: $state
      siteUuid: $siteUuid
      groupUuid: $groupUuid
      ruleName: $ruleName
      rangeFrom: $rangeFrom
      rangeTo: $rangeTo
      bySite: $bySite
      isShelved: $isShelved
      isMine: $isMine
      floodUuid: $floodUuid
      digestUuid: $digestUuid
      first: $first
      offset: $offset
    ) {
      nodes {
        ...AlarmRowFields
      }
    }
  }
`,
  [alarmRowFields],
);

export type AlarmRow = NonNullable<NonNullable<ResultOf<typeof alarmList>['alarmList']>['nodes'][number]>;

/** Filter of an alarm list. An empty string means that the field is not filtered. */
export interface AlarmFilter {
  /** True for open alarms, false for past alarms, undefined for both. */
  open?: boolean;
  /** True for shelved alarms, false for all others, undefined for both. */
  shelved?: boolean;
  /** True for alarms assigned to the signed-in user, undefined for all alarms. */
  mine?: boolean;
  severity: string;
  search: string;
  state?: AlarmState | '';
  site?: string;
  group?: string;
  rule?: string;
  /** Uuid of an alarm flood. */
  flood?: string;
  /** Uuid of the digest notification. */
  digest?: string;
  /** Time range of past alarms; open alarms are always shown. */
  from?: Date | undefined;
  to?: Date | undefined;
  bySite?: boolean;
}

export type AlarmState = 'waiting' | 'acknowledged' | 'escalated';

export interface AlarmQuery extends AlarmFilter {
  size: number;
  offset: number;
}

export async function fetchAlarms(query: AlarmQuery, signal?: AbortSignal) {
  const { alarmList: list, alarmCount } = await ask(
    alarmList,
    {
      isOpen: query.open ?? null,
      severity: query.severity || null,
      search: query.search || null,
      state: query.state || null,
      siteUuid: query.site || null,
      groupUuid: query.group || null,
      ruleName: query.rule || null,
      rangeFrom: query.from?.toISOString() ?? null,
      rangeTo: query.to?.toISOString() ?? null,
      bySite: query.bySite ?? false,
      isShelved: query.shelved ?? null,
      isMine: query.mine ?? null,
      floodUuid: query.flood || null,
      digestUuid: query.digest || null,
      first: query.size,
      offset: query.offset,
    },
    signal,
  );
  return { total: alarmCount?.nodes[0] ?? 0, rows: (list?.nodes ?? []).filter((row) => row !== null) };
}

const alarmChoices = graphql(`
  query AlarmChoices {
    alarmRuleNames {
      nodes
    }
    customerGroups(first: 500, filter: { level: { greaterThan: 1 } }) {
      nodes {
        uuid
        name
        level
      }
    }
  }
`);

/** Returns the rule names and site groups that the list can be filtered by. */
export async function fetchAlarmChoices(signal?: AbortSignal) {
  const { alarmRuleNames: rules, customerGroups: groups } = await ask(alarmChoices, {}, signal);
  return {
    rules: (rules?.nodes ?? []).flatMap((name) => (name ? { value: name, label: name } : [])),
    groups: (groups?.nodes ?? []).flatMap((group) =>
      group?.uuid ? { value: group.uuid, label: groupLabel(group.name ?? '', group.level) } : [],
    ),
  };
}

/** Adds `(unit office)` to the name of a unit office, because another group can have the same name. */
function groupLabel(name: string, level: number | null): string {
  return level === UNIT_OFFICE ? `${name} (${officeWords().one})` : name;
}

const siteName = graphql(`
  query SiteName($uuid: UUID!) {
    site(uuid: $uuid) {
      name
    }
  }
`);

/** Returns the site's name; null if the site does not exist or this user is not allowed to see it. */
export async function fetchSiteName(uuid: string, signal?: AbortSignal): Promise<string | null> {
  return (await ask(siteName, { uuid }, signal)).site?.name ?? null;
}
