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

const budgets = graphql(`
  query SmsBudgets {
    smsBudgets {
      nodes {
        unitOfficeUuid
        uoName
        dayBudget
        monthBudget
        dayUsed
        monthUsed
        daySuppressed
        monthSuppressed
      }
    }
  }
`);

/** Usage of a budget in a day or month, in billed segments. Without a limit, no SMS are suppressed. */
export interface BudgetUse {
  limit: number | null;
  used: number;
  /** Number of SMS that were not sent because a budget was used up. */
  suppressed: number;
}

export interface SmsBudgetRow {
  id: string;
  name: string;
  day: BudgetUse;
  month: BudgetUse;
}

/** Fetches the budgets of the company and its unit offices. The list is empty for operators. */
export async function fetchSmsBudgets(signal?: AbortSignal): Promise<SmsBudgetRow[]> {
  const { smsBudgets } = await ask(budgets, {}, signal);
  return (smsBudgets?.nodes ?? []).flatMap((row) =>
    row
      ? [
          {
            id: row.unitOfficeUuid ?? 'company',
            name: row.uoName ?? 'Company',
            day: { limit: row.dayBudget, used: row.dayUsed ?? 0, suppressed: row.daySuppressed ?? 0 },
            month: { limit: row.monthBudget, used: row.monthUsed ?? 0, suppressed: row.monthSuppressed ?? 0 },
          },
        ]
      : [],
  );
}

export interface SmsRow {
  /** Key of the site or unit office. Empty in the row for messages that belong to none. */
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

/** Fetches the SMS counts of all sites, or of the sites of one unit office. Sorting needs the complete list. */
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
