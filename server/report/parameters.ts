import { readSort, type Sort } from '../../domain/order.ts';
import { narrowRange, readBetween } from '../../domain/report/between.ts';
import { type HealthPeriod, healthOrders, healthPeriods } from '../../domain/report/health.ts';
import {
  acknowledgementOrders,
  alarmOrders,
  deliveryOrders,
  gapOrders,
  methodOrders,
  personOrders,
  recipientOrders,
  ruleOrders,
  siteOrders,
  smsOrders,
} from '../../domain/report/list-order.ts';
import { type PerformanceFilter, performanceFilters, readPerformanceFilter } from '../../domain/report/performance.ts';
import { dayOf, presets, type ReportRange, readRange } from '../../domain/report/range.ts';
import { mustAcknowledgeFilter, reasonFilter } from '../../domain/report/reason.ts';
import { messageKinds, readStateFilter, type StateFilter, stateFilters } from '../../domain/report/shown-state.ts';
import { type Severity, severities } from '../../domain/rule/priority.ts';
import { HttpRefusal } from '../auth/errors.ts';

/** Parameters of a report, parsed from the URL. */
export interface ReportParameters {
  range: ReportRange;
  /** Last day of the health report; today by default. */
  until: Date;
  /** The day of `until` in the customer's time zone, such as `2026-10-25`. */
  untilDay: string;
  /** True if `until` is a day in the past. */
  untilIsOver: boolean;
  by: 'office' | 'site';
  /** Period that each column of the health report covers. */
  each: HealthPeriod;
  office: string | null;
  site: string | null;
  /** Selects alarms of this rule. */
  rule: string | null;
  /** Selects alarms with this reason; '' selects alarms without a reason. */
  reason: string | null;
  /**
   * Selects alarms that must be acknowledged. If `reason` is '', selects those of them that nobody has acknowledged.
   */
  must: true | null;
  /** Exact times to which `range` was narrowed; null if `range` covers whole days. */
  between: { from: Date; to: Date } | null;
  /** Selects the alarms that one figure of the performance report counts. */
  only: PerformanceFilter | null;
  /** Narrows `only` to alarms about which nobody was notified for this reason. */
  cause: string | null;
  severity: Severity | null;
  /** Selects alarms whose recipients included this person (a uuid) when the alarm opened. */
  recipient: string | null;
  method: number | null;
  /** Selects messages in this state. */
  state: StateFilter | null;
  /** Selects messages of this type: alarm, health, resolve or other. */
  kind: number | null;
  /** Selects messages sent to this recipient. */
  person: string | null;
  search: string | null;
  /**
   * Sort order of the table by person; in reports without that table, of the main table. Null for the default order.
   */
  order: Sort | null;
  /** Sort order of the table by method; null for the default order. */
  wayOrder: Sort | null;
  /** Sort order of the table by site; null for the default order. */
  siteOrder: Sort | null;
  /** Sort order of the table by rule; null for the default order. */
  ruleOrder: Sort | null;
  /** Sort order of the list of alarms or messages; null for the default order. */
  sort: Sort | null;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const rows = ['office', 'site'];
const rangeNames = ['range', 'from', 'to'];
const names = [
  ...rangeNames,
  ...['until', 'each', 'by', 'office', 'site', 'rule', 'reason', 'method', 'state', 'kind', 'person', 'q'],
  ...['only', 'cause', 'severity', 'recipient', 'between'],
  ...['order', 'wayOrder', 'siteOrder', 'ruleOrder', 'sort'],
];

/**
 * Valid sort columns, by report and parameter. A report ignores sort parameters for tables that it does not have,
 * because the console keeps these parameters when the user opens another report.
 */
const orders: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  health: { order: Object.keys(healthOrders) },
  'health-gaps': { order: gapOrders },
  sms: { order: smsOrders },
  alarms: { sort: alarmOrders, siteOrder: siteOrders, ruleOrder: ruleOrders },
  'alarms-by-site': { siteOrder: siteOrders },
  acknowledgements: { sort: acknowledgementOrders, order: recipientOrders },
  'acknowledgements-by-person': { order: recipientOrders },
  delivery: { sort: deliveryOrders, order: personOrders, wayOrder: methodOrders },
  'delivery-by-person': { order: personOrders },
};

/**
 * Rejects unknown parameters. If a misspelled filter were ignored, the report would contain rows that the user did not
 * want.
 */
export function rejectUnknownParameters(report: string, query: Readonly<Record<string, unknown>>): void {
  const unknown = Object.keys(query).find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new HttpRefusal(400, `Reports have no parameter "${unknown.slice(0, 50)}". Use ${names.join(', ')}.`);
  if (report.startsWith('health') && rangeNames.some((name) => query[name]))
    throw new HttpRefusal(
      400,
      'The health report covers twelve weeks, or twelve months with "each" set to month. Set "until" to the last day instead of giving a range.',
    );
  const hasAllPlaces = report === 'health' || report === 'sms';
  if (hasAllPlaces && query.site)
    throw new HttpRefusal(
      400,
      'This report cannot be limited to one site. Remove "site". For one row per site, set "by" to site.',
    );
  if (hasAllPlaces && query.office && query.by !== 'site')
    throw new HttpRefusal(
      400,
      'A report by unit office always includes all unit offices. To list the sites of one unit office, also set "by" to site.',
    );
  for (const [name, columns] of Object.entries(orders[report] ?? {})) {
    const chosen = query[name];
    if (typeof chosen === 'string' && chosen && !columns.includes(readSort(chosen)?.column ?? ''))
      throw new HttpRefusal(
        400,
        `Set "${name}" to one of ${columns.join(', ')}. A minus before the column reverses the order.`,
      );
  }
}

