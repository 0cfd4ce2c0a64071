import { costOf } from '../../domain/money.ts';
import { inOrder, type Sortable } from '../../domain/order.ts';
import { barsOf, labelWords } from '../../domain/report/bars.ts';
import { deliveryShare, deliverySums } from '../../domain/report/delivery.ts';
import { fateName } from '../../domain/report/fate.ts';
import { MOST, mostTitle, type Offenders } from '../../domain/report/most.ts';
import { roundPercent } from '../../domain/report/percent.ts';
import { NO_REASON_WORDS } from '../../domain/report/reason.ts';
import type { Asked } from './asked.ts';
import { acknowledgementFigures, alarmFigures, deliveryFigures, smsFigures } from './figures.ts';
import { health, healthGaps } from './health.ts';
import {
  acknowledgementRows,
  alarmRows,
  alarmScope,
  deliveryBy,
  deliveryRows,
  methodName,
  type ReportWork,
  scope,
  wantedMessages,
} from './lists.ts';
import { type Cell, type Column, counts, type Made, type Picture, type Section, seconds, text, time } from './table.ts';

/** Every report that can be downloaded, by its name in the address. */
export const reports: Readonly<Record<string, (work: ReportWork) => Promise<Made>>> = {
  health,
  'health-gaps': healthGaps,
  sms,
  alarms,
  'alarms-by-site': async (work) => ({
    title: 'Alarms by site',
    columns: [
      text('Site', 3),
      text('Unit office'),
      ...counts('Alarms', 'Critical', 'Still open', 'Acknowledged'),
      seconds('Mean, s'),
      seconds('Longest, s'),
    ],
    rows: inOrder(
      await work.query('select * from tocsin.alarms_by_site($1, $2, $3, $4)', scope(work)),
      work.asked.siteOrder,
      siteOrders,
    ).map((row) => [
      row.site_name,
      row.uo_name,
      row.alarms,
      row.critical,
      row.still_open,
      row.acknowledged,
      row.mean_seconds,
      row.longest_seconds,
    ]),
    picture: async () => alarmPicture(work, (await breakdownOf(work, 0)).days),
  }),
  'alarms-by-reason': async (work) => ({
    title: 'Alarms by reason',
    columns: [text('Reason', 4), ...counts('Alarms')],
    rows: (await work.query('select * from tocsin.alarms_by_reason($1, $2, $3, $4)', scope(work))).map((row) => [
      row.reason ?? NO_REASON_WORDS,
      row.alarms,
    ]),
  }),
  acknowledgements: async (work) => ({
    title:
      work.asked.by === 'site' ? 'Acknowledgement of messages by site' : 'Acknowledgement of alarm SMS by unit office',
    columns: [
      time('Due'),
      text('Message', 5),
      text('Site'),
      text('Unit office', 1.6),
      text('To', 1.7),
      text('State', 1.3),
      text('Acknowledged by'),
      time('Acknowledged'),
      seconds('After, s'),
    ],
    rows: acknowledgementRows(work),
    figures: () => acknowledgementFigures(work),
    sections: async () => [await acknowledgementsByPerson(work)],
  }),
  'acknowledgements-by-person': acknowledgementsByPerson,
  delivery: async (work) => ({
    title: 'Messages and what became of them',
    columns: [
      time('Due'),
      text('Way', 1.3),
      text('About', 1),
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
    sections: async () => [await deliveryByWay(work), await deliveryByPerson(work)],
  }),
  'delivery-by-person': deliveryByPerson,
};

type Orders = Readonly<Record<string, (row: any) => Sortable>>;

/** What the tables of persons can be put in order by, as their pages call it. */
const personOrders: Orders = {
  name: (row) => row.recipient_name,
  way: (row) => methodName(row.method_type),
  messages: (row) => row.messages,
  acknowledged: (row) => row.acknowledged,
  byThemselves: (row) => row.by_themselves,
  rate: (row) => deliveryShare(deliverySums([row])),
  delivered: (row) => row.delivered,
  kept: (row) => row.kept,
  failed: (row) => row.failed,
  median: (row) => row.median_seconds,
  p90: (row) => row.p90_seconds,
};

async function acknowledgementsByPerson(work: ReportWork): Promise<Section> {
  const found = await work.query('select * from tocsin.acknowledgements_by_person($1, $2, $5, $3, $4, $6)', [
    ...scope(work),
    work.asked.by === 'office',
    work.asked.person,
  ]);
  return {
    title: 'Acknowledgement by person',
    columns: [
      text('Person', 3),
      ...counts('Told', 'Acknowledged by anybody', 'By themselves'),
      seconds('Middle case, s'),
      seconds('Nine of ten within, s'),
    ],
    rows: inOrder(found, work.asked.order, personOrders).map((row) => [
      row.recipient_name,
      row.messages,
      row.acknowledged,
      row.by_themselves,
      row.median_seconds,
      row.p90_seconds,
    ]),
  };
}

/** What became of messages, of each way or person. */
const deliveryColumns: readonly Column[] = [
  ...counts('Messages'),
  { header: 'Went out, %', kind: 'share', weight: 1, plain: true },
  ...counts('Queued', 'Sent', 'Delivered', fateName('kept'), 'Failed'),
  seconds('Middle case, s'),
  seconds('Nine of ten within, s'),
];

function deliveryCells(row: any): Cell[] {
  const share = deliveryShare(deliverySums([row]));
  return [
    row.messages,
    share === null ? null : roundPercent(share),
    row.queued,
    row.sent,
    row.delivered,
    row.kept,
    row.failed,
    row.median_seconds,
    row.p90_seconds,
  ];
}

async function deliveryByWay(work: ReportWork): Promise<Section> {
  const found = await work.query(deliveryBy(false), [...scope(work), ...wantedMessages(work)]);
  const orders = { ...personOrders, name: (row: any) => methodName(row.method_type) };
  return {
    title: 'Delivery by way',
    columns: [text('Way', 4), ...deliveryColumns],
    rows: inOrder(found, work.asked.wayOrder, orders).map((row) => [
      methodName(row.method_type),
      ...deliveryCells(row),
    ]),
  };
}

async function deliveryByPerson(work: ReportWork): Promise<Section> {
  const found = await work.query(deliveryBy(true), [...scope(work), ...wantedMessages(work)]);
  return {
    title: 'Delivery by person',
    columns: [text('Person', 3), text('Way', 1), ...deliveryColumns],
    rows: inOrder(found, work.asked.order, personOrders).map((row) => [
      row.recipient_name,
      methodName(row.method_type),
      ...deliveryCells(row),
    ]),
  };
}

const smsParts = ['Alarm', 'Health', 'Resolve', 'Other'] as const;

const smsOrders: Orders = {
  name: (row) => row.name,
  alarm: (row) => row.alarm_sms,
  health: (row) => row.health_sms,
  resolve: (row) => row.resolve_sms,
  other: (row) => row.other_sms,
  messages: (row) => row.sms_count,
  parts: (row) => row.eqs,
  cost: (row) => row.eqs,
};

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
  const most = found.toSorted((a, b) => b.sms_count - a.sms_count || a.name.localeCompare(b.name));
  const rows = inOrder(most, asked.order, smsOrders);
  const total = priced(
    [0, 1, 2, 3, 4, 5].map((place) => rows.reduce((sum, row) => sum + (figures(row)[place] as number), 0)),
  );
  return {
    title: bySite ? 'SMS by site' : 'SMS by unit office',
    columns: [
      text(bySite ? 'Site' : 'Unit office', 3),
      ...(bySite ? [text('Site ID')] : []),
      ...counts(...smsParts, 'Messages', 'Billed parts'),
      ...(price === null
        ? []
        : [
            { header: `Cost, ${currency}`, kind: 'money', currency, sum: total.at(-1) as number, weight: 1.4 } as const,
          ]),
    ],
    rows: rows.map((row) => [row.name, ...(bySite ? [row.site_id] : []), ...priced(figures(row))]),
    total: [bySite ? 'All sites' : 'All unit offices', ...(bySite ? [''] : []), ...total],
    picture: async () => {
      const days = await work.query('select * from tocsin.sms_by_day($1, $2, $3)', [
        from,
        to,
        bySite ? asked.office : null,
      ]);
      return dayBars('SMS', smsParts, asked, days, (row) => figures(row).slice(0, 4));
    },
    figures: () => smsFigures(work, found, price === null ? null : { price, currency }),
  };
}

