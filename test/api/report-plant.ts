/**
 * A small plant with generated history for report tests, and simple reference computations of its figures. Its twelve
 * weeks include the end of daylight saving time and the end of a year.
 */
import type { Database } from '../../server/platform/database.ts';
import {
  createCustomer,
  createUser,
  insertRow,
  linkUser,
  serviceQuery,
  type UserRow,
} from '../harness/database/factories.ts';
import { PASSWORD } from '../harness/server/app.ts';

const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
export const ZONE = 'Europe/Berlin';
/** Wednesday, 14 January 2026, 11:20 in Berlin. */
export const NOW = new Date('2026-01-14T10:20:00Z');

export interface ReportSite {
  uuid: string;
  name: string;
  office: string | null;
  hours: number;
  created: number;
  /** Start times of the health slots in which the site sent data. */
  slots: Set<number>;
}

export interface ReportMessage {
  uuid: string;
  site: string | null;
  alarm: string | null;
  person: string;
  method: number;
  type: number;
  state: 'queued' | 'sent' | 'delivered' | 'failed';
  /** `some` if a provider was configured for the method, otherwise `outbox`. */
  provider: 'some' | 'outbox';
  segments: number;
  at: number;
  out: number | null;
  ack: number | null;
  ackBy: string | null;
}

export interface ReportAlarm {
  uuid: string;
  site: string;
  rule: string;
  severity: string;
  created: number;
  opened: number;
  resolved: number | null;
  reason: string | null;
}

export interface ReportPlant {
  customer: { uuid: string };
  owner: UserRow;
  /** An operator with access to the first site only. */
  operator: UserRow;
  offices: { uuid: string; name: string }[];
  sites: ReportSite[];
  messages: ReportMessage[];
  alarms: ReportAlarm[];
}

/** Returns a generator of seeded random numbers. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const people = ['Aoife Byrne', 'Ben Okafor', '=HYPERLINK("x")', 'محمد علي', '北京 泵站'];
const reasons = ['Pump blocked', 'Power failure', 'Test', null, null];

/**
 * Adds `rules` alarms at the first site, each of a different rule. These alarms are much older than all other alarms.
 */
export async function addManyRules(db: Database, plant: ReportPlant, rules: number): Promise<void> {
  await serviceQuery(
    db,
    `insert into tocsin.alarm (tocsin_customer_uuid, tocsin_site_uuid, site_name, rule_uuid, rule_name, severity, message, date_time,
       resolved_date, created_at)
     select $1, $2, 'Quay 1', gen_random_uuid(), 'Many ' || number, 'minor', 'Many ' || number, '2024-06-03T12:00Z', '2024-06-03T13:00Z',
       '2024-06-03T12:00Z'
     from generate_series(1, $3::integer) number`,
    [plant.customer.uuid, plant.sites[0]?.uuid, rules],
  );
}

