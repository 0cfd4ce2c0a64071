import type { NewEvent } from '../../domain/alarm/event.ts';
import type { Transaction } from '../platform/database.ts';
import { recordset } from '../platform/recordset.ts';

/**
 * Prefixes a sentence with the rule's name, for alarms that several rules share. `name` is undefined for a deleted
 * rule.
 */
export function ofRule(name: string | undefined, sentence: string): string {
  return name === undefined ? sentence : `${name}: ${sentence}`;
}

export async function addEvents(tx: Transaction, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  await tx.query(
    `insert into tocsin.alarm_event (tocsin_customer_uuid, tocsin_alarm_uuid, at, kind, sentence, detail)
     select "customerUuid", "alarmUuid", to_timestamp(at / 1000), kind, sentence, detail
     from ${recordset('e', { customerUuid: 'uuid', alarmUuid: 'uuid', at: 'float8', kind: 'text', sentence: 'text', detail: 'jsonb' })}`,
    [JSON.stringify(events)],
  );
}
