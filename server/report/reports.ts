import { costOf } from '../../domain/money.ts';
import { barsOf } from '../../domain/report/bars.ts';
import { cutShare, type HealthRow, share, sumRows, totalOf, worstFirst } from '../../domain/report/health.ts';
import { startOfDay, weekStarts } from '../../domain/week.ts';
import type { Asked } from './asked.ts';
import { acknowledgementRows, alarmRows, deliveryRows, methodName, type ReportWork, scope } from './lists.ts';
import type { Cell, Column, Picture, ReportTable } from './table.ts';

type Made = Omit<ReportTable, 'name' | 'about' | 'timeZone'>;

const text = (header: string, weight = 2): Column => ({ header, kind: 'text', weight });
const counts = (...headers: string[]): Column[] => headers.map((header) => ({ header, kind: 'count', weight: 1 }));
const seconds = (header: string): Column => ({ header, kind: 'seconds', weight: 1.2 });
const time = (header: string): Column => ({ header, kind: 'time', weight: 2.6 });

/** Every report that can be downloaded, by its name in the address. */
export const reports: Readonly<Record<string, (work: ReportWork) => Promise<Made>>> = {
  health,
  sms,
  alarms: async (work) => ({
    title: 'Alarms',
    columns: [
      time('Opened'),
      text('Severity', 1),
      text('Message', 4),
      text('Site'),
      text('Unit office'),
      seconds('Lasted, s'),
      text('Acknowledged by'),
      text('Reason'),
    ],
    rows: alarmRows(work),
    picture: await alarmPicture(work),
  }),
  'alarms-by-site': async (work) => ({
    title: 'Alarms by site',
    columns: [
      text('Site', 3),
      text('Unit office'),
      ...counts('Alarms', 'Critical', 'Still open', 'Acknowledged'),
      seconds('Mean, s'),
      seconds('Longest, s'),
    ],
    rows: (await work.query('select * from tocsin.alarms_by_site($1, $2, $3, $4)', scope(work))).map((row) => [
      row.site_name,
      row.uo_name,
      row.alarms,
      row.critical,
      row.still_open,
      row.acknowledged,
      row.mean_seconds,
      row.longest_seconds,
    ]),
    picture: await alarmPicture(work),
  }),
  'alarms-by-reason': async (work) => ({
    title: 'Alarms by reason',
    columns: [text('Reason', 4), ...counts('Alarms')],
    rows: (await work.query('select * from tocsin.alarms_by_reason($1, $2, $3, $4)', scope(work))).map((row) => [
      row.reason ?? 'No reason given',
      row.alarms,
    ]),
  }),
  acknowledgements: async (work) => ({
    title:
      work.asked.by === 'site' ? 'Acknowledgement of messages by site' : 'Acknowledgement of alarm SMS by unit office',
    columns: [
      time('Sent'),
      text('Message', 4),
      text('Site'),
      text('Unit office'),
      text('Told'),
      text('Acknowledged by'),
      time('Acknowledged'),
      seconds('After, s'),
    ],
    rows: acknowledgementRows(work),
  }),
  'acknowledgements-by-person': async (work) => ({
    title: 'Acknowledgement by person',
    columns: [
      text('Person', 3),
      ...counts('Messages', 'Acknowledged', 'By themselves'),
      seconds('Median, s'),
      seconds('90 %, s'),
    ],
    rows: (
      await work.query('select * from tocsin.acknowledgements_by_person($1, $2, $5, $3, $4)', [
        ...scope(work),
        work.asked.by === 'office',
      ])
    ).map((row) => [
      row.recipient_name,
      row.messages,
      row.acknowledged,
      row.by_themselves,
      row.median_seconds,
      row.p90_seconds,
    ]),
  }),
  delivery: async (work) => ({
    title: 'Messages and what became of them',
    columns: [
      time('Due'),
      text('Way', 1),
      text('Kind', 1),
      text('To'),
      text('Message', 4),
      text('Site'),
      text('State', 1),
      ...counts('Attempts'),
      time('Sent at'),
      time('Delivered at'),
      text('Answer'),
    ],
    rows: deliveryRows(work),
  }),
  'delivery-by-person': async (work) => ({
    title: 'Delivery by person',
    columns: [
      text('Person', 3),
      text('Way', 1),
      ...counts('Messages', 'Queued', 'Sent', 'Delivered', 'Failed'),
      seconds('Median, s'),
      seconds('90 %, s'),
    ],
    rows: (await work.query('select * from tocsin.delivery_figures($1, $2, true, $3, $4)', scope(work))).map((row) => [
      row.recipient_name,
      methodName(row.method_type),
      row.messages,
      row.queued,
      row.sent,
      row.delivered,
      row.failed,
      row.median_seconds,
      row.p90_seconds,
    ]),
  }),
};