export async function buildReportPlant(db: Database): Promise<ReportPlant> {
  const random = numbers(7);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const uuid = () =>
    `00000000-0000-4000-8000-${Math.floor(random() * 2 ** 48)
      .toString(16)
      .padStart(12, '0')}`;
  const customer = await createCustomer(db, { timeZone: ZONE });
  const person = (level: number) => createUser(db, { customer, level, password: PASSWORD });
  const own = { tocsin_customer_uuid: customer.uuid };
  const offices = [];
  for (const name of ['Harbour', '+Ridge'])
    offices.push(await insertRow(db, 'tocsin.group', { ...own, level: 5, name }));
  await insertRow(db, 'tocsin.group', { ...own, level: 5, name: 'Empty office' });
  const start = NOW.getTime() - 100 * DAY;
  const plans = [
    { name: 'Quay 1', office: offices[0], hours: 1, created: start },
    { name: '=1+2', office: offices[0], hours: 6, created: start },
    { name: 'מגדל מים', office: offices[1], hours: 24, created: start },
    { name: '水塔', office: offices[1], hours: 5, created: NOW.getTime() - 20.3 * DAY },
    { name: 'Alone', office: null, hours: 168, created: start },
  ];
  const sites: ReportSite[] = [];
  for (const [index, { name, office, hours, created }] of plans.entries()) {
    const row = await insertRow(db, 'tocsin.site', {
      ...own,
      ...{ site_id: `S-${index}`, name, tocsin_group5_uuid: office?.uuid, tocsin_health_duration_hours: hours },
      created_at: new Date(created),
    });
    const slots = new Set<number>();
    const length = hours * HOUR;
    for (let at = Math.floor((created - 3 * length) / length) * length; at <= NOW.getTime(); at += length) {
      if (random() < 0.85) slots.add(at);
    }
    await serviceQuery(
      db,
      `insert into tocsin.health_slot (tocsin_site_uuid, tocsin_customer_uuid, slot_start)
       select $1, $2, to_timestamp(at / 1000.0) from unnest($3::float8[]) at`,
      [row.uuid, customer.uuid, [...slots]],
    );
    sites.push({ uuid: row.uuid, name, office: office?.uuid ?? null, hours, created, slots });
  }

  const alarms: ReportAlarm[] = Array.from({ length: 300 }, () => {
    const opened = Math.floor(start + random() * 99 * DAY);
    const site = pick(sites);
    return {
      uuid: uuid(),
      site: site.uuid,
      rule: `00000000-0000-4000-9000-00000000000${1 + Math.floor(random() * 4)}`,
      severity: pick(['critical', 'major', 'minor', 'silent']),
      opened,
      created: opened + Math.floor(random() * 5000),
      resolved: random() < 0.9 ? opened + Math.floor(random() * 2 * DAY) : null,
      reason: pick(reasons),
    };
  });
  await serviceQuery(
    db,
    `insert into tocsin.alarm (uuid, tocsin_customer_uuid, tocsin_site_uuid, site_name, asset_name, rule_uuid, rule_name, severity, message,
       date_time, resolved_date, created_at, reason, acknowledge_json)
     select a.uuid, $1, a.site, s.name, case when a.rule::text like '%2' then 'Motor' else '' end, a.rule,
       'Rule ' || right(a.rule::text, 1), a.severity, 'Alarm ' || a.uuid, to_timestamp(opened / 1000), to_timestamp(resolved / 1000),
       to_timestamp(created / 1000), a.reason, case when a.reason is not null then '{}'::jsonb end
     from json_to_recordset($2) as a (uuid uuid, site uuid, rule uuid, severity text, opened float8, created float8, resolved float8, reason text)
     join tocsin.site s on s.uuid = a.site`,
    [customer.uuid, JSON.stringify(alarms)],
  );

  const messages: ReportMessage[] = Array.from({ length: 900 }, (_, index) => {
    const at = Math.floor(start + random() * 99 * DAY);
    const state = pick(['queued', 'sent', 'delivered', 'delivered', 'failed'] as const);
    const method = pick([1, 2, 3, 3, 3, 4]);
    const ack = random() < 0.5 ? at + Math.floor(random() * 3 * HOUR) : null;
    return {
      uuid: uuid(),
      site: random() < 0.95 ? pick(sites).uuid : null,
      alarm: null,
      person: pick(people),
      method,
      type: pick([1, 1, 2, 3, 4]),
      state,
      provider: state === 'sent' && index % 3 === 0 ? 'outbox' : 'some',
      segments: method === 3 ? 1 + Math.floor(random() * 4) : 0,
      at,
      // Some messages are accepted by the provider, but a later receipt reports that their delivery failed.
      out:
        state === 'sent' || state === 'delivered'
          ? at + Math.floor(random() * 60_000)
          : failedLate(state, index)
            ? at
            : null,
      ack,
      // The last person in the list acknowledges no alarm.
      ackBy: ack === null ? null : pick(people.slice(0, 4)),
    };
  });
  await serviceQuery(
    db,
    `insert into tocsin.notification (uuid, tocsin_customer_uuid, tocsin_site_uuid, recipient_name, address, method_type, message_type,
       notify_message, notify_time, state, provider, segments, sent_at, delivered_at, ack_time, ack_by_recipient_name)
     select uuid, $1, site, person, '+490000', method, type, 'Message ' || uuid, to_timestamp(at / 1000), state, provider, segments, to_timestamp("out" / 1000),
       case when state = 'delivered' then to_timestamp("out" / 1000) end, to_timestamp(ack / 1000), "ackBy"
     from json_to_recordset($2) as m (uuid uuid, site uuid, person text, method int, type int, at float8, state text, provider text, segments int, "out" float8,
       ack float8, "ackBy" text)`,
    [customer.uuid, JSON.stringify(messages)],
  );
  const [owner, operator] = [await person(0), await person(20)];
  await linkUser(db, operator, { ...sites[0], tocsin_customer_uuid: customer.uuid, site_id: '' } as never);
  return { customer, owner, operator, offices, sites, messages, alarms };
}

const failedLate = (state: string, index: number) => state === 'failed' && index % 2 === 0;

/** Returns the state that the report shows: `kept` for a message in the outbox. */
export function shownStateOf({ state, provider }: ReportMessage): string {
  return state === 'sent' && provider === 'outbox' ? 'kept' : state;
}

/** Returns whether the message was sent or delivered. Messages in the outbox do not count. */
export function wentOut(message: ReportMessage): boolean {
  return ['sent', 'delivered'].includes(shownStateOf(message));
}

/** Returns whether a provider accepted the message, even if delivery failed later. */
export function wasTaken(message: ReportMessage): boolean {
  return message.out !== null && message.provider !== 'outbox';
}

/** Returns the discrete 90th percentile, which is always an element of `values`. */
export function nineOfTen(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(0.9 * sorted.length) - 1)] ?? null;
}

/** Returns a continuous percentile with linear interpolation. */
export function percentile(values: readonly number[], share: number): number | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const place = share * (sorted.length - 1);
  const low = sorted[Math.floor(place)] as number;
  const high = sorted[Math.ceil(place)] as number;
  return low + (high - low) * (place - Math.floor(place));
}

/** Counts the received and expected slots of a site in a range, slot by slot. */
export function countSlots(site: ReportSite, from: number, to: number): { received: number; expected: number } {
  const length = site.hours * HOUR;
  let received = 0;
  let expected = 0;
  for (let at = Math.floor(from / length) * length; at < to; at += length) {
    if (at < from || at + length <= site.created || at > NOW.getTime()) continue;
    const arrived = site.slots.has(at);
    if (arrived) received += 1;
    if (arrived || (at >= site.created && at + length <= NOW.getTime())) expected += 1;
  }
  return { received, expected };
}

/** Returns the date in the customer's time zone, such as `2025-10-26`. */
export function localDay(at: number): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: ZONE, dateStyle: 'short' }).format(at);
}
