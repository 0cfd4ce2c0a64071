import { formatSeconds } from '../../domain/age.ts';
import { sortRows } from '../../domain/order.ts';
import { ofAlarmsWords } from '../../domain/report/acknowledgement.ts';
import { alarmOrders, listOrder, orderWords, ruleOrders, siteOrders } from '../../domain/report/list-order.ts';
import { MOST_REASONS, paretoOf } from '../../domain/report/pareto.ts';
import { perDayWords } from '../../domain/report/per-day.ts';
import { roundPercent } from '../../domain/report/percent.ts';
import { dayOf } from '../../domain/report/range.ts';
import { type AlarmingCounts, isReordered, rulesTitle, TOP_ROWS, topTitle } from '../../domain/report/top-rows.ts';
import { type Severity, severities, severityNames } from '../../domain/rule/priority.ts';
import { type Orders, type ReportContext, scope } from './context.ts';
import { dayBars } from './day-bars.ts';
import { count, firstSiteAt, previousPeriod, previousValueWriter } from './figures.ts';
import { joinUuids, type Rows, rowsByKey, rowsByOrder } from './rows.ts';
import {
  type Cell,
  type Column,
  counts,
  type KeyFigure,
  type Picture,
  type ReportContent,
  seconds,
  text,
  time,
  wholeSeconds,
} from './table.ts';

const siteOrder: Orders<(typeof siteOrders)[number]> = {
  name: (row) => row.site_name,
  alarms: (row) => row.alarms,
  open: (row) => row.still_open,
  mean: (row) => row.mean_seconds,
  longest: (row) => row.longest_seconds,
};
const ruleOrder: Orders<(typeof ruleOrders)[number]> = {
  name: (row) => row.rule_name,
  site: (row) => row.site_name,
  alarms: (row) => row.alarms,
};

export async function alarms(context: ReportContext): Promise<ReportContent> {
  // The breakdown is queried only once, although several sections of the PDF use it.
  let loaded: ReturnType<typeof breakdownOf> | undefined;
  const breakdown = () => {
    loaded ??= breakdownOf(context, TOP_ROWS);
    return loaded;
  };
  return {
    title: 'Alarms',
    order: orderWords(context.parameters.sort, alarmOrders, 'newest first'),
    columns: [
      time('Opened'),
      text('Severity', 1),
      text('Message', 3.8),
      text('Site'),
      text('Asset'),
      text(context.office.title),
      { ...wholeSeconds('Duration (s)'), none: 'still open' },
      text('Acknowledged by'),
      wholeSeconds('Acknowledged after creation (s)'),
      text('Reason'),
    ],
    rows: alarmRows(context),
    picture: async () => alarmPicture(context, (await breakdown()).days),
    figures: () => alarmFigures(context),
    sections: async () => {
      const { reasons, sites, rules, days } = await breakdown();
      const all = Math.max(sites.length, rules.length) < TOP_ROWS ? undefined : await countOffenders(context);
      const chosen = { sites: context.parameters.siteOrder, rules: context.parameters.ruleOrder };
      // Sorts the rows of a section. If the section shows only the first rows, the database has already sorted them.
      const ordered = (kind: keyof AlarmingCounts, rows: readonly any[], by: Orders<string>) =>
        isReordered(kind, all, chosen[kind]) ? rows : sortRows(rows, chosen[kind], by);
      return [
        {
          title: 'Reasons, most frequent first',
          columns: reasonColumns,
          rows: reasonRows(reasons, MOST_REASONS),
        },
        {
          title: topTitle('sites', all, chosen.sites, 'en'),
          columns: [
            text('Site', 3),
            text(context.office.title, 3),
            ...counts('Alarms', 'Open'),
            seconds('Mean (s)'),
            seconds('Longest (s)'),
          ],
          rows: ordered('sites', sites, siteOrder).map((row) => [
            row.site_name,
            row.uo_name,
            row.alarms,
            row.still_open,
            row.mean_seconds,
            row.longest_seconds,
          ]),
        },
        {
          title: rulesTitle(
            all,
            chosen.rules,
            days.reduce((sum: number, { silent }: any) => sum + silent, 0),
            'en',
          ),
          columns: [text('Rule', 3), text('Site', 3), ...counts('Alarms')],
          rows: ordered('rules', rules, ruleOrder).map((row) => [row.rule_name, row.site_name, row.alarms]),
        },
      ];
    },
  };
}

