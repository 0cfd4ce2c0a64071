import type { Sort } from '../../../domain/order.ts';
import type { alarmOrders } from '../../../domain/report/list-order.ts';
import { mustAcknowledgeFilter, reasonFilter } from '../../../domain/report/reason.ts';
import { type AlarmingCounts, TOP_ROWS } from '../../../domain/report/top-rows.ts';
import { ask, graphql, type ResultOf } from '../../api/graphql.ts';
import { type ListPage, type RowOf, rowsOf } from '../../kit/list/list.ts';
import { alarmHead } from '../alarm/index.ts';
import { type Place, placeOf, type Range, times } from './report-filters.ts';

const alarmReport = graphql(
  `
  query AlarmReport(
    $from: Datetime!
    $to: Datetime!
    $office: UUID
    $sites: [UUID]
    $rule: UUID
    $reason: String
    $must: Boolean
    $search: String
    $only: String
    $cause: String
    $severity: String
    $recipient: UUID
    $orderBy: [AlarmOrderBy!]!
    $first: Int!
    $offset: Int!
  ) {
    alarmReport(
      rangeFrom: $from
      rangeTo: $to
      unitOfficeUuid: $office
      siteUuids: $sites
      ofRule: $rule
      withReason: $reason
      mustAcknowledge: $must
      search: $search
      only: $only
      cause: $cause
      ofSeverity: $severity
      toRecipient: $recipient
      orderBy: $orderBy
      first: $first
      offset: $offset
    ) {
      nodes {
        ...AlarmHead
        createdAt
        assetName
        asset {
          name
        }
        site {
          group5 {
            name
          }
        }
      }
    }
  }
`,
  [alarmHead],
);

export type ReportedAlarm = RowOf<typeof alarmReport, 'alarmReport'>;

/** Additional alarm filters. `reason` has the same values as in the URL. `search` works as in the alarm list. */
export interface AlarmFilters {
  rule: string | undefined;
  reason: string | undefined;
  search: string;
  /**
   * Figure of the performance report whose alarms to return. For alarms that notified nobody, `cause` selects the
   * reason.
   */
  only: string | undefined;
  cause: string | undefined;
  severity: string | undefined;
  recipient: string | undefined;
}

export interface ReportPage extends Place {
  range: Range;
  /** Sort order chosen by the user; null for the default order. */
  sort: Sort | null;
  size: number;
  offset: number;
}

const orders = {
  severity: 'SEVERITY',
  opened: 'DATE_TIME',
  message: 'MESSAGE',
  site: 'SITE_NAME',
} as const satisfies Record<(typeof alarmOrders)[number], string>;

/** Returns the sort order for the query. Alarms with equal values are sorted by creation time, newest first. */
function alarmOrder(sort: Sort | null) {
  const usual = ['CREATED_AT_DESC', 'PRIMARY_KEY_ASC'] as const;
  if (!sort || !Object.hasOwn(orders, sort.column)) return [...usual];
  const name = orders[sort.column as keyof typeof orders];
  return [sort.descending ? (`${name}_DESC` as const) : (`${name}_ASC` as const), ...usual];
}

/** Fetches one page of alarms. `total` counts only this page; the actual total comes from the query for the figures. */
export async function fetchAlarmReport(
  { range, sort, size, offset, ...asked }: ReportPage & AlarmFilters,
  signal?: AbortSignal,
): Promise<ListPage<ReportedAlarm>> {
  const page = { orderBy: alarmOrder(sort), first: size, offset };
  const variables = { ...times(range), ...placeOf(asked), ...alarmFiltersOf(asked), ...page };
  const rows = rowsOf((await ask(alarmReport, variables, signal)).alarmReport);
  return { rows, total: rows.length };
}

const figures = graphql(`
  query AlarmFigures(
    $from: Datetime!
    $to: Datetime!
    $office: UUID
    $sites: [UUID]
    $rule: UUID
    $reason: String
    $must: Boolean
    $search: String
    $only: String
    $cause: String
    $severity: String
    $recipient: UUID
  ) {
    alarmFigures(
      rangeFrom: $from
      rangeTo: $to
      unitOfficeUuid: $office
      siteUuids: $sites
      ofRule: $rule
      withReason: $reason
      mustAcknowledge: $must
      search: $search
      only: $only
      cause: $cause
      ofSeverity: $severity
      toRecipient: $recipient
    ) {
      alarms
      stillOpen
      acknowledged
      needNone
      medianSeconds
      p90Seconds
    }
  }
`);

