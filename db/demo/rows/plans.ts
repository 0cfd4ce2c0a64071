/** Maintenance windows and dependencies, so that a new user sees both. */
import { type MaintenancePlan, planAhead } from '../../../domain/maintenance/plan.ts';
import type { Recurrence } from '../../../domain/maintenance/recurrence.ts';
import { dayAfter } from '../../../domain/maintenance/words.ts';
import { localTime } from '../../../domain/week.ts';
import type { AlarmEvent } from '../history/alarms.ts';
import type { Span } from '../history/history.ts';
import { timeZone } from '../plant/names.ts';
import { alarmsOf, type Site } from '../plant/plant.ts';
import { uuidOf } from '../random.ts';
import type { Rows } from './config.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

interface Work {
  name: string;
  /** Name of the asset; undefined for the whole site. */
  asset?: string;
  when: Partial<typeof once>;
  /** True for work in the past, at a time without an alarm. */
  isPast?: true;
}

const once: Omit<Recurrence, 'firstDay'> = {
  repeats: 'once',
  ...{ lastDay: null, fromTime: '09:00', toTime: '15:00', days: 0, weekday: null, week: null, dayOfMonth: null },
};

/** Planned work, keyed by site. */
const work: Readonly<Record<string, Work>> = {
  'Canal Head PS': {
    name: 'Generator test',
    when: { repeats: 'weekly', weekday: 3, fromTime: '06:00', toTime: '06:30' },
  },
  'Brackenhall WTW': {
    name: 'Chlorine analyser service',
    asset: 'Contact tank',
    when: { repeats: 'monthly-weekday', week: 1, weekday: 2, fromTime: '08:00', toTime: '12:00' },
  },
  'Fennel Road SPS': { name: 'Panel change', when: {}, isPast: true },
};

/** Rules that depend on a digital alarm of their site, keyed by site. */
const rulesWithCause: Readonly<Record<string, { rules: readonly string[]; cause: string }>> = {
  'Lowmarsh SPS 4': { rules: ['Wet well level high', 'Battery voltage low'], cause: 'Mains power lost' },
};

/** Sites whose devices send through the gateway of another site, which the demo inserts earlier. */
const gateways: Readonly<Record<string, string>> = { 'Hagg Wood Booster': 'Upper Fell Repeater' };

/** Adds the planned work and the dependencies of a site. None of them concerns an alarm of the history. */
export function addPlans(
  rows: Rows,
  seed: string,
  site: Site,
  events: readonly AlarmEvent[],
  siteUuid: (name: string) => string | undefined,
  span: Span,
): void {
  const planned = work[site.name];
  if (planned?.isPast) addPastWindow(rows, seed, site, planned, events, span);
  else if (planned) addWindow(rows, seed, site, planned, span);
  addDependencies(rows, seed, site, siteUuid, span);
}

function dayOf(at: number): string {
  const { year, month, day } = localTime(new Date(at), timeZone);
  return new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);
}

/** Adds a window that begins tomorrow at the earliest. An earlier one would have to suppress alarms of the history. */
function addWindow(rows: Rows, seed: string, site: Site, planned: Work, span: Span): void {
  const recurrence = { ...once, ...planned.when, firstDay: dayAfter(dayOf(span.now), 1) };
  addRows(rows, seed, site, planned, recurrence, planAhead(recurrence, timeZone, span.now), span.now - 2 * DAY);
}

/** Adds a window of the last weeks. No alarm of the site was open meanwhile. */
function addPastWindow(
  rows: Rows,
  seed: string,
  site: Site,
  planned: Work,
  events: readonly AlarmEvent[],
  span: Span,
): void {
  for (let ago = 5; ago < 26; ago++) {
    const recurrence = { ...once, ...planned.when, firstDay: dayAfter(dayOf(span.now), -ago) };
    const plan = planAhead(recurrence, timeZone, span.now - 30 * DAY);
    const [occurrence] = plan.occurrences;
    if (occurrence === undefined) continue;
    const { startsAt, endsAt } = occurrence;
    if (events.some(({ openedAt, resolvedAt }) => openedAt < endsAt && (resolvedAt ?? span.now) > startsAt)) continue;
    addRows(rows, seed, site, planned, recurrence, plan, startsAt - 3 * DAY, endsAt);
    return;
  }
}

function addRows(
  rows: Rows,
  seed: string,
  site: Site,
  { name, asset: assetName }: Work,
  recurrence: Recurrence,
  { occurrences, until }: MaintenancePlan,
  createdAt: number,
  endedAt: number | null = null,
): void {
  const { customer } = site;
  const asset = site.assets.find((one) => one.name === assetName);
  const planner = customer.people.find((person) => person.level === 5 && !person.partnerAccount);
  const window = uuidOf(seed, 'maintenance', site.uuid);
  const target = asset?.uuid ?? site.uuid;
  rows.maintenanceWindow.push({
    ...{
      uuid: window,
      tocsin_customer_uuid: customer.uuid,
      name,
      scope: asset ? 'asset' : 'site',
      target_uuid: target,
    },
    ...{ tocsin_site_uuid: site.uuid, target_name: asset?.name ?? site.name, site_name: site.name },
    ...{ suppresses: 'notifications', repeats: recurrence.repeats },
    ...{ first_day: recurrence.firstDay, from_time: recurrence.fromTime, to_time: recurrence.toTime },
    ...{ weekday: recurrence.weekday, week: recurrence.week },
    ...{ tocsin_user_uuid: planner?.uuid ?? null, user_name: planner?.name ?? 'Tocsin' },
    ...{ created_at: createdAt, updated_at: createdAt, planned_until: until },
    ...{ ended_at: endedAt, ended_how: endedAt === null ? null : 'over' },
  });
  for (const { startsAt, endsAt } of occurrences) {
    rows.maintenanceOccurrence.push({
      ...{ uuid: uuidOf(window, startsAt), tocsin_customer_uuid: customer.uuid },
      ...{ tocsin_maintenance_window_uuid: window, target_uuid: target, starts_at: startsAt, ends_at: endsAt },
      ...{ begun_at: endedAt === null ? null : startsAt, is_done: endedAt !== null },
    });
  }
}

function addDependencies(
  rows: Rows,
  seed: string,
  site: Site,
  siteUuid: (name: string) => string | undefined,
  span: Span,
): void {
  const made = { tocsin_customer_uuid: site.customer.uuid, created_at: span.now };
  const none = { tocsin_rule_uuid: null, tocsin_site_uuid: null, cause_datapoint_uuid: null, cause_site_uuid: null };
  const alarmOf = (name: string) => alarmsOf(site).find(({ alarm }) => alarm.name === name);
  const { rules = [], cause } = rulesWithCause[site.name] ?? {};
  for (const rule of rules) {
    const uuid = uuidOf(seed, 'dependency', site.uuid, rule);
    rows.dependency.push({
      ...{ ...none, ...made, uuid },
      ...{ tocsin_rule_uuid: alarmOf(rule)?.alarm.ruleUuid, cause_datapoint_uuid: alarmOf(cause ?? '')?.point.uuid },
    });
  }
  const gateway = siteUuid(gateways[site.name] ?? '');
  if (gateway === undefined) return;
  const uuid = uuidOf(seed, 'dependency', site.uuid);
  rows.dependency.push({ ...none, ...made, uuid, tocsin_site_uuid: site.uuid, cause_site_uuid: gateway });
}