export function readParameters(
  query: Readonly<Record<string, unknown>>,
  now: Date,
  timeZone: string,
): ReportParameters {
  const text = (name: string) => {
    const value = query[name];
    if (value === undefined || value === '') return undefined;
    if (typeof value !== 'string' || value.length > 200)
      throw new HttpRefusal(400, `Specify "${name}" only once, with at most 200 characters.`);
    return value;
  };
  const key = (name: string, noun: string) => {
    const value = text(name);
    if (value !== undefined && !UUID.test(value))
      throw new HttpRefusal(400, `There is no such ${noun}. Choose one in the report.`);
    return value ?? null;
  };
  const preset = text('range');
  if (preset !== undefined && !presets.some((known) => known === preset))
    throw new HttpRefusal(400, `Set "range" to one of ${presets.join(', ')}, or specify "from" and "to".`);
  const reading = readRange({ range: preset, from: text('from'), to: text('to') }, now, timeZone);
  if (!reading.ok) throw new HttpRefusal(400, reading.sentence);
  const until = readUntil(text('until'), now, timeZone);
  const method = text('method');
  if (method !== undefined && !/^[1-4]$/.test(method))
    throw new HttpRefusal(400, 'Set "method" to 1 (e-mail), 2 (WhatsApp), 3 (SMS) or 4 (app push).');
  const filter = text('state');
  const state = readStateFilter(filter);
  if (filter !== undefined && state === undefined)
    throw new HttpRefusal(400, `Set "state" to one of ${stateFilters.join(', ')}.`);
  const kind = text('kind');
  if (kind !== undefined && !Object.hasOwn(messageKinds, kind))
    throw new HttpRefusal(400, 'Set "kind" to 1 (alarm), 2 (health), 3 (resolve) or 4 (other).');
  const figure = text('only');
  const only = readPerformanceFilter(figure);
  if (figure !== undefined && only === undefined)
    throw new HttpRefusal(400, `Set "only" to one of ${performanceFilters.join(', ')}.`);
  const severityName = text('severity');
  const severity = severities.find((name) => name === severityName);
  if (severityName !== undefined && severity === undefined)
    throw new HttpRefusal(400, `Set "severity" to one of ${severities.join(', ')}.`);
  const interval = text('between');
  const between = readBetween(interval);
  if (interval !== undefined && between === undefined)
    throw new HttpRefusal(
      400,
      'Set "between" to two times, such as 2026-03-02T05:40:00Z/2026-03-02T06:30:00Z. The second one must be later.',
    );
  const by = text('by') ?? 'office';
  if (!rows.includes(by)) throw new HttpRefusal(400, `Set "by" to ${rows.join(' or ')}.`);
  const each = text('each') ?? 'week';
  const period = healthPeriods.find((known) => known === each);
  if (period === undefined) throw new HttpRefusal(400, `Set "each" to ${healthPeriods.join(' or ')}.`);
  return {
    range: narrowRange(reading.range, between),
    between: between ?? null,
    until,
    untilDay: dayOf(until, timeZone),
    untilIsOver: until < now,
    by: by === 'site' ? 'site' : 'office',
    each: period,
    office: key('office', 'unit office'),
    site: key('site', 'site'),
    rule: key('rule', 'rule'),
    reason: reasonFilter(text('reason')),
    must: mustAcknowledgeFilter(text('reason')),
    only: only ?? null,
    cause: text('cause') ?? null,
    severity: severity ?? null,
    recipient: key('recipient', 'recipient'),
    method: method === undefined ? null : Number(method),
    state: state ?? null,
    kind: kind === undefined ? null : Number(kind),
    person: text('person') ?? null,
    search: text('q') ?? null,
    order: readSort(text('order')),
    wayOrder: readSort(text('wayOrder')),
    siteOrder: readSort(text('siteOrder')),
    ruleOrder: readSort(text('ruleOrder')),
    sort: readSort(text('sort')),
  };
}

function readUntil(day: string | undefined, now: Date, timeZone: string): Date {
  const today = dayOf(now, timeZone);
  if (day === undefined || day === today) return now;
  const reading = readRange({ from: day, to: day }, now, timeZone);
  if (!reading.ok) throw new HttpRefusal(400, 'Enter the day as year-month-day, such as 2026-03-01.');
  if (day > today) throw new HttpRefusal(400, 'This day is in the future. Choose today, or a day before it.');
  return reading.range.from;
}
