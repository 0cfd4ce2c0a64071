import { ask, graphql } from '../../api/graphql.ts';
import { type Range, times } from './report.queries.ts';

const byOffice = graphql(`
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

const bySite = graphql(`
  query SmsBySite($from: Datetime!, $to: Datetime!, $office: UUID, $first: Int!, $offset: Int!) {
    smsReportBySite(rangeFrom: $from, rangeTo: $to, unitOfficeUuid: $office, first: $first, offset: $offset) {
      totalCount
      nodes {
        uuid
        siteName
        siteId
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

const byDay = graphql(`
  query SmsByDay($from: Datetime!, $to: Datetime!, $office: UUID) {
    smsByDay(rangeFrom: $from, rangeTo: $to, unitOfficeUuid: $office, first: 500) {
      nodes {
        day
        alarmSms
        healthSms
        resolveSms
        otherSms
      }
    }
  }
`);

const PAGE = 500;

export interface SmsRow {
  /** Empty in the row of what belongs to none. */
  id: string;
  name: string;
  siteId: string;
  alarm: number;
  health: number;
  resolve: number;
  other: number;
  messages: number;
  parts: number;
}

interface Counts {
  alarmSms: number | null;
  healthSms: number | null;
  resolveSms: number | null;
  otherSms: number | null;
  smsCount: number | null;
  eqs: number | null;
}

const countsOf = (row: Counts) => ({
  alarm: row.alarmSms ?? 0,
  health: row.healthSms ?? 0,
  resolve: row.resolveSms ?? 0,
  other: row.otherSms ?? 0,
  messages: row.smsCount ?? 0,
  parts: row.eqs ?? 0,
});

export async function fetchSms(range: Range, signal?: AbortSignal): Promise<SmsRow[]> {
  const { smsReportByUnitOffice: report } = await ask(byOffice, times(range), signal);
  return (report?.nodes ?? []).flatMap((row) =>
    row ? [{ id: row.uuid ?? '', name: row.uoName ?? '', siteId: '', ...countsOf(row) }] : [],
  );
}

/** Every site, or every one of a unit office: which have the most is only known when all are there. */
export async function fetchSmsBySite(
  range: Range,
  office: string | undefined,
  signal?: AbortSignal,
): Promise<SmsRow[]> {
  const rows: SmsRow[] = [];
  for (;;) {
    const variables = { ...times(range), office: office ?? null, first: PAGE, offset: rows.length };
    const { smsReportBySite: report } = await ask(bySite, variables, signal);
    const page = (report?.nodes ?? []).filter((row) => row !== null);
    rows.push(
      ...page.map((row) => ({
        id: row.uuid ?? '',
        name: row.siteName ?? '',
        siteId: row.siteId ?? '',
        ...countsOf(row),
      })),
    );
    if (page.length < PAGE || rows.length >= (report?.totalCount ?? 0)) return rows;
  }
}

export async function fetchSmsByDay(range: Range, office: string | undefined, signal?: AbortSignal) {
  const { smsByDay } = await ask(byDay, { ...times(range), office: office ?? null }, signal);
  return (smsByDay?.nodes ?? []).filter((row) => row !== null);
}