async function health({ asked, timeZone, query }: ReportWork): Promise<Made> {
  const starts = weekStarts(asked.until, timeZone);
  const bySite = asked.by === 'site';
  const found = bySite
    ? await query('select *, 1 as site_count, site_name as name from tocsin.health_report_by_site($1, $2, $3)', [
        starts,
        startOfDay(asked.until, timeZone),
        asked.office,
      ])
    : await query(`select *, uo_name as name from tocsin.health_report_by_unit_office($1, $2)`, [
        starts,
        startOfDay(asked.until, timeZone),
      ]);
  const rows = worstFirst(
    found.map(
      (row): HealthRow => ({
        id: row.uuid ?? '',
        name: row.name,
        sites: row.site_count,
        office: bySite ? (row.uo_name ?? '') : '',
        cells: row.expected.map((expected: number, index: number) => ({
          received: index === 12 ? row.todaycount : row[`w${index + 1}_count`],
          expected,
        })),
      }),
    ),
  );
  const day = new Intl.DateTimeFormat('en-GB', { timeZone, day: 'numeric', month: 'short' });
  const cells = (row: Pick<HealthRow, 'cells'>): Cell[] => {
    const total = totalOf(row);
    return [...[...row.cells, total].map((cell) => cutShare(share(cell))), total.received, total.expected];
  };
  const sums = sumRows(rows);
  return {
    title: bySite ? 'Health by site' : 'Health by unit office',
    columns: [
      text(bySite ? 'Site' : 'Unit office', 3),
      bySite ? text('Unit office') : (counts('Sites')[0] as Column),
      ...[...starts.slice(0, 12).map((start) => day.format(start)), 'Today', 'Total %'].map(
        (header): Column => ({ header, kind: 'share', weight: 1 }),
      ),
      ...counts('Received', 'Expected'),
    ],
    rows: rows.map((row) => [row.name, bySite ? row.office : row.sites, ...cells(row)]),
    total:
      rows.length > 0
        ? [bySite ? 'All sites' : 'All unit offices', bySite ? '' : sums.sites, ...cells(sums)]
        : undefined,
    picture: {
      title: 'Received of expected, % of each week and of today',
      parts: ['received'],
      most: 100,
      bars: sums.cells.map((cell, index) => ({
        label: index === 12 ? 'Today' : day.format(starts[index] as Date),
        values: [cutShare(share(cell)) ?? 0],
      })),
    },
  };
}

const smsParts = ['Alarm', 'Health', 'Resolve', 'Other'] as const;

async function sms({ asked, query }: ReportWork): Promise<Made> {
  const bySite = asked.by === 'site';
  const { from, to } = asked.range;
  const found = bySite
    ? await query('select *, site_name as name from tocsin.sms_report_by_site($1, $2, $3)', [from, to, asked.office])
    : await query('select *, uo_name as name from tocsin.sms_report_by_unit_office($1, $2)', [from, to]);
  const [{ sms_price: price, sms_currency: currency }] = await query(
    'select sms_price, sms_currency from tocsin.customer',
    [],
  );
  const figures = (row: any): number[] => [
    row.alarm_sms,
    row.health_sms,
    row.resolve_sms,
    row.other_sms,
    row.sms_count,
    row.eqs,
  ];
  const priced = (counted: number[]): number[] =>
    price === null ? counted : [...counted, costOf(counted.at(-1) as number, { price })];
  const rows = found.toSorted((a, b) => b.sms_count - a.sms_count || a.name.localeCompare(b.name));
  const days = await query('select * from tocsin.sms_by_day($1, $2, $3)', [from, to, bySite ? asked.office : null]);
  return {
    title: bySite ? 'SMS by site' : 'SMS by unit office',
    columns: [
      text(bySite ? 'Site' : 'Unit office', 3),
      ...(bySite ? [text('Site ID')] : []),
      ...counts(...smsParts, 'Messages', 'Billed parts'),
      ...(price === null ? [] : [{ header: `Cost, ${currency}`, kind: 'money', currency, weight: 1.4 } as const]),
    ],
    rows: rows.map((row) => [row.name, ...(bySite ? [row.site_id] : []), ...priced(figures(row))]),
    total: [
      bySite ? 'All sites' : 'All unit offices',
      ...(bySite ? [''] : []),
      ...priced([0, 1, 2, 3, 4, 5].map((place) => rows.reduce((sum, row) => sum + (figures(row)[place] as number), 0))),
    ],
    picture: dayBars('SMS', smsParts, asked, days, (row) => figures(row).slice(0, 4)),
  };
}

async function alarmPicture(work: ReportWork): Promise<Picture> {
  const days = await work.query('select * from tocsin.alarms_by_day($1, $2, $3, $4)', scope(work));
  const parts = ['Critical', 'Major', 'Minor', 'Silent'];
  return dayBars('Alarms', parts, work.asked, days, (row) => [row.critical, row.major, row.minor, row.silent]);
}

function dayBars(
  title: string,
  parts: readonly string[],
  { range }: Asked,
  rows: any[],
  values: (row: any) => number[],
): Picture {
  const { each, bars } = barsOf(range, rows, values, parts.length);
  return { title: `${title} each ${each}`, parts, bars };
}
