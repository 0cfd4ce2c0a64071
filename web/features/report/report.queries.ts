import type { HealthRow } from '../../../domain/report/health.ts';
import { cellsPerRow, type HealthRange } from '../../../domain/report/health-periods.ts';
import { ask, graphql } from '../../api/graphql.ts';
import { everyWord, rowsOf } from '../../kit/list/list.ts';
import type { OptionSource } from '../../kit/record/Picker.tsx';
import { type Range, times } from './report-filters.ts';

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

export async function fetchHealthByOffice(range: HealthRange, signal?: AbortSignal): Promise<HealthRow[]> {
  const { healthReportByUnitOffice: report } = await ask(healthByOffice, written(range), signal);
  return (report?.nodes ?? []).flatMap((row) =>
    row
      ? [
          {
            id: row.uuid ?? '',
            name: row.uoName ?? '',
            sites: row.siteCount ?? 0,
            office: '',
            cells: cellsOf(row, range),
          },
        ]
      : [],
  );
}

/**
 * Fetches all sites, or all sites of a unit office, page by page, because sorting by share needs the complete list.
 * Calls `onProgress` with the number of sites fetched so far and the total.
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
        cells: cellsOf(row, range),
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

function cellsOf(row: Counts, range: HealthRange) {
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
  return received
    .slice(0, cellsPerRow(range))
    .map((count, index) => ({ received: count ?? 0, expected: row.expected?.[index] ?? 0 }));
}

const alarmCount = graphql(`
  query ReportAlarmCount($from: Datetime!, $to: Datetime!) {
    alarms(filter: { createdAt: { greaterThanOrEqualTo: $from, lessThan: $to } }, first: 0) {
      totalCount
    }
  }
`);

export async function fetchAlarmCount(range: Range, signal?: AbortSignal): Promise<number> {
  return (await ask(alarmCount, times(range), signal)).alarms?.totalCount ?? 0;
}

const silence = graphql(`
  query Silence {
    plantSummary {
      sites
      silentSites
      silentSince
    }
  }
`);

export async function fetchSilence(signal?: AbortSignal) {
  const { plantSummary } = await ask(silence, {}, signal);
  return {
    sites: plantSummary?.sites ?? 0,
    silent: plantSummary?.silentSites ?? 0,
    since: plantSummary?.silentSince ?? null,
  };
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

/** Fetches all pages of a long list, such as one row for each day of ten years. */
export async function fetchAllRows<T>(
  page: (window: { first: number; offset: number }) => Promise<{ nodes: readonly (T | null)[] } | null>,
): Promise<T[]> {
  const rows: T[] = [];
  for (;;) {
    const more = rowsOf(await page({ first: PAGE, offset: rows.length }));
    rows.push(...more);
    if (more.length < PAGE) return rows;
  }
}

const sitesOf = graphql(`
  query ReportSites($filter: SiteFilter!) {
    sites(filter: $filter, orderBy: [NAME_ASC, PRIMARY_KEY_ASC], first: 50) {
      nodes {
        uuid
        name
      }
    }
  }
`);

/** Searches sites by name or ID, in one unit office or in all of them. */
export function siteSourceIn(office: string | undefined): OptionSource {
  return {
    key: ['report', 'sites', office ?? ''],
    find: async (text, signal) => {
      const filter = {
        and: everyWord(text, (word) => [{ name: word }, { siteId: word }]),
        ...(office !== undefined && { tocsinGroup5Uuid: { equalTo: office } }),
      };
      return rowsOf((await ask(sitesOf, { filter }, signal)).sites).map(({ uuid, name }) => ({
        value: uuid,
        label: name,
      }));
    },
  };
}

const gaps = graphql(`
  query HealthGaps($site: UUID!, $from: Datetime!, $to: Datetime!) {
    site(uuid: $site) {
      name
      siteId
      lastUpdate
      tocsinHealthDurationHours
      group5 {
        name
      }
    }
    healthGaps(siteUuid: $site, rangeFrom: $from, rangeTo: $to) {
      totalCount
      nodes {
        gapFrom
        gapTo
        slots
      }
    }
  }
`);

/** Fetches the gaps in a site's data, longest first. The site is null if the user has no access to it. */
export async function fetchHealthGaps(site: string, range: Range, signal?: AbortSignal) {
  const answer = await ask(gaps, { site, ...times(range) }, signal);
  return {
    site: answer.site,
    total: answer.healthGaps?.totalCount ?? 0,
    gaps: (answer.healthGaps?.nodes ?? []).flatMap((gap) =>
      gap?.gapFrom && gap.gapTo ? [{ from: gap.gapFrom, to: gap.gapTo, slots: gap.slots ?? 0 }] : [],
    ),
  };
}