export async function alarmsBySite(context: ReportContext): Promise<ReportContent> {
  const { sites, days } = await breakdownOf(context, null);
  return {
    title: 'Alarms by site',
    order: orderWords(context.parameters.siteOrder, siteOrders, 'with the most alarms first'),
    columns: [
      text('Site', 3),
      text(context.office.title),
      ...counts('Alarms', 'Critical', 'Still open', 'Acknowledged'),
      seconds('Mean (s)'),
      seconds('Longest (s)'),
    ],
    rows: sortRows(sites, context.parameters.siteOrder, siteOrder).map((row) => [
      row.site_name,
      row.uo_name,
      row.alarms,
      row.critical,
      row.still_open,
      row.acknowledged,
      row.mean_seconds,
      row.longest_seconds,
    ]),
    picture: async () => alarmPicture(context, days),
  };
}

export async function alarmsByReason(context: ReportContext): Promise<ReportContent> {
  return {
    title: 'Alarms by reason',
    order: 'Rows with the most frequent reason first',
    columns: reasonColumns,
    rows: reasonRows((await breakdownOf(context, 0)).reasons, Number.POSITIVE_INFINITY),
  };
}

const reasonColumns: readonly Column[] = [
  text('Reason', 6),
  ...counts('Alarms'),
  ...['Share (%)', 'Cumulative (%)'].map((header): Column => ({ header, kind: 'share', weight: 1, plain: true })),
];

function reasonRows(reasons: readonly any[], most: number): Cell[][] {
  return paretoOf(reasons, most).map(({ name, alarms, share, cumulative: together }) => [
    name,
    alarms,
    roundPercent(share),
    roundPercent(together),
  ]);
}

/** Returns the filter parameters that the SQL functions expect after those of `scope`, in the same order. */
function alarmFilters({ parameters }: ReportContext): unknown[] {
  const { rule, reason, search, must, only, cause, severity, recipient } = parameters;
  return [rule, reason, search, must, only, cause, severity, recipient];
}

/**
 * Selects the columns of alarm `a`, with its asset and unit office. The time to acknowledge starts at the creation of
 * the alarm and not at its device time, because a device that uploads stored readings can open an alarm that is dated
 * days ago.
 */
const alarmColumns = `select a.created_at::text as at, a.uuid, a.date_time, a.severity, a.message, a.site_name,
  coalesce(nullif(a.asset_name, ''), t.name, '') as asset, g.name as office,
  extract(epoch from a.resolved_date - a.date_time)::float8 as lasted, a.acknowledge_json ->> 'name' as who, a.reason,
  extract(epoch from (a.acknowledge_json ->> 'at')::timestamptz - a.created_at)::float8 as acknowledged`;
const places = `left join tocsin.asset t on t.uuid = a.tocsin_asset_uuid left join tocsin.site s on s.uuid = a.tocsin_site_uuid
  left join tocsin.group g on g.uuid = s.tocsin_group5_uuid`;
const wanted = `from tocsin_private.reported_alarms($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) r join tocsin.alarm a on a.uuid = r.uuid ${places}
  where tocsin_private.check_range($1, $2)`;

const listOrders: Readonly<Record<(typeof alarmOrders)[number], string>> = {
  severity: 'a.severity',
  opened: 'a.date_time',
  message: 'a.message',
  site: 'a.site_name',
};

