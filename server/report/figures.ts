/** The key figures of a report, as its page shows them, with how they were in the days before. */
import { formatAge, formatSeconds } from '../../domain/age.ts';
import { costWords, type SmsPrice, writePrice } from '../../domain/money.ts';
import { plural } from '../../domain/plural.ts';
import { deliveryRate, deliverySums } from '../../domain/report/delivery.ts';
import { fateName } from '../../domain/report/fate.ts';
import {
  type Cell,
  comparedWith,
  formatShare,
  type HealthRow,
  share,
  sumRows,
  totalOf,
} from '../../domain/report/health.ts';
import { daysBeforeWords, rangeBefore } from '../../domain/report/range.ts';
import { deliveryBy, type ReportWork, scope as scopeOf, wantedMessages } from './lists.ts';
import { type KeyFigure, writeTime } from './table.ts';

const count = (number: number) => number.toLocaleString('en');
const percent = (cell: Cell) => (share(cell) === null ? '–' : `${formatShare(share(cell))} %`);

/** The range, the unit office and the site of the days before, and what to call them. */
function earlier({ asked: { range, office, site }, timeZone }: ReportWork) {
  const before = rangeBefore(range, timeZone);
  return {
    from: before.from,
    to: before.to,
    scope: [before.from, before.to, office, site === null ? null : [site]],
    words: daysBeforeWords(range, 'en'),
  };
}

export async function alarmFigures(work: ReportWork): Promise<KeyFigure[]> {
  const { scope, words } = earlier(work);
  const { rule, reason } = work.asked;
  const ask = async (values: unknown[]) =>
    (await work.query('select * from tocsin.alarm_figures($1, $2, $3, $4, $5, $6)', [...values, rule, reason]))[0];
  const [now, then] = [await ask(scopeOf(work)), await ask(scope)];
  const ofAll = (row: any) => `${count(row.acknowledged)} of ${count(row.alarms)}`;
  return [
    { name: 'Alarms', value: count(now.alarms), before: `${words} ${count(then.alarms)}` },
    {
      name: 'Lasted, middle case',
      value: formatSeconds(now.median_seconds),
      before: `${words} ${formatSeconds(then.median_seconds)}`,
    },
    {
      name: 'Nine of ten lasted at most',
      value: formatSeconds(now.p90_seconds),
      before: `${words} ${formatSeconds(then.p90_seconds)}`,
    },
    {
      name: 'Acknowledged',
      value: count(now.acknowledged),
      unit: `of ${count(now.alarms)}`,
      before: `${words} ${ofAll(then)}`,
    },
    { name: 'Still open', value: count(now.still_open) },
  ];
}

export async function acknowledgementFigures(work: ReportWork): Promise<KeyFigure[]> {
  const smsOnly = work.asked.by === 'office';
  const { scope, words } = earlier(work);
  const ask = async (values: unknown[]) =>
    (
      await work.query('select * from tocsin.acknowledgement_totals($1, $2, $5, $3, $4, $6)', [
        ...values,
        smsOnly,
        work.asked.person,
      ])
    )[0];
  const [now, then] = [await ask(scopeOf(work)), await ask(scope)];
  return [
    {
      name: smsOnly ? 'Alarm SMS acknowledged' : 'Alarm messages acknowledged',
      value: count(now.acknowledged),
      unit: `of ${count(now.messages)}`,
      before: `${words} ${count(then.acknowledged)} of ${count(then.messages)}`,
    },
    {
      name: 'Until acknowledged, middle case',
      value: formatSeconds(now.median_seconds),
      before: `${words} ${formatSeconds(then.median_seconds)}`,
    },
    {
      name: 'Nine of ten within',
      value: formatSeconds(now.p90_seconds),
      before: `${words} ${formatSeconds(then.p90_seconds)}`,
    },
  ];
}