const breakdown = graphql(`
  query AlarmBreakdown(
    $from: Datetime!
    $to: Datetime!
    $office: UUID
    $sites: [UUID]
    $most: Int!
    $rule: UUID
    $reason: String
    $must: Boolean
    $search: String
    $only: String
    $cause: String
    $severity: String
    $recipient: UUID
    $siteSort: String
    $ruleSort: String
  ) {
    alarmBreakdown(
      rangeFrom: $from
      rangeTo: $to
      unitOfficeUuid: $office
      siteUuids: $sites
      most: $most
      ofRule: $rule
      withReason: $reason
      mustAcknowledge: $must
      search: $search
      only: $only
      cause: $cause
      ofSeverity: $severity
      toRecipient: $recipient
      siteSort: $siteSort
      ruleSort: $ruleSort
    ) {
      reasons {
        reason
        alarms
      }
      sites {
        uuid
        siteName
        alarms
        stillOpen
        meanSeconds
        longestSeconds
      }
      rules {
        uuid
        ruleName
        siteName
        source
        alarms
      }
      days {
        day
        critical
        major
        minor
        silent
      }
    }
  }
`);

const offenders = graphql(`
  query AlarmOffenders(
    $from: Datetime!
    $to: Datetime!
    $office: UUID
    $sites: [UUID]
    $rule: UUID
    $reason: String
    $must: Boolean
    $search: String
    $only: String
    $cause: String
    $severity: String
    $recipient: UUID
  ) {
    alarmOffenders(
      rangeFrom: $from
      rangeTo: $to
      unitOfficeUuid: $office
      siteUuids: $sites
      ofRule: $rule
      withReason: $reason
      mustAcknowledge: $must
      search: $search
      only: $only
      cause: $cause
      ofSeverity: $severity
      toRecipient: $recipient
    ) {
      sites
      rules
    }
  }
`);

type Breakdown = NonNullable<ResultOf<typeof breakdown>['alarmBreakdown']>;
type Part<Name extends keyof Breakdown> = NonNullable<NonNullable<Breakdown[Name]>[number]>;
export type SiteOffender = Part<'sites'>;
export type RuleOffender = Part<'rules'>;

const reportedSince = graphql(`
  query ReportedSince($office: UUID, $sites: [UUID]) {
    reportedSince(unitOfficeUuid: $office, siteUuids: $sites)
  }
`);

/** Fetches the time at which the first site was added; null if there are no sites. */
export async function fetchReportedSince(place: Place, signal?: AbortSignal): Promise<Date | null> {
  const { reportedSince: since } = await ask(reportedSince, placeOf(place), signal);
  return since === null ? null : new Date(since);
}

function alarmFiltersOf({ rule, reason, search, only, cause, severity, recipient }: AlarmFilters) {
  return {
    rule: rule ?? null,
    reason: reasonFilter(reason),
    must: mustAcknowledgeFilter(reason),
    search: search || null,
    ...{ only: only || null, cause: cause ?? null, severity: severity || null, recipient: recipient ?? null },
  };
}

export async function fetchAlarmFigures(range: Range, asked: Place & AlarmFilters, signal?: AbortSignal) {
  const { alarmFigures } = await ask(figures, { ...times(range), ...placeOf(asked), ...alarmFiltersOf(asked) }, signal);
  return alarmFigures;
}

/**
 * Sort orders of the sites and the rules if the server returns only the top rows. Null sorts by the number of alarms.
 */
export interface OffenderOrders {
  siteSort: string | null;
  ruleSort: string | null;
}

export async function fetchAlarmBreakdown(
  range: Range,
  asked: Place & AlarmFilters,
  orders: OffenderOrders,
  signal?: AbortSignal,
) {
  const variables = { ...times(range), ...placeOf(asked), ...alarmFiltersOf(asked), ...orders, most: TOP_ROWS };
  const { alarmBreakdown: answer } = await ask(breakdown, variables, signal);
  return {
    reasons: present(answer?.reasons).map(({ reason, alarms }) => ({ reason, alarms: alarms ?? 0 })),
    sites: present(answer?.sites),
    rules: present(answer?.rules),
    days: present(answer?.days),
  };
}

/** Counts all sites and rules with alarms, not only those shown. */
export async function countOffenders(
  range: Range,
  asked: Place & AlarmFilters,
  signal?: AbortSignal,
): Promise<AlarmingCounts> {
  const variables = { ...times(range), ...placeOf(asked), ...alarmFiltersOf(asked) };
  const { alarmOffenders: all } = await ask(offenders, variables, signal);
  return { sites: all?.sites ?? 0, rules: all?.rules ?? 0 };
}

function present<T>(rows: readonly (T | null)[] | null | undefined): T[] {
  return rowsOf({ nodes: rows ?? [] });
}
