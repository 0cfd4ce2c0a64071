import { formatAge } from '../../domain/age.ts';
import type { LevelWords } from '../../domain/group-level.ts';
import { sortRows } from '../../domain/order.ts';
import { plural } from '../../domain/plural.ts';
import { labelWords } from '../../domain/report/bars.ts';
import {
  countBelowTarget,
  type HealthRow,
  type Cell as Heard,
  healthOrders,
  isBeforeSites,
  isGapOpen,
  previousMonthWords,
  previousPeriodsWords,
  roundShare,
  share,
  shareWords,
  sumRows,
  totalOf,
  worstFirst,
} from '../../domain/report/health.ts';
import {
  cellsPerRow,
  gapRange,
  type HealthRange,
  periodLabels,
  periodsBefore,
  periodsUntil,
} from '../../domain/report/health-periods.ts';
import { gapOrders, orderWords } from '../../domain/report/list-order.ts';
import { dayOf, monthWords } from '../../domain/report/range.ts';
import { HttpRefusal } from '../auth/errors.ts';
import type { Orders, ReportContext } from './context.ts';
import { count, firstSiteAt } from './figures.ts';
import {
  type Cell,
  type Column,
  counts,
  type KeyFigure,
  type ReportContent,
  seconds,
  text,
  time,
  writeTime,
} from './table.ts';

export async function health(context: ReportContext): Promise<ReportContent> {
  const { parameters, timeZone, office } = context;
  const { each } = parameters;
  const range = periodsUntil(each, parameters.until, timeZone, parameters.untilIsOver);
  const bySite = parameters.by === 'site';
  const worst = worstFirst(await healthRows(context, range));
  const rows = sortRows(worst, parameters.order, healthOrders);
  const cells = (row: Pick<HealthRow, 'cells'>): Cell[] => {
    const total = totalOf(row);
    return [...[...row.cells, total].map((cell) => roundShare(share(cell))), total.received, total.expected];
  };
  const sums = sumRows(rows);
  const end = gapRange(range, timeZone).to;
  const first = await firstSiteAt(context);
  const isBefore = rows.length > 0 && totalOf(sums).expected === 0 && isBeforeSites(first, end);
  const last = parameters.untilIsOver ? labelWords(dayOf(parameters.until, timeZone)) : 'Today';
  const labels = [...periodLabels(range, timeZone), ...(each === 'month' ? [] : [last])];
  return {
    title: bySite ? 'Health by site' : `Health by ${office.one}`,
    rowsBy: true,
    order: orderWords(parameters.order, Object.keys(healthOrders), 'worst first', labels),
    columns: [
      text(bySite ? 'Site' : office.title, 3),
      ...(bySite ? [text('Site ID', 1.4), text(office.title)] : counts('Sites')),
      ...labels.map((header): Column => ({ header, kind: 'share', weight: 1 })),
      { header: 'Total (%)', kind: 'share', weight: 1, plain: true },
      ...['Received', 'Expected'].map((header): Column => ({ header, kind: 'count', weight: 1.25 })),
    ],
    rows: isBefore
      ? []
      : rows.map((row) => [row.name, ...(bySite ? [row.siteId, row.office] : [row.sites]), ...cells(row)]),
    nothing: isBefore ? 'No site existed yet.' : undefined,
    total:
      rows.length > 0 && !isBefore
        ? [bySite ? 'All sites' : office.all, ...(bySite ? ['', ''] : [sums.sites]), ...cells(sums)]
        : undefined,
    picture: async () => ({
      title: `Missing data per ${each} (% of expected)`,
      parts: ['missing'],
      bars: sums.cells.map((cell, index) => ({
        label: labels[index] as string,
        values: [missingOf(share(cell))],
      })),
    }),
    figures: async () => {
      const before = await healthRows(context, periodsBefore(range, timeZone));
      const whole = periodsUntil('month', parameters.until, timeZone, parameters.untilIsOver);
      const months = sumRows(await healthRows(context, whole)).cells;
      const [old, last] = [10, 11].map((month) => ({
        name: monthWords(dayOf(whole.weekStarts[month] as Date, timeZone)),
        cell: months[month] ?? { received: 0, expected: 0 },
        end: whole.weekStarts[month + 1] as Date,
      })) as [Month, Month];
      return healthFigures(rows, before, parameters, { first, end, last, old, office });
    },
  };
}

async function healthRows(
  { parameters, query }: ReportContext,
  range: HealthRange,
): Promise<(HealthRow & { siteId: string })[]> {
  const { weekStarts: starts, today } = range;
  const bySite = parameters.by === 'site';
  const found = bySite
    ? await query('select *, 1 as site_count, site_name as name from tocsin.health_report_by_site($1, $2, $3)', [
        starts,
        today,
        parameters.office,
      ])
    : await query(`select *, uo_name as name from tocsin.health_report_by_unit_office($1, $2)`, [starts, today]);
  return found.map((row) => ({
    id: row.uuid ?? '',
    name: row.name,
    siteId: bySite ? row.site_id : '',
    sites: row.site_count,
    office: bySite ? (row.uo_name ?? '') : '',
    cells: row.expected.slice(0, cellsPerRow(range)).map((expected: number, index: number) => ({
      received: index === 12 ? row.todaycount : row[`w${index + 1}_count`],
      expected,
    })),
  }));
}