const siteOrders: Orders = {
  name: (row) => row.site_name,
  alarms: (row) => row.alarms,
  open: (row) => row.still_open,
  mean: (row) => row.mean_seconds,
  longest: (row) => row.longest_seconds,
};
const ruleOrders: Orders = {
  name: (row) => row.rule_name,
  site: (row) => row.site_name,
  alarms: (row) => row.alarms,
};

async function alarms(work: ReportWork): Promise<Made> {
  // Asked for once, by whichever part of the paper comes first.
  let asked: ReturnType<typeof breakdownOf> | undefined;
  const breakdown = () => {
    asked ??= breakdownOf(work, MOST);
    return asked;
  };
  return {
    title: 'Alarms',
    columns: [
      time('Opened'),
      text('Severity', 1),
      text('Message', 4),
      text('Site'),
      text('Unit office'),
      { ...seconds('Lasted, s'), none: 'still open' },
      text('Acknowledged by'),
      { ...seconds('After, s'), weight: 1 },
      text('Reason'),
    ],
    rows: alarmRows(work),
    picture: async () => alarmPicture(work, (await breakdown()).days),
    figures: () => alarmFigures(work),
    sections: async () => {
      const { reasons, sites, rules } = await breakdown();
      const all = Math.max(sites.length, rules.length) < MOST ? undefined : await countOffenders(work);
      return [
        {
          title: 'Reasons, most frequent first',
          columns: [text('Reason', 6), ...counts('Alarms')],
          rows: reasons.map(({ reason, alarms }) => [reason ?? NO_REASON_WORDS, alarms]),
        },
        {
          title: mostTitle('sites', all, 'en'),
          columns: [
            text('Site', 3),
            text('Unit office', 3),
            ...counts('Alarms', 'Open'),
            seconds('Mean, s'),
            seconds('Longest, s'),
          ],
          rows: inOrder(sites, work.asked.siteOrder, siteOrders).map((row) => [
            row.site_name,
            row.uo_name,
            row.alarms,
            row.still_open,
            row.mean_seconds,
            row.longest_seconds,
          ]),
        },
        {
          title: mostTitle('rules', all, 'en'),
          columns: [text('Rule', 3), text('Site', 3), ...counts('Alarms')],
          rows: inOrder(rules, work.asked.ruleOrder, ruleOrders).map((row) => [
            row.rule_name,
            row.site_name,
            row.alarms,
          ]),
        },
      ];
    },
  };
}

/** Days, reasons, sites and rules in one pass over the alarms. */
async function breakdownOf(
  work: ReportWork,
  most: number,
): Promise<Record<'days' | 'reasons' | 'sites' | 'rules', any[]>> {
  const { rule, reason } = work.asked;
  const [row] = await work.query(
    `select to_json(b.days) as days, to_json(b.reasons) as reasons, to_json(b.sites) as sites, to_json(b.rules) as rules
     from tocsin.alarm_breakdown($1, $2, $3, $4, $5, $6, $7) b`,
    [...scope(work), most, rule, reason],
  );
  return row;
}

/** How many sites and rules had alarms, however few of them are shown. */
async function countOffenders(work: ReportWork): Promise<Offenders> {
  const [row] = await work.query(
    `select cardinality(b.sites) as sites, cardinality(b.rules) as rules
     from tocsin.alarm_breakdown($1, $2, $3, $4, null, $5, $6) b`,
    alarmScope(work),
  );
  return row;
}

function alarmPicture(work: ReportWork, days: any[]): Picture {
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
    bars: bars.map(({ label, values }) => ({ label: labelWords(label), values })),
  };
}
