import { serviceAccess } from '../access.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { EngineModule } from './engine.ts';

/** Maximum number of hours that one transaction computes. */
const HOURS_AT_ONCE = 24;
/**
 * Maximum number of transactions in one tick, so that a backlog does not delay a stop. The embedded database runs one
 * transaction at a time, so other work waits for them.
 */
const MOST_TRANSACTIONS = { postgres: 60, embedded: 20 };

/**
 * Computes the hourly figures of the alarm performance report, and computes an hour again if its alarms changed. Only
 * one process at a time does this work. Without these figures, the report is still correct, but slower.
 */
export function alarmHours(db: Database, clock: Clock): EngineModule {
  let stopped = false;
  return {
    name: 'alarm hours',
    every: 60_000,
    stop() {
      stopped = true;
    },
    async tick(now) {
      for (let count = 0; count < MOST_TRANSACTIONS[db.kind] && !stopped; count += 1) {
        const { rows } = await db.transaction(serviceAccess(clock), (tx) =>
          tx.query<{ done: boolean }>('select tocsin_definer.compute_next_alarm_hours($1, $2) as done', [
            now,
            HOURS_AT_ONCE,
          ]),
        );
        if (!rows[0]?.done) return;
      }
    },
  };
}
