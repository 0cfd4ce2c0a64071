import { METHOD, type MethodType } from '../../../domain/notification/methods.ts';
import { smsSegments } from '../../../domain/sms.ts';
import { DEFAULT_CUSTOMER } from '../../auth/customer.ts';
import { randomUuid } from '../../platform/clock.ts';
import type { Transaction } from '../../platform/database.ts';

/**
 * Most confirmations in an hour. A phone that answers by itself, or a stranger, cannot make Tocsin send many messages.
 * Confirmations of understood answers have the highest limit.
 */
const LIMITS = { known: 20, unclear: 3, unknown: 20 } as const;

/** A number that belongs to no active user gets one confirmation a day. */
const UNKNOWN_HOURS = 24;

export interface Confirmation {
  phone: string;
  method: MethodType;
  text: string;
  /** Undefined for an unknown number. */
  person: { uuid: string; name: string; customerUuid: string } | undefined;
  alarm: { uuid: string; siteUuid: string | null; customerUuid: string } | undefined;
}

/** Queues a confirmation in the ledger. Returns its uuid. */
export async function queueConfirmation(tx: Transaction, confirmation: Confirmation): Promise<string> {
  const { phone, method, text, person, alarm } = confirmation;
  const uuid = randomUuid();
  // A notification belongs to a customer. An unknown number belongs to none, so the default customer has its
  // confirmation.
  await tx.query(
    `insert into tocsin.notification (uuid, tocsin_customer_uuid, tocsin_site_uuid, tocsin_alarm_uuid, tocsin_user_uuid, recipient_name,
       address, method_type, message_type, kind, subject, notify_message, notify_time, next_attempt_at, segments)
     values ($1, coalesce($2, ${DEFAULT_CUSTOMER}), $3, $4, $5, $6, $7, $8, 4, 'confirmation', 'Your answer', $9,
       tocsin_private.clock(), tocsin_private.clock(), $10)`,
    [
      ...[uuid, person?.customerUuid ?? null, alarm?.siteUuid ?? null, alarm?.uuid ?? null],
      ...[person?.uuid ?? null, person?.name ?? 'Unknown number', phone, method, text],
      method === METHOD.sms ? smsSegments(text).segments : 0,
    ],
  );
  await tx.query(`select pg_notify('tocsin_message', '')`);
  return uuid;
}

/** Returns whether a phone may get another confirmation. The caller has locked the phone. */
export async function mayConfirm(
  tx: Transaction,
  phone: string,
  about: 'understood' | 'unclear' | 'unknown',
): Promise<boolean> {
  // Locks the count of all unknown numbers until the transaction ends.
  if (about === 'unknown') await tx.query(`select pg_advisory_xact_lock(hashtextextended('unknown numbers', 0))`);
  const { rows } = await tx.query<{ hour: number; unclear: number; day: number; strangers: number }>(
    `select count(*) filter (where m.address = $1 and m.received_at > t.now - interval '1 hour')::int as hour,
       count(*) filter (where m.address = $1 and m.received_at > t.now - interval '1 hour' and m.outcome = 'unclear')::int as unclear,
       count(*) filter (where m.address = $1)::int as day,
       count(*) filter (where m.outcome = 'unknown' and m.received_at > t.now - interval '1 hour')::int as strangers
     from (select tocsin_private.clock() as now) t, tocsin_private.inbound_message m
     where m.answered and m.received_at > t.now - $2 * interval '1 hour' and (m.address = $1 or $3)`,
    [phone, UNKNOWN_HOURS, about === 'unknown'],
  );
  const { hour = 0, unclear = 0, day = 0, strangers = 0 } = rows[0] ?? {};
  if (about === 'unknown') return day === 0 && strangers < LIMITS.unknown;
  return hour < LIMITS.known && (about === 'understood' || unclear < LIMITS.unclear);
}
