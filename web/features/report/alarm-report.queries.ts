import { ask, graphql } from '../../api/graphql.ts';
import { type ListPage, pageOf, type RowOf, rowsOf } from '../list/list.ts';
import { type Range, times } from './report.queries.ts';

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

export type ReportedAlarm = RowOf<typeof alarmReport, 'alarms'>;

/** What narrows a report: keys, or undefined for all. */
export interface Place {
  office: string | undefined;
  site: string | undefined;
}

export interface ReportPage extends Place {
  range: Range;
  search: string;
  size: number;
  offset: number;
}

export async function fetchAlarmReport(
  { range, search, office, site, size, offset }: ReportPage,
  signal?: AbortSignal,
): Promise<ListPage<ReportedAlarm>> {
  const filter = {
    createdAt: { greaterThanOrEqualTo: range.from.toISOString(), lessThan: range.to.toISOString() },
    ...(search && {
      or: [{ message: { includesInsensitive: search } }, { siteName: { includesInsensitive: search } }],
    }),
    ...(site && { tocsinSiteUuid: { equalTo: site } }),
    ...(office && { site: { tocsinGroup5Uuid: { equalTo: office } } }),
  };
  const { alarms } = await ask(alarmReport, { filter, first: size, offset }, signal);
  return pageOf(alarms);
}

const figures = graphql(`
  query AlarmFigures($from: Datetime!, $to: Datetime!, $office: UUID, $sites: [UUID]) {
    alarmFigures(rangeFrom: $from, rangeTo: $to, unitOfficeUuid: $office, siteUuids: $sites) {
      alarms
      stillOpen
      acknowledged
      medianSeconds
      p90Seconds
    }
  }
`);

const breakdown = graphql(`
  query AlarmBreakdown($from: Datetime!, $to: Datetime!, $office: UUID, $sites: [UUID]) {
    alarmsByDay(rangeFrom: $from, rangeTo: $to, unitOfficeUuid: $office, siteUuids: $sites, first: 500) {
      nodes {
        day
        critical
        major
        minor
        silent
      }
    }
    alarmsByReason(rangeFrom: $from, rangeTo: $to, unitOfficeUuid: $office, siteUuids: $sites, first: 500) {
      nodes {
        reason
        alarms
      }
    }
    alarmsBySite(rangeFrom: $from, rangeTo: $to, unitOfficeUuid: $office, siteUuids: $sites, first: 10) {
      totalCount
      nodes {
        uuid
        siteName
        alarms
        stillOpen
        meanSeconds
        longestSeconds
      }
    }
    alarmsByRule(rangeFrom: $from, rangeTo: $to, unitOfficeUuid: $office, siteUuids: $sites, first: 10) {
      nodes {
        uuid
        ruleName
        siteName
        alarms
      }
    }
  }
`);

export type SiteOffender = RowOf<typeof breakdown, 'alarmsBySite'>;
export type RuleOffender = RowOf<typeof breakdown, 'alarmsByRule'>;

export function placeOf({ office, site }: Place) {
  return { office: office ?? null, sites: site === undefined ? null : [site] };
}

export async function fetchAlarmFigures(range: Range, place: Place, signal?: AbortSignal) {
  const { alarmFigures } = await ask(figures, { ...times(range), ...placeOf(place) }, signal);
  return alarmFigures;
}

export async function fetchAlarmBreakdown(range: Range, place: Place, signal?: AbortSignal) {
  const answer = await ask(breakdown, { ...times(range), ...placeOf(place) }, signal);
  return {
    days: rowsOf(answer.alarmsByDay),
    reasons: rowsOf(answer.alarmsByReason).map(({ reason, alarms }) => ({ reason, alarms: alarms ?? 0 })),
    sites: rowsOf(answer.alarmsBySite),
    rules: rowsOf(answer.alarmsByRule),
  };
}
