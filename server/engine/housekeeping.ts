import { serviceAccess } from '../access.ts';
import { deleteAttempts } from '../auth/attempt-store.ts';
import { weekOf } from '../pipeline/partitions.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { EngineModule } from './engine.ts';

const hour = 60 * 60 * 1000;
const day = 24 * hour;

/**
 * Deletes expired sessions, codes, counted attempts, outbox messages, unmatched receipts, answers and their offers,
 * deliveries to destinations, audiences of digests and suppression records.
 */
export function housekeeping(db: Database, clock: Clock): EngineModule {
  return {
    name: 'housekeeping',
    every: 10 * 60 * 1000,
    tick: async (now) => {
      await db.transaction(serviceAccess(clock), async (tx) => {
        await tx.query('delete from tocsin_private.session where expires_at <= $1', [now]);
        await tx.query('delete from tocsin_private.one_time_code where expires_at <= $1 and created_at <= $2', [
          now,
          // Codes from the last day are kept, because they count towards the daily limit
          // (server/auth/password/codes.ts).
          new Date(now.getTime() - day),
        ]);
        await deleteAttempts(tx, now);
        await tx.query('delete from tocsin.outbox where created_at <= $1', [new Date(now.getTime() - 90 * day)]);
        await tx.query('delete from tocsin_private.early_receipt where created_at <= $1', [
          new Date(now.getTime() - hour),
        ]);
        await tx.query("delete from tocsin.destination_delivery where created_at <= $1 and state <> 'queued'", [
          new Date(now.getTime() - 90 * day),
        ]);
        // People answer messages of the last week.
        await tx.query('delete from tocsin_private.answer_offer where created_at <= $1', [
          new Date(now.getTime() - 8 * day),
        ]);
        // A signed call of Twilio has no time, so a replayed one is recognised only by its message id.
        await tx.query('delete from tocsin_private.inbound_message where received_at <= $1', [
          new Date(now.getTime() - 400 * day),
        ]);
        // Failed notifications are retried for one day, so after two days a suppressed SMS is no longer needed.
        await tx.query('delete from tocsin_private.suppressed_sms where created_at <= $1', [
          new Date(now.getTime() - 2 * day),
        ]);
        // Keeps an audience that another transaction marks as used while this statement runs.
        await tx.query(
          `delete from tocsin_private.digest_audience a where a.used_at <= $1 and not exists (
             select from tocsin_private.digest_entry e where e.tocsin_customer_uuid = a.tocsin_customer_uuid and e.audience = a.key)`,
          [new Date(now.getTime() - day)],
        );
        // Suppression lasts ten minutes, but its records are kept for two days, because the clocks of devices can be
        // wrong.
        await tx.query('delete from tocsin_private.last_notified where noted_at <= $1', [
          new Date(now.getTime() - 2 * day),
        ]);
      });
    },
  };
}

/** Creates the weekly partitions for readings, frames and minute roll-ups up to four weeks ahead. */
export function partitions(db: Database): EngineModule {
  let ready: number | undefined;
  return {
    name: 'partitions',
    every: 6 * 60 * 60 * 1000,
    tick: async (now) => {
      // Creating partitions requires a new connection as the login role, so this runs only once a week.
      const week = weekOf(now.getTime());
      if (ready === week) return;
      await ensurePartitions(db, now);
      ready = week;
    },
  };
}

export async function ensurePartitions(db: Database, now: Date): Promise<void> {
  // Only the owner of a table may add partitions, so this runs as the login role.
  await db.migration((tx) =>
    tx.query('call tocsin_private.ensure_partitions($1, $2)', [
      new Date(now.getTime() - 7 * day),
      new Date(now.getTime() + 28 * day),
    ]),
  );
}