/** Of the messages that the list shows. */
export async function deliveryFigures(work: ReportWork): Promise<KeyFigure[]> {
  const { scope, words } = earlier(work);
  const ask = async (values: unknown[]) => deliverySums(await work.query(deliveryBy(false), values));
  const narrowed = wantedMessages(work);
  const [now, then] = [await ask([...scopeOf(work), ...narrowed]), await ask([...scope, ...narrowed])];
  return [
    { name: 'Messages', value: count(now.messages), before: `${words} ${count(then.messages)}` },
    {
      name: 'Went out',
      value: deliveryRate(now),
      unit: `${count(now.sent + now.delivered)} sent or delivered`,
      before: `${words} ${deliveryRate(then)}`,
    },
    { name: 'Failed', value: count(now.failed), before: `${words} ${count(then.failed)}` },
    ...(now.kept + then.kept > 0
      ? [{ name: fateName('kept'), value: count(now.kept), before: `${words} ${count(then.kept)}` }]
      : []),
  ];
}

export async function smsFigures(work: ReportWork, rows: readonly any[], price: SmsPrice | null): Promise<KeyFigure[]> {
  const { from, to, words } = earlier(work);
  const before =
    work.asked.by === 'site'
      ? await work.query('select * from tocsin.sms_report_by_site($1, $2, $3)', [from, to, work.asked.office])
      : await work.query('select * from tocsin.sms_report_by_unit_office($1, $2)', [from, to]);
  const sum = (of: readonly any[], field: string): number => of.reduce((total, row) => total + row[field], 0);
  const both = (name: string, field: string) => ({
    name,
    value: count(sum(rows, field)),
    before: `${words} ${count(sum(before, field))}`,
  });
  return [
    both('Messages', 'sms_count'),
    both('Billed parts', 'eqs'),
    { ...both('About alarms', 'alarm_sms'), unit: `of ${count(sum(rows, 'sms_count'))}` },
    ...(price
      ? [
          {
            name: 'Cost',
            value: costWords(sum(rows, 'eqs'), price, 'en'),
            unit: `at ${writePrice(price, 'en')} a part`,
            before: `${words} ${costWords(sum(before, 'eqs'), price, 'en')}`,
          },
        ]
      : []),
  ];
}

/** Of a site, whose gaps come longest first. */
export function gapFigures(gaps: readonly any[], lastContact: Date | null, timeZone: string): KeyFigure[] {
  const [longest] = gaps;
  return [
    { name: 'Gaps', value: count(gaps.length) },
    { name: 'Slots without anything', value: count(gaps.reduce((sum, { slots }) => sum + slots, 0)) },
    {
      name: 'Longest gap',
      value: longest ? formatAge(longest.gap_to.getTime() - longest.gap_from.getTime()) : 'none',
    },
    { name: 'Last contact', value: lastContact ? writeTime(lastContact, timeZone).slice(0, 16) : 'never' },
  ];
}

export interface Month {
  name: string;
  cell: Cell;
}

/** `before` are the rows of the twelve weeks before; `months` the last whole one and the one before it. */
export function healthFigures(
  rows: readonly HealthRow[],
  before: readonly HealthRow[],
  bySite: boolean,
  months: { last: Month; old: Month },
): KeyFigure[] {
  const total = totalOf(sumRows(rows));
  const old = comparedWith(total, totalOf(sumRows(before)));
  const under = rows.filter((row) => (share(totalOf(row)) ?? 100) < 97).length;
  return [
    {
      name: 'Received of expected',
      value: percent(total),
      unit: `${count(total.received)} of ${count(total.expected)} ${plural(total.expected, 'slot')}`,
      before: `12 weeks before ${percent(old)}`,
    },
    {
      name: `Received in ${months.last.name}`,
      value: percent(months.last.cell),
      unit: `${count(months.last.cell.received)} of ${count(months.last.cell.expected)} ${plural(months.last.cell.expected, 'slot')}`,
      before: `${months.old.name} ${percent(months.old.cell)}`,
    },
    {
      name: bySite ? 'Sites under 97 %' : 'Unit offices under 97 %',
      value: count(under),
      unit: `of ${count(rows.length)}`,
    },
  ];
}