/**
 * Returns the percentage of missing data. Computed as 100 minus the rounded percentage of received data, so that the
 * two add up to 100.
 */
function missingOf(percent: number | null): number {
  const written = roundShare(percent);
  return written === null ? 0 : Math.round((100 - written) * 10) / 10;
}

const gapOrder: Orders<(typeof gapOrders)[number]> = {
  name: ({ gap_from }) => gap_from,
  to: ({ gap_to }) => gap_to,
  lasted: ({ gap_from, gap_to }) => gap_to.getTime() - gap_from.getTime(),
  slots: ({ slots }) => slots,
};

/** Creates the report on the gaps of one site. By default, the longest gap comes first. */
export async function healthGaps({ parameters, timeZone, query }: ReportContext): Promise<ReportContent> {
  const [site] = await query('select uuid, site_id, name, last_update, created_at from tocsin.site where uuid = $1', [
    parameters.site,
  ]);
  if (!site) throw new HttpRefusal(404, 'There is no such site. Choose one in the health report.');
  const range = periodsUntil(parameters.each, parameters.until, timeZone, parameters.untilIsOver);
  const { from, to } = gapRange(range, timeZone);
  const gaps = await query('select * from tocsin.health_gaps($1, $2, $3)', [parameters.site, from, to]);
  return {
    title: `Gaps at ${site.name}`,
    site,
    order: orderWords(parameters.order, gapOrders, 'longest first'),
    figures: async () => gapFigures(gaps, site.last_update, timeZone),
    columns: [time('From'), time('To'), seconds('Duration (s)'), ...counts('Slots')],
    nothing: isBeforeSites(site.created_at, to) ? 'No site existed yet.' : undefined,
    rows: sortRows(gaps, parameters.order, gapOrder).map(({ gap_from: begin, gap_to: end, slots }) => [
      begin,
      isGapOpen(begin, site.last_update) ? 'ongoing' : end,
      (end.getTime() - begin.getTime()) / 1000,
      slots,
    ]),
  };
}

/** Returns the key figures of one site's gaps. `gaps` must be sorted by duration, longest first. */
function gapFigures(gaps: readonly any[], lastContact: Date | null, timeZone: string): KeyFigure[] {
  const [longest] = gaps;
  return [
    { name: 'Gaps', value: count(gaps.length) },
    { name: 'Slots without data', value: count(gaps.reduce((sum, { slots }) => sum + slots, 0)) },
    {
      name: 'Longest gap',
      value: longest ? formatAge(longest.gap_to.getTime() - longest.gap_from.getTime()) : 'none',
    },
    { name: 'Last contact', value: lastContact ? writeTime(lastContact, timeZone).slice(0, 16) : 'never' },
  ];
}

interface Month {
  name: string;
  cell: Heard;
  end: Date;
}

/**
 * Returns the key figures. `before` contains the rows of the previous twelve periods. `first` is the time at which the
 * first site was added, and `end` is the end of the current twelve periods. `last` is the last whole month, and `old`
 * is the month before it.
 */
function healthFigures(
  rows: readonly HealthRow[],
  before: readonly HealthRow[],
  { by, each }: Pick<ReportContext['parameters'], 'by' | 'each'>,
  {
    first,
    end,
    last,
    old: oldMonth,
    office,
  }: { first: Date | null; end: Date; last: Month; old: Month; office: LevelWords },
): KeyFigure[] {
  const bySite = by === 'site';
  const [total, old] = [totalOf(sumRows(rows)), totalOf(sumRows(before))];
  const { under, of } = countBelowTarget(rows);
  const slots = ({ received, expected }: Heard) =>
    expected > 0 ? { unit: `${count(received)} of ${count(expected)} ${plural(expected, 'slot')}` } : {};
  return [
    {
      name: 'Expected data received',
      value: shareWords(total, first, end),
      ...slots(total),
      before: previousPeriodsWords(each, total, old, shareWords(old, first, end)),
    },
    {
      name: `Received in ${last.name}`,
      value: shareWords(last.cell, first, last.end),
      ...slots(last.cell),
      before: previousMonthWords(oldMonth.name, oldMonth.cell, shareWords(oldMonth.cell, first, oldMonth.end)),
    },
    {
      name: `${bySite ? 'Sites' : office.many} under 97 %`,
      ...(total.expected > 0
        ? { value: count(under), unit: `of ${count(of)}` }
        : { value: shareWords(total, first, end) }),
      ...(!bySite && {
        before: previousPeriodsWords(each, total, old, count(countBelowTarget(before).under)),
      }),
    },
  ];
}
