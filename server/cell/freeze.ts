import { setTimeout as delay } from 'node:timers/promises';
import { serviceAccess } from '../access.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { StartError } from '../platform/start-error.ts';

const POLL_MS = 200;
/**
 * Maximum number of polls for running sends. Polling lasts up to two minutes, because a send takes at most one minute
 * (server/engine/delivery.ts).
 */
const MOST_POLLS = (2 * 60_000) / POLL_MS;

/**
 * Disables a customer and waits until its running transactions and sends have finished. Afterwards no user is signed
 * in, no notification is sent, and the server asks devices to retry later.
 */
export async function freezeCustomer(db: Database, clock: Clock, customerUuid: string): Promise<void> {
  await setActive(db, clock, customerUuid, false);
  if (db.kind === 'postgres') await endOfTransactions(db);
  await endOfSends(db, clock, customerUuid);
}

export async function setActive(db: Database, clock: Clock, customerUuid: string, active: boolean): Promise<void> {
  await db.transaction(serviceAccess(clock), (tx) =>
    tx.query('update tocsin.customer set status = $2 where uuid = $1 and status <> $2', [customerUuid, active ? 1 : 0]),
  );
}

/** Waits until all currently running transactions have ended, because they may have read the customer as active. */
async function endOfTransactions(db: Database): Promise<void> {
  await db.migration(async (tx) => {
    const running = async () => {
      const { rows } = await tx.query<{ id: string }>(
        `select l.virtualtransaction as id from pg_locks l join pg_stat_activity a on a.pid = l.pid
         where l.locktype = 'virtualxid' and l.granted and a.datname = current_database() and a.usename = session_user
           and a.pid <> pg_backend_pid()`,
      );
      return rows.map(({ id }) => id);
    };
    let before = new Set(await running());
    for (let poll = 0; before.size > 0; poll += 1) {
      if (poll === MOST_POLLS)
        throw new StartError(
          'The customer is frozen, but a transaction that started before the freeze is still running. Find it in pg_stat_activity, terminate it and run the command again.',
        );
      await delay(POLL_MS);
      const now = await running();
      before = new Set(now.filter((id) => before.has(id)));
    }
  });
}

/** Waits until no notification of the customer has a lease, which means that every send has finished or timed out. */
async function endOfSends(db: Database, clock: Clock, customerUuid: string): Promise<void> {
  for (let poll = 0; ; poll += 1) {
    const { rows } = await db.transaction(serviceAccess(clock), (tx) =>
      tx.query(
        `select from tocsin.notification n
         where n.tocsin_customer_uuid = $1 and n.state = 'queued' and n.lease_until > tocsin_private.lease_clock() limit 1`,
        [customerUuid],
      ),
    );
    if (rows.length === 0) return;
    if (poll === MOST_POLLS)
      throw new StartError('The customer is frozen, but a notification is still being sent. Run the command again.');
    await delay(POLL_MS);
  }
}
