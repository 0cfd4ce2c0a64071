import type { HealthRow } from '../../../domain/report/health.ts';
import { ask, graphql, type ResultOf } from '../../api/graphql.ts';

const PAGE = 500;

const healthByOffice = graphql(`
  query HealthByUnitOffice($weekStarts: [Datetime]!, $today: Datetime!) {
    healthReportByUnitOffice(weekStarts: $weekStarts, today: $today) {
      nodes {
        uuid
        uoName
        siteCount
        w1Count
        w2Count
        w3Count
        w4Count
        w5Count
        w6Count
        w7Count
        w8Count
        w9Count
        w10Count
        w11Count
        w12Count
        todaycount
        expected
      }
    }
  }
`);

const healthBySite = graphql(`
  query HealthBySite($weekStarts: [Datetime]!, $today: Datetime!, $office: UUID, $first: Int!, $offset: Int!) {
    healthReportBySite(weekStarts: $weekStarts, today: $today, unitOfficeUuid: $office, first: $first, offset: $offset) {
      totalCount
      nodes {
        uuid
        siteName
        uoName
        w1Count
        w2Count
        w3Count
        w4Count
        w5Count
        w6Count
        w7Count
        w8Count
        w9Count
        w10Count
        w11Count
        w12Count
        todaycount
        expected
      }
    }
  }
`);

/** Twelve weeks by their starts and the end of the last, and the beginning of today. */
export interface HealthRange {
  weekStarts: readonly Date[];
  today: Date;
}

export async function fetchHealthByOffice(range: HealthRange, signal?: AbortSignal): Promise<HealthRow[]> {
  const { healthReportByUnitOffice: report } = await ask(healthByOffice, written(range), signal);
  return (report?.nodes ?? []).flatMap((row) =>
    row?.uuid
      ? [{ id: row.uuid, name: row.uoName ?? '', sites: row.siteCount ?? 0, office: '', cells: cellsOf(row) }]
      : [],
  );
}

/**
 * Every site, or every one of a unit office, page after page: which are the worst is only known when all are. `onProgress`
 * hears how many of how many have come.
 */
export async function fetchHealthBySite(
  range: HealthRange,
  office: string,
  onProgress: (got: number, of: number) => void,
  signal?: AbortSignal,
): Promise<HealthRow[]> {
  const rows: HealthRow[] = [];
  for (;;) {
    const variables = { ...written(range), office: office || null, first: PAGE, offset: rows.length };
    const { healthReportBySite: report } = await ask(healthBySite, variables, signal);
    const page = (report?.nodes ?? []).filter((row) => row !== null);
    rows.push(
      ...page.map((row) => ({
        id: row.uuid ?? '',
        name: row.siteName ?? '',
        sites: 1,
        office: row.uoName ?? '',
        cells: cellsOf(row),
      })),
    );
    onProgress(rows.length, report?.totalCount ?? 0);
    if (page.length < PAGE || rows.length >= (report?.totalCount ?? 0)) {
      return rows;
    }
  }
}

function written({ weekStarts, today }: HealthRange) {
  return { weekStarts: weekStarts.map((start) => start.toISOString()), today: today.toISOString() };
}

type Counts = { [week in `w${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12}Count`]: number | null } & {
  todaycount: number | null;
  expected: (number | null)[] | null;
};

function cellsOf(row: Counts) {
  const received = [
    row.w1Count,
    row.w2Count,
    row.w3Count,
    row.w4Count,
    row.w5Count,
    row.w6Count,
    row.w7Count,
    row.w8Count,
    row.w9Count,
    row.w10Count,
    row.w11Count,
    row.w12Count,
    row.todaycount,
  ];
  return received.map((count, index) => ({ received: count ?? 0, expected: row.expected?.[index] ?? 0 }));
}

const smsByOffice = graphql(`
  query SmsByUnitOffice($from: Datetime!, $to: Datetime!) {
    smsReportByUnitOffice(rangeFrom: $from, rangeTo: $to) {
      nodes {
        uuid
        uoName
        alarmSms
        healthSms
        resolveSms
        otherSms
        smsCount
        eqs
      }
    }
  }
`);

/** Times from the first to before the second. */
export interface Range {
  from: Date;
  to: Date;
}

export interface SmsRow {
  id: string;
  name: string;
  alarm: number;
  health: number;
  resolve: number;
  other: number;
  messages: number;
  parts: number;
}

