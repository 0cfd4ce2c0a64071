import type { NewEvent } from '../../domain/alarm/event.ts';
import type { Action, Context } from '../../domain/rule/context.ts';
import type { Transaction } from '../platform/database.ts';
import { recordset } from '../platform/recordset.ts';

interface Acting {
  alarmUuid: string;
  context: Context;
}

/**
 * Queues the commands of a rule's actions when an alarm opens or the rule joins an alarm. Each action runs at most once
 * per alarm, even if the value leaves the limits repeatedly. Skips actions that notify people: these people are already
 * among the alarm's recipients.
 */
export async function runActions(
  tx: Transaction,
  opened: readonly Acting[],
  joined: readonly Acting[],
  now: number,
): Promise<NewEvent[]> {
  const events: NewEvent[] = [];
  const commands: { customer: string; uid: string; command: string }[] = [];
  const done = await alreadyRun(
    tx,
    joined.filter(({ context }) => context.actions.some(isCommand)),
  );
  for (const { alarmUuid, context } of [...opened, ...joined]) {
    for (const action of context.actions.filter(isCommand)) {
      const key = `${alarmUuid} ${action.uuid}`;
      if (done.has(key)) continue;
      done.add(key);
      if (action.sensorUid !== null) {
        commands.push({ customer: context.customerUuid, uid: action.sensorUid, command: action.command });
      }
      events.push(eventOf(alarmUuid, context, action, now));
    }
  }
  if (commands.length > 0) {
    await tx.query(
      `insert into tocsin.reply_message (tocsin_customer_uuid, uid, reply_command, queued_on)
       select customer, uid, command, to_timestamp($2::float8 / 1000)
       from ${recordset('c', { customer: 'uuid', uid: 'text', command: 'text' })}`,
      [JSON.stringify(commands), now],
    );
  }
  return events;
}

const isCommand = ({ action }: Action) => action === 3;

async function alreadyRun(tx: Transaction, joined: readonly Acting[]): Promise<Set<string>> {
  if (joined.length === 0) return new Set();
  const { rows } = await tx.query<{ alarm: string; action: string }>(
    `select e.tocsin_alarm_uuid as alarm, e.detail ->> 'action' as action from tocsin.alarm_event e
     where e.tocsin_alarm_uuid = any ($1::uuid[]) and e.kind = 'action'`,
    [joined.map(({ alarmUuid }) => alarmUuid)],
  );
  return new Set(rows.map(({ alarm, action }) => `${alarm} ${action}`));
}

function eventOf(alarmUuid: string, { customerUuid }: Context, action: Action, now: number): NewEvent {
  const sentence =
    action.sensorUid === null
      ? `The command "${action.command}" was not queued, because no sensor is assigned to the asset of the action.`
      : `The command "${action.command}" was queued for the sensor ${action.sensorUid}.`;
  return { alarmUuid, customerUuid, at: now, kind: 'action', sentence, detail: { action: action.uuid } };
}
