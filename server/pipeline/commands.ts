import { unmatchedAckText } from '../../domain/frame/problem.ts';
import type { Transaction } from '../platform/database.ts';
import { recordset } from '../platform/recordset.ts';
import type { Command } from './intake.ts';
import type { Job, SensorDelivery } from './job.ts';
import type { Sensor } from './sensor.ts';

/** Maximum number of commands in the response to one frame. */
export const MOST_COMMANDS = 10;

export interface CommandSettings {
  /** Time after which an unconfirmed command is sent again. */
  retryMs: number;
}

/**
 * Returns the commands to send with a response: commands that were never sent, and commands that stayed unconfirmed
 * longer than the retry time. If too many are due, chooses those that were never sent or were sent longest ago, so that
 * an unconfirmed command does not block others.
 */
export function dueCommands(
  sensor: Sensor,
  now: number,
  most: number,
  { retryMs }: CommandSettings,
  offered: ReadonlySet<number> = new Set(),
): Command[] {
  const due = sensor.commands.filter(
    ({ id, sentAt, expiresAt }) =>
      expiresAt > now && (sentAt === undefined || now - sentAt >= retryMs) && !offered.has(id),
  );
  return due
    .sort((a, b) => (a.sentAt ?? 0) - (b.sentAt ?? 0) || a.id - b.id)
    .slice(0, most)
    .sort((a, b) => a.id - b.id)
    .map(({ id, text }) => ({ id, text }));
}

/**
 * Marks commands as sent and returns their ids. Skips commands that were sent, confirmed or cancelled in the meantime,
 * or have expired.
 */
export async function markSent(
  tx: Transaction,
  ids: readonly number[],
  now: Date,
  { retryMs }: CommandSettings,
): Promise<Set<number>> {
  const { rows } = await tx.query<{ id: string }>(
    `update tocsin.reply_message set sent_on = $2, attempts = attempts + 1
     where id = any ($1::bigint[]) and delivered_on is null and cancelled_on is null and expires_on > $2
       and (sent_on is null or sent_on <= $2::timestamptz - $3 * interval '1 millisecond')
     returning id`,
    [ids, now.toISOString(), retryMs],
  );
  return new Set(rows.map(({ id }) => Number(id)));
}

interface Confirmed {
  sensor: Sensor;
  id: number;
  reply: string;
  /** Notes about the frame, for the device and the sensor log. */
  notes: string[];
}

/** Stores confirmations. A repeated confirmation has no effect. */
async function markConfirmed(tx: Transaction, confirmed: readonly Confirmed[], now: Date): Promise<void> {
  await tx.query(
    `update tocsin.reply_message m set delivered_on = $2, reply = c.reply
     from ${recordset('c', { customer: 'uuid', uid: 'text', id: 'bigint', reply: 'text' })}
     where m.id = c.id and m.tocsin_customer_uuid = c.customer and m.uid = c.uid and m.delivered_on is null
       and m.sent_on is not null and m.cancelled_on is null`,
    [
      JSON.stringify(
        confirmed.map(({ sensor, id, reply }) => ({ customer: sensor.customerUuid, uid: sensor.uid, id, reply })),
      ),
      now.toISOString(),
    ],
  );
}

/**
 * Adds a note for each confirmation without effect: its command is unknown, cancelled or not sent yet. Returns the
 * confirmations of commands that are not sent yet.
 */
async function noteWithoutEffect(tx: Transaction, confirmed: readonly Confirmed[]): Promise<Set<Confirmed>> {
  const unsent = new Set<Confirmed>();
  const { rows } = await tx.query<{ index: number; state: 'unknown' | 'cancelled' | 'not sent' }>(
    `select c.index, case when m.id is null then 'unknown' when m.cancelled_on is not null then 'cancelled' else 'not sent' end as state
     from ${recordset('c', { index: 'int', customer: 'uuid', uid: 'text', id: 'bigint' })}
     left join tocsin.reply_message m on m.id = c.id and m.tocsin_customer_uuid = c.customer and m.uid = c.uid
     where m.id is null or m.cancelled_on is not null or m.sent_on is null`,
    [
      JSON.stringify(
        confirmed.map(({ sensor, id }, index) => ({ index, customer: sensor.customerUuid, uid: sensor.uid, id })),
      ),
    ],
  );
  for (const { index, state } of rows) {
    const one = confirmed[index] as Confirmed;
    const note = unmatchedAckText(one.id, state);
    if (!one.notes.includes(note)) one.notes.push(note);
    if (state === 'not sent') unsent.add(one);
  }
  return unsent;
}

/** Stores the confirmations in the frames. Call it before writing the sensor log, because it adds notes to the log. */
export async function confirmCommands(tx: Transaction, jobs: readonly Job[], now: Date): Promise<void> {
  const confirmed: Confirmed[] = [];
  for (const { sensorDeliveries } of jobs) {
    for (const { sensor, decoded, mapped } of sensorDeliveries) {
      if (!mapped || !decoded.ok) continue;
      for (const { id, reply } of decoded.frame.confirmations)
        confirmed.push({ sensor, id, reply, notes: mapped.notes });
    }
  }
  if (confirmed.length === 0) return;
  await markConfirmed(tx, confirmed, now);
  const unsent = await noteWithoutEffect(tx, confirmed);
  for (const one of confirmed) {
    if (!unsent.has(one)) one.sensor.commands = one.sensor.commands.filter(({ id }) => id !== one.id);
  }
}

/**
 * Adds the due commands of each sensor to the response to its frame. Returns the sensors whose cached commands are
 * outdated, because another process or a user has sent, confirmed or cancelled one of the due commands.
 */
export async function sendCommands(
  tx: Transaction,
  jobs: readonly Job[],
  now: Date,
  settings: CommandSettings,
): Promise<Sensor[]> {
  const offered = new Set<number>();
  const takers: SensorDelivery[] = [];
  for (const { sensorDeliveries, delivery } of jobs) {
    for (const sensorDelivery of sensorDeliveries) {
      if (sensorDelivery.refusal || sensorDelivery.sensor.commands.length === 0) continue;
      const room = delivery.commands ?? MOST_COMMANDS;
      sensorDelivery.commands = dueCommands(sensorDelivery.sensor, now.getTime(), room, settings, offered);
      for (const { id } of sensorDelivery.commands) offered.add(id);
      if (sensorDelivery.commands.length > 0) takers.push(sensorDelivery);
    }
  }
  if (offered.size === 0) return [];
  const sent = await markSent(tx, [...offered], now, settings);
  const outdated: Sensor[] = [];
  for (const sensorDelivery of takers) {
    if (sensorDelivery.commands.some(({ id }) => !sent.has(id))) outdated.push(sensorDelivery.sensor);
    sensorDelivery.commands = sensorDelivery.commands.filter(({ id }) => sent.has(id));
    for (const command of sensorDelivery.sensor.commands) if (sent.has(command.id)) command.sentAt = now.getTime();
  }
  return outdated;
}