export async function fetchSms(range: Range, signal?: AbortSignal): Promise<SmsRow[]> {
  const { smsReportByUnitOffice: report } = await ask(smsByOffice, times(range), signal);
  return (report?.nodes ?? []).flatMap((row) =>
    row?.uuid
      ? [
          {
            id: row.uuid,
            name: row.uoName ?? '',
            alarm: row.alarmSms ?? 0,
            health: row.healthSms ?? 0,
            resolve: row.resolveSms ?? 0,
            other: row.otherSms ?? 0,
            messages: row.smsCount ?? 0,
            parts: row.eqs ?? 0,
          },
        ]
      : [],
  );
}

const figures = graphql(`
  query ReportFigures($from: Datetime!, $to: Datetime!) {
    acknowledgementFigures(rangeFrom: $from, rangeTo: $to) {
      alarms
      acknowledged
      medianSeconds
    }
    alarms(filter: { createdAt: { greaterThanOrEqualTo: $from, lessThan: $to } }, first: 0) {
      totalCount
    }
  }
`);

export async function fetchFigures(range: Range, signal?: AbortSignal) {
  const answer = await ask(figures, times(range), signal);
  return { acknowledgement: answer.acknowledgementFigures, alarms: answer.alarms?.totalCount ?? 0 };
}

const alarmReport = graphql(`
  query AlarmReport($filter: AlarmFilter!, $first: Int!, $offset: Int!) {
    alarms(filter: $filter, orderBy: [CREATED_AT_DESC, PRIMARY_KEY_ASC], first: $first, offset: $offset) {
      totalCount
      nodes {
        uuid
        severity
        message
        siteName
        dateTime
        resolvedDate
        acknowledgeJson
        site {
          group5 {
            name
          }
        }
      }
    }
  }
`);

export type ReportedAlarm = NonNullable<NonNullable<ResultOf<typeof alarmReport>['alarms']>['nodes'][number]>;

export interface ReportPage {
  range: Range;
  search: string;
  /** The uuid of a unit office, or empty for all. */
  office: string;
  size: number;
  offset: number;
}

export async function fetchAlarmReport({ range, search, office, size, offset }: ReportPage, signal?: AbortSignal) {
  const filter = {
    createdAt: { greaterThanOrEqualTo: range.from.toISOString(), lessThan: range.to.toISOString() },
    ...(search && {
      or: [{ message: { includesInsensitive: search } }, { site: { name: { includesInsensitive: search } } }],
    }),
    ...(office && { site: { tocsinGroup5Uuid: { equalTo: office } } }),
  };
  const { alarms } = await ask(alarmReport, { filter, first: size, offset }, signal);
  return { total: alarms?.totalCount ?? 0, rows: (alarms?.nodes ?? []).filter((row) => row !== null) };
}

const acknowledgements = graphql(`
  query AcknowledgementReport($offices: [UUID]!, $from: Datetime!, $to: Datetime!, $first: Int!, $offset: Int!) {
    acknowledgementReportsByUnitOffices(
      unitOfficeUuids: $offices
      notifyFrom: $from
      notifyTo: $to
      first: $first
      offset: $offset
    ) {
      totalCount
      nodes {
        uuid
        notifyMessage
        notifyTime
        recipientName
        ackTime
        ackByRecipientName
        site {
          name
          group5 {
            name
          }
        }
      }
    }
  }
`);

export type AcknowledgementRow = NonNullable<
  NonNullable<ResultOf<typeof acknowledgements>['acknowledgementReportsByUnitOffices']>['nodes'][number]
>;

/** Alarm messages by SMS of unit offices, newest first. */
export async function fetchAcknowledgements(
  { range, size, offset }: Omit<ReportPage, 'office' | 'search'>,
  offices: readonly string[],
  signal?: AbortSignal,
) {
  const variables = { offices: [...offices], ...times(range), first: size, offset };
  const { acknowledgementReportsByUnitOffices: report } = await ask(acknowledgements, variables, signal);
  return { total: report?.totalCount ?? 0, rows: (report?.nodes ?? []).filter((row) => row !== null) };
}

const silence = graphql(`
  query Silence {
    plantSummary {
      sites
      silentSites
    }
  }
`);

export async function fetchSilence(signal?: AbortSignal) {
  const { plantSummary } = await ask(silence, {}, signal);
  return { sites: plantSummary?.sites ?? 0, silent: plantSummary?.silentSites ?? 0 };
}

const unitOffices = graphql(`
  query ReportUnitOffices {
    unitOfficesByUser {
      nodes {
        uuid
        uoName
      }
    }
  }
`);

export async function fetchUnitOffices(signal?: AbortSignal) {
  const { unitOfficesByUser: offices } = await ask(unitOffices, {}, signal);
  return (offices?.nodes ?? []).flatMap((office) =>
    office?.uuid ? [{ value: office.uuid, label: office.uoName ?? '' }] : [],
  );
}

function times({ from, to }: Range) {
  return { from: from.toISOString(), to: to.toISOString() };
}