/** Reads alarms in the chosen sort order. By default, the newest alarm comes first, by time of creation. */
function alarmRows(context: ReportContext): Rows {
  const { parameters, query } = context;
  const values = [...scope(context), ...alarmFilters(context)];
  const chosen = alarmOrders.find((name) => name === parameters.sort?.column);
  if (chosen) {
    const order = `${listOrders[chosen]} ${parameters.sort?.descending ? 'desc' : 'asc'}, a.created_at desc, a.uuid`;
    return rowsByOrder(
      () => query(`select a.uuid ${wanted} order by ${order}`, values),
      (uuids) => query(`${alarmColumns} from ${joinUuids('tocsin.alarm a')} ${places} order by k.place`, [uuids]),
      alarmLine,
    );
  }
  return rowsByKey(
    (after, before, limit) =>
      query(
        `${alarmColumns} ${wanted} and r.created <= $13 and (r.created < $13 or r.uuid > $14::uuid) order by r.created desc, r.uuid limit $15`,
        [...values, before, after, limit],
      ),
    alarmLine,
  );
}

function alarmLine(row: any): Cell[] {
  return [
    row.date_time,
    severityNames[row.severity as Severity],
    row.message,
    row.site_name,
    row.asset,
    row.office ?? '',
    row.lasted,
    row.who ?? '',
    row.acknowledged,
    row.reason ?? '',
  ];
}

async function alarmFigures(context: ReportContext): Promise<KeyFigure[]> {
  const { scope: old } = previousPeriod(context);
  const ask = async (values: unknown[]) =>
    (
      await context.query('select * from tocsin.alarm_figures($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)', [
        ...values,
        ...alarmFilters(context),
      ])
    )[0];
  const [now, then] = [await ask(scope(context)), await ask(old)];
  const was = await previousValueWriter(context, then.alarms);
  const began = await firstSiteAt(context);
  const firstDay = began && dayOf(began, context.timeZone);
  const ofAlarms = (row: any) => ofAlarmsWords({ alarms: row.alarms, needNone: row.need_none }, 'en');
  return [
    {
      name: 'Alarms',
      value: count(now.alarms),
      unit: perDayWords(now.alarms, context.parameters.range, firstDay, dayOf(context.now, context.timeZone), 'en'),
      before: was(count(then.alarms)),
    },
    {
      name: 'Median duration',
      value: formatSeconds(now.median_seconds),
      before: was(formatSeconds(then.median_seconds)),
    },
    {
      name: '90th percentile duration',
      value: formatSeconds(now.p90_seconds),
      before: was(formatSeconds(then.p90_seconds)),
    },
    {
      name: 'Acknowledged',
      value: count(now.acknowledged),
      unit: ofAlarms(now),
      before: was(`${count(then.acknowledged)} ${ofAlarms(then)}`),
    },
    { name: 'Still open', value: count(now.still_open) },
  ];
}

/**
 * Loads alarm counts by day, reason, site and rule with one query. `most` limits the number of sites and rules; null
 * returns all of them.
 */
async function breakdownOf(
  context: ReportContext,
  most: number | null,
): Promise<Record<'days' | 'reasons' | 'sites' | 'rules', any[]>> {
  const [row] = await context.query(
    `select to_json(b.days) as days, to_json(b.reasons) as reasons, to_json(b.sites) as sites, to_json(b.rules) as rules
     from tocsin.alarm_breakdown($1, $2, $3, $4, $5, $6, $7, $8, must_acknowledge => $9, "only" => $10, cause => $11,
       of_severity => $12, to_recipient => $13, site_sort => $14, rule_sort => $15) b`,
    [
      ...[...scope(context), most, ...alarmFilters(context)],
      ...[listOrder(context.parameters.siteOrder, siteOrders), listOrder(context.parameters.ruleOrder, ruleOrders)],
    ],
  );
  return row;
}

/** Counts all sites and rules that have alarms, including those that the report does not list. */
async function countOffenders(context: ReportContext): Promise<AlarmingCounts> {
  const [row] = await context.query(
    'select * from tocsin.alarm_offenders($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)',
    [...scope(context), ...alarmFilters(context)],
  );
  return row;
}

function alarmPicture(context: ReportContext, days: any[]): Picture {
  const parts = severities.map((severity) => severityNames[severity]);
  const values = (row: any) => severities.map((severity) => row[severity]);
  return { ...dayBars('Alarms', parts, context.parameters, days, values), severities: true };
}
