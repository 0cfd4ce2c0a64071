import { costOf } from '../../domain/money.ts';
import { barsOf, labelWords } from '../../domain/report/bars.ts';
import type { Asked } from './asked.ts';
import { acknowledgementFigures, alarmFigures, deliveryFigures, smsFigures } from './figures.ts';
import { health, healthGaps } from './health.ts';
import { acknowledgementRows, alarmRows, deliveryRows, methodName, type ReportWork, scope } from './lists.ts';
import { counts, type Made, type Picture, seconds, text, time } from './table.ts';

/** Every report that can be downloaded, by its name in the address. */
export const reports: Readonly<Record<string, (work: ReportWork) => Promise<Made>>> = {
  health,
  'health-gaps': healthGaps,
  sms,
  alarms: async (work) => ({
    title: 'Alarms',
    columns: [
      time('Opened'),
      text('Severity', 1),
      text('Message', 4),
      text('Site'),
      text('Unit office'),
      { ...seconds('Lasted, s'), none: 'still open' },
      text('Acknowledged by'),
      text('Reason'),
    ],
    rows: alarmRows(work),
    picture: await alarmPicture(work),
    figures: () => alarmFigures(work),
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
      text('Message', 5),
      text('Site'),
      text('Unit office', 1.6),
      text('Told', 1.7),
      text('Acknowledged by'),
      time('Acknowledged'),
      seconds('After, s'),
    ],
    rows: acknowledgementRows(work),
    figures: () => acknowledgementFigures(work),
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
      text('Way', 1.3),
      text('Kind', 1),
      text('To'),
      text('Message', 4.2),
      text('Site'),
      text('State', 1.3),
      { header: 'Attempts', kind: 'count', weight: 1.5 },
      time('Sent at'),
      time('Delivered at'),
      text('Answer', 2.4),
    ],
    rows: deliveryRows(work),
    figures: () => deliveryFigures(work),
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

const smsParts = ['Alarm', 'Health', 'Resolve', 'Other'] as const;

async function sms(work: ReportWork): Promise<Made> {
  const { asked } = work;
  const bySite = asked.by === 'site';
  const { from, to } = asked.range;
  const found = bySite
    ? await work.query('select *, site_name as name from tocsin.sms_report_by_site($1, $2, $3)', [
        from,
        to,
        asked.office,
      ])
    : await work.query('select *, uo_name as name from tocsin.sms_report_by_unit_office($1, $2)', [from, to]);
  const [{ sms_price: price, sms_currency: currency }] = await work.query(
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
  const days = await work.query('select * from tocsin.sms_by_day($1, $2, $3)', [
    from,
    to,
    bySite ? asked.office : null,
  ]);
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
    figures: () => smsFigures(work, found, price === null ? null : { price, currency }),
  };
}

async function alarmPicture(work: ReportWork): Promise<Picture> {
  const days = await work.query('select * from tocsin.alarms_by_day($1, $2, $3, $4)', scope(work));
  const parts = ['Critical', 'Major', 'Minor', 'Silent'];
  const values = (row: any) => [row.critical, row.major, row.minor, row.silent];
  return { ...dayBars('Alarms', parts, work.asked, days, values), severities: true };
}

function dayBars(
  title: string,
  parts: readonly string[],
  { range }: Asked,
  rows: any[],
  values: (row: any) => number[],
): Picture {
  const { each, bars } = barsOf(range, rows, values, parts.length);
  return {
    title: `${title} each ${each}`,
    parts,
    bars: bars.map(({ label, values }) => ({ label: labelWords(label, 'en-GB'), values })),
  };
}
