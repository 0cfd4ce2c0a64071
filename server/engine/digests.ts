import { serviceAccess } from '../access.ts';
import { addEvents } from '../alarm/events.ts';
import { lockDueCustomer, sendDigests } from '../notification/digests.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Transaction } from '../platform/database.ts';
import type { EngineModule } from './engine.ts';

/**
 * Ends alarm floods, and sends the digests of customers whose digests are due. One transaction sends the digests of a
 * customer and deletes their entries, so a killed process neither loses nor duplicates a digest.
 */
export function digests(db: Database, clock: Clock): EngineModule {
  return {
    name: 'digests',
    every: 5000,
    async tick(now) {
      await db.transaction(serviceAccess(clock), (tx) => endFloods(tx, now.getTime()));
      while (await db.transaction(serviceAccess(clock), (tx) => sendNext(tx, now.getTime())));
    },
  };
}

/** Marks alarm floods as ended once their end time has passed, and updates open pages. */
async function endFloods(tx: Transaction, now: number): Promise<void> {
  await tx.query(
    `with ended as (
       update tocsin.alarm_flood f set ended_at = f.ends_at where f.ended_at is null and f.ends_at <= to_timestamp($1::float8 / 1000)
       returning f.tocsin_customer_uuid as customer)
     select pg_notify('tocsin_alarm', e.customer::text) from (select distinct customer from ended) e`,
    [now],
  );
}

async function sendNext(tx: Transaction, now: number): Promise<boolean> {
  const customer = await lockDueCustomer(tx, now);
  if (customer === undefined) return false;
  await addEvents(tx, await sendDigests(tx, customer, now));
  return true;
}
