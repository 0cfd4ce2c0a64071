import type { Transaction } from '../platform/database.ts';
import type { Action, Context } from './context.ts';
import type { NewEvent } from './events.ts';

interface ActingAlarm {
  uuid: string;
  context: Context;
}

/** Queues the commands that actions ask for when an alarm opens. Whom they notify is part of the alarm's recipients. */
export async function runActions(tx: Transaction, alarms: readonly ActingAlarm[], now: number): Promise<NewEvent[]> {
  const events: NewEvent[] = [];
  const commands: { customer: string; uid: string; command: string }[] = [];
  for (const { uuid, context } of alarms) {
    for (const action of context.actions) {
      if (action.action !== 3) continue;
      if (action.sensorUid !== null) {
        commands.push({ customer: context.customerUuid, uid: action.sensorUid, command: action.command });
      }
      events.push(eventOf(uuid, context, action, now));
    }
  }
  if (commands.length > 0) {
    await tx.query(
      `insert into tocsin.reply_message (tocsin_customer_uuid, uid, reply_command, queued_on)
       select customer, uid, command, to_timestamp($2::float8 / 1000)
       from json_to_recordset($1) as c (customer uuid, uid text, command text)`,
      [JSON.stringify(commands), now],
    );
  }
  return events;
}

function eventOf(alarmUuid: string, { customerUuid }: Context, action: Action, now: number): NewEvent {
  const sentence =
    action.sensorUid === null
      ? `The command "${action.command}" was not queued: its asset has no sensor.`
      : `The command "${action.command}" was queued for the sensor ${action.sensorUid}.`;
  return { alarmUuid, customerUuid, at: now, kind: 'action', sentence, detail: { action: action.uuid } };
}
