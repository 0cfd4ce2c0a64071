import { serviceAccess } from '../access.ts';
import { addEvents } from '../alarm/events.ts';
import { NotificationQueue } from '../notification/queue.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Transaction } from '../platform/database.ts';
import type { EngineModule } from './engine.ts';

const AT_ONCE = 100;

/**
 * Sends deferred notifications. A deferred notification reports the opening of an alarm and was suppressed as a repeat.
 * It is sent at the end of the suppression (at most ten minutes), if the alarm is still open.
 */
export function deferred(db: Database, clock: Clock): EngineModule {
  return {
    name: 'deferred notifications',
    every: 5000,
    async tick(now) {
      for (;;) {
        const done = await db.transaction(serviceAccess(clock), (tx) => sendDue(tx, now.getTime()));
        if (done < AT_ONCE) return;
      }
    },
  };
}

/**
 * Sends due notifications. Locks each row, so that only one process sends it. Also locks the alarm, so that no other
 * process resolves it in the meantime.
 */
async function sendDue(tx: Transaction, now: number): Promise<number> {
  const { rows } = await tx.query<{ alarm: string; topic: string; open: boolean }>(
    `select d.tocsin_alarm_uuid as alarm, d.topic, a.resolved_date is null as open
     from tocsin_private.deferred_notification d join tocsin.alarm a on a.uuid = d.tocsin_alarm_uuid
     where d.due_at <= to_timestamp($1::float8 / 1000)
     order by d.due_at limit ${AT_ONCE} for update of d skip locked for share of a skip locked`,
    [now],
  );
  if (rows.length === 0) return 0;
  const over = rows.filter(({ open }) => !open).map(({ alarm }) => alarm);
  if (over.length > 0) {
    await tx.query('delete from tocsin_private.deferred_notification where tocsin_alarm_uuid = any ($1::uuid[])', [
      over,
    ]);
  }
  const open = rows.filter((row) => row.open);
  const alarms = [...new Set(open.map(({ alarm }) => alarm))];
  const notifications = new NotificationQueue(now, { skipLocked: true });
  await notifications.loadDeferredOf(tx, alarms);
  await notifications.load(tx, { topics: open.map(({ topic }) => topic), alarms });
  const events = alarms.flatMap((alarm) => notifications.sendDue(alarm));
  await notifications.write(tx);
  await addEvents(tx, events);
  return rows.length;
}
