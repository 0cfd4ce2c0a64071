import type { Choice } from '../../../domain/notification/answer-texts.ts';
import type { MethodType } from '../../../domain/notification/methods.ts';
import type { Transaction } from '../../platform/database.ts';

/** Letters of a list are valid for a day. After that, the person gets a new list. */
const LIST_HOURS = 24;

interface Phone {
  phone: string;
  method: MethodType;
}

export interface NewOffer extends Phone {
  notification: string;
  customer: string;
  alarm?: string;
  reasons?: readonly string[];
  choices?: readonly Choice[];
}

/**
 * Stores the reasons and choices that a message lists. The numbers and letters of an answer then mean what the message
 * listed, even if reasons are added or alarms open meanwhile.
 */
export async function storeOffer(tx: Transaction, offer: NewOffer): Promise<void> {
  const { notification, customer, method, phone, alarm, reasons, choices } = offer;
  await tx.query(
    `insert into tocsin_private.answer_offer (notification_uuid, tocsin_customer_uuid, method_type, address, alarm_uuid, reasons, choices, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, tocsin_private.clock())
     on conflict (notification_uuid) do update set alarm_uuid = excluded.alarm_uuid, reasons = excluded.reasons`,
    [notification, customer, method, phone, alarm ?? null, reasons ?? null, choices ? JSON.stringify(choices) : null],
  );
}

/** Returns the reasons of an alarm that the phone was sent last; undefined if none were sent. */
export async function offeredReasons(
  tx: Transaction,
  { phone, method }: Phone,
  alarm: string,
): Promise<string[] | undefined> {
  const { rows } = await tx.query<{ reasons: string[] }>(
    `select o.reasons from tocsin_private.answer_offer o
     where o.address = $1 and o.method_type = $2 and o.alarm_uuid = $3 and o.reasons is not null order by o.id desc limit 1`,
    [phone, method, alarm],
  );
  return rows[0]?.reasons;
}

/** Returns the list of choices that the phone was sent last; undefined if it was sent none in the last day. */
export async function offeredChoices(tx: Transaction, { phone, method }: Phone): Promise<Choice[] | undefined> {
  const { rows } = await tx.query<{ choices: Choice[] }>(
    `select o.choices from tocsin_private.answer_offer o
     where o.address = $1 and o.method_type = $2 and o.choices is not null
       and o.created_at > tocsin_private.clock() - $3 * interval '1 hour' order by o.id desc limit 1`,
    [phone, method, LIST_HOURS],
  );
  return rows[0]?.choices;
}
