import { ask, graphql } from '../../api/graphql.ts';
import { fetchAllRows } from './report.queries.ts';
import { type Range, times } from './report-filters.ts';

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
  query SmsByDay($from: Datetime!, $to: Datetime!, $office: UUID, $first: Int!, $offset: Int!) {
    smsByDay(rangeFrom: $from, rangeTo: $to, unitOfficeUuid: $office, first: $first, offset: $offset) {
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

export interface SmsRow {
  /** Key of the site or unit office; empty in the row for messages without one. */
  id: string;
  name: string;
  siteId: string;
  alarm: number;
  health: number;
  resolve: number;
  other: number;
  messages: number;
  segments: number;
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
  segments: row.eqs ?? 0,
});

export async function fetchSms(range: Range, signal?: AbortSignal): Promise<SmsRow[]> {
  const { smsReportByUnitOffice: report } = await ask(byOffice, times(range), signal);
  return (report?.nodes ?? []).flatMap((row) =>
    row ? [{ id: row.uuid ?? '', name: row.uoName ?? '', siteId: '', ...countsOf(row) }] : [],
  );
}

/** Fetches the SMS counts of all sites or of those of a unit office. Sorting needs the complete list. */
export async function fetchSmsBySite(
  range: Range,
  office: string | undefined,
  signal?: AbortSignal,
): Promise<SmsRow[]> {
  const wanted = { ...times(range), office: office ?? null };
  const rows = await fetchAllRows(
    async (window) => (await ask(bySite, { ...wanted, ...window }, signal)).smsReportBySite,
  );
  return rows.map((row) => ({
    id: row.uuid ?? '',
    name: row.siteName ?? '',
    siteId: row.siteId ?? '',
    ...countsOf(row),
  }));
}

export async function fetchSmsByDay(range: Range, office: string | undefined, signal?: AbortSignal) {
  const wanted = { ...times(range), office: office ?? null };
  return fetchAllRows(async (window) => (await ask(byDay, { ...wanted, ...window }, signal)).smsByDay);
}
