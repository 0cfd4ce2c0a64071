import { columnDecimals, costOf, costWords, type SmsPrice, writePrice } from '../../domain/money.ts';
import { sortRows } from '../../domain/order.ts';
import { emptyReason } from '../../domain/report/compare.ts';
import { orderWords, smsOrders } from '../../domain/report/list-order.ts';
import type { Orders, ReportContext } from './context.ts';
import { dayBars } from './day-bars.ts';
import { count, firstSiteAt, previousPeriod, previousValueWriter } from './figures.ts';
import { counts, type KeyFigure, type ReportContent, text } from './table.ts';

const smsParts = ['Alarm', 'Health', 'Resolve', 'Other'] as const;

const smsOrder: Orders<(typeof smsOrders)[number]> = {
  name: (row) => row.name,
  alarm: (row) => row.alarm_sms,
  health: (row) => row.health_sms,
  resolve: (row) => row.resolve_sms,
  other: (row) => row.other_sms,
  messages: (row) => row.sms_count,
  segments: (row) => row.eqs,
  cost: (row) => row.eqs,
};

export async function sms(context: ReportContext): Promise<ReportContent> {
  const { parameters } = context;
  const bySite = parameters.by === 'site';
  const { from, to } = parameters.range;
  const found = bySite
    ? await context.query('select *, site_name as name from tocsin.sms_report_by_site($1, $2, $3)', [
        from,
        to,
        parameters.office,
      ])
    : await context.query('select *, uo_name as name from tocsin.sms_report_by_unit_office($1, $2)', [from, to]);
  const [{ sms_price: price, sms_currency: currency }] = await context.query(
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
  const rows = sortRows(most, parameters.order, smsOrder);
  const total = priced(
    [0, 1, 2, 3, 4, 5].map((place) => rows.reduce((sum, row) => sum + (figures(row)[place] as number), 0)),
  );
  const why = emptyReason(
    parameters.range,
    { since: await firstSiteAt(context), isFuture: from > context.now },
    context.timeZone,
  );
  const nothing = why !== '' && rows.every((row) => row.sms_count === 0) ? why : undefined;
  return {
    title: bySite ? 'SMS by site' : `SMS by ${context.office.one}`,
    rowsBy: true,
    order: orderWords(parameters.order, smsOrders, 'with the most messages first'),
    columns: [
      text(bySite ? 'Site' : context.office.title, 3),
      ...(bySite ? [text('Site ID')] : []),
      ...counts(...smsParts, 'Messages', 'Billed segments'),
      ...(price === null
        ? []
        : [
            {
              header: `Cost (${currency})`,
              kind: 'money',
              currency,
              figures: columnDecimals({ price, currency }),
              weight: 1.4,
            } as const,
          ]),
    ],
    rows: nothing ? [] : rows.map((row) => [row.name, ...(bySite ? [row.site_id] : []), ...priced(figures(row))]),
    nothing,
    total: nothing ? undefined : [bySite ? 'All sites' : context.office.all, ...(bySite ? [''] : []), ...total],
    picture: async () => {
      const days = await context.query('select * from tocsin.sms_by_day($1, $2, $3)', [
        from,
        to,
        bySite ? parameters.office : null,
      ]);
      return dayBars('SMS', smsParts, parameters, days, (row) => figures(row).slice(0, 4));
    },
    figures: () => smsFigures(context, found, price === null ? null : { price, currency }),
  };
}

/**
 * Returns the used share of the company's budget, for each period that has a budget. Returns an empty list for
 * operators.
 */
async function budgetFigures(context: ReportContext): Promise<KeyFigure[]> {
  const [company] = await context.query('select * from tocsin.sms_budgets() where unit_office_uuid is null', []);
  if (!company) return [];
  const figure = (name: string, used: number, limit: number | null): KeyFigure[] =>
    limit === null ? [] : [{ name, value: count(used), unit: `of ${count(limit)} segments` }];
  return [
    ...figure('Budget used today', company.day_used, company.day_budget),
    ...figure('Budget used this month', company.month_used, company.month_budget),
  ];
}

async function smsFigures(context: ReportContext, rows: readonly any[], price: SmsPrice | null): Promise<KeyFigure[]> {
  const { from, to } = previousPeriod(context);
  const before =
    context.parameters.by === 'site'
      ? await context.query('select * from tocsin.sms_report_by_site($1, $2, $3)', [
          from,
          to,
          context.parameters.office,
        ])
      : await context.query('select * from tocsin.sms_report_by_unit_office($1, $2)', [from, to]);
  const sum = (of: readonly any[], field: string): number => of.reduce((total, row) => total + row[field], 0);
  const was = await previousValueWriter(context, sum(before, 'sms_count'));
  const both = (name: string, field: string) => ({
    name,
    value: count(sum(rows, field)),
    before: was(count(sum(before, field))),
  });
  return [
    both('Messages', 'sms_count'),
    both('Billed segments', 'eqs'),
    { ...both('About alarms', 'alarm_sms'), unit: `of ${count(sum(rows, 'sms_count'))}` },
    ...(price
      ? [
          {
            name: 'Cost',
            value: costWords(sum(rows, 'eqs'), price, 'en'),
            unit: `at ${writePrice(price, 'en')} per segment`,
            before: was(costWords(sum(before, 'eqs'), price, 'en')),
          },
        ]
      : []),
    ...(await budgetFigures(context)),
  ];
}
