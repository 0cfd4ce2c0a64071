import { withSite } from '../../../domain/alarm/texts.ts';
import type { AnswerAlarm } from '../../../domain/notification/answer-target.ts';
import type { MethodType } from '../../../domain/notification/methods.ts';
import { readPhoneNumber } from '../../../domain/notification/phone-number.ts';
import type { Transaction } from '../../platform/database.ts';
import { LINK_DAYS } from '../link.ts';

const DAY_MS = 86_400_000;

const RESOLVED = `to_char(a.resolved_date at time zone c.time_zone, 'YYYY-MM-DD HH24:MI')`;
const ACKNOWLEDGED = `case when a.acknowledge_json is not null then jsonb_build_object('name', a.acknowledge_json ->> 'name',
  'at', to_char((a.acknowledge_json ->> 'at')::timestamptz at time zone c.time_zone, 'YYYY-MM-DD HH24:MI')) end`;

/** An alarm of which a phone number was notified. */
export interface NotifiedAlarm extends AnswerAlarm {
  siteUuid: string | null;
  severity: string;
}

interface Row extends Omit<NotifiedAlarm, 'name'> {
  site: string;
  message: string;
  address: string;
  providerId: string;
}

export interface NotifiedOf {
  /** Everybody with the phone number, active or not: a notification to one of them reached the phone. */
  people: readonly string[];
  phone: string;
  provider: string;
  method: MethodType;
  /** The alarms of later notifications are left out: the person did not know of them. */
  before: Date;
  /** The provider's id of the message that the person quoted. */
  quoted: string | undefined;
}

/**
 * Returns the alarms of which a phone number was notified by a provider in the last seven days, the last notified one
 * first. With a quoted message, returns only its alarm.
 */
export async function loadNotifiedAlarms(tx: Transaction, asked: NotifiedOf): Promise<NotifiedAlarm[]> {
  const { rows } = await tx.query<Row>(
    // A message whose answer from the provider is still missing may already have reached the phone.
    `select a.uuid, a.tocsin_customer_uuid as "customerUuid", a.tocsin_site_uuid as "siteUuid", a.site_name as site, a.message,
       a.severity, ${RESOLVED} as resolved, ${ACKNOWLEDGED} as acknowledged, n.address, n.provider_id as "providerId"
     from tocsin.notification n join tocsin.alarm a on a.uuid = n.tocsin_alarm_uuid
       join tocsin.customer c on c.uuid = a.tocsin_customer_uuid
     where n.tocsin_user_uuid = any ($1::uuid[]) and n.notify_time > $4::timestamptz and n.notify_time <= $5::timestamptz
       and n.method_type = $2 and n.kind in ('alarm', 'escalation', 'reminder', 'health', 'action')
       and (n.provider = $3 or n.state = 'queued' and n.attempts > 0)
     order by n.notify_time desc, n.sequence_number desc`,
    [asked.people, asked.method, asked.provider, new Date(asked.before.getTime() - LINK_DAYS * DAY_MS), asked.before],
  );
  const found = new Map<string, NotifiedAlarm>();
  for (const { site, message, address, providerId, ...alarm } of rows) {
    if (readPhoneNumber(address) !== asked.phone || found.has(alarm.uuid)) continue;
    if (asked.quoted !== undefined && providerId !== asked.quoted) continue;
    found.set(alarm.uuid, { ...alarm, name: withSite(site, message) });
  }
  return [...found.values()];
}

/** Locks an alarm until the transaction ends, and returns it with its current state. */
export async function lockAlarm(tx: Transaction, alarm: NotifiedAlarm): Promise<NotifiedAlarm> {
  await tx.query('select from tocsin.alarm a where a.uuid = $1 for update', [alarm.uuid]);
  const { rows } = await tx.query<Pick<NotifiedAlarm, 'resolved' | 'acknowledged'>>(
    `select ${RESOLVED} as resolved, ${ACKNOWLEDGED} as acknowledged
     from tocsin.alarm a join tocsin.customer c on c.uuid = a.tocsin_customer_uuid where a.uuid = $1`,
    [alarm.uuid],
  );
  return { ...alarm, ...rows[0] };
}

/** Returns the reasons from which a person can choose. The caller sets the person's rights. */
export async function allowedReasons(tx: Transaction, alarm: string): Promise<string[]> {
  const { rows } = await tx.query<{ reason: string }>(
    'select r as reason from tocsin.alarm a cross join lateral tocsin.alarm_allowed_reasons(a) r where a.uuid = $1',
    [alarm],
  );
  return rows.map(({ reason }) => reason);
}
