import { afterAll, beforeAll, expect, test } from 'vitest';
import { disposeTestDatabases, openTestDatabase } from '../../../test/harness/database/database.ts';
import { createCustomer, insertRow, serviceQuery } from '../../../test/harness/database/factories.ts';
import { serviceAccess } from '../../access.ts';
import { HandClock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { applyEarlyReceipt, lockReceipts, type StoreResult, storeReceipt } from './store.ts';

const clock = new HandClock(new Date('2026-03-02T08:00:00Z'));
let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(async () => {
  await db.close();
  await disposeTestDatabases();
});

test('a receipt waits while the response to its message is being stored', async () => {
  const customer = await createCustomer(db);
  const { uuid } = await insertRow<{ uuid: string }>(db, 'tocsin.notification', {
    ...{ tocsin_customer_uuid: customer.uuid, recipient_name: 'Vera', address: '+447700900001', method_type: 3 },
    ...{ message_type: 4, kind: 'other', notify_message: 'Test', notify_time: clock.now(), once_key: 'once' },
  });
  const written = Promise.withResolvers<void>();
  const report: Promise<StoreResult> = written.promise.then(() =>
    db.transaction(serviceAccess(clock), (tx) =>
      storeReceipt(tx, 'twilio', { providerId: 'SM1', state: 'delivered', words: 'delivered' }),
    ),
  );
  await db.transaction(serviceAccess(clock), async (tx) => {
    await lockReceipts(tx, 'twilio', 'SM1');
    await tx.query(
      `update tocsin.notification set state = 'sent', provider = 'twilio', provider_id = 'SM1' where uuid = $1`,
      [uuid],
    );
    written.resolve();
    // Skipped for the embedded database, which has only one connection and therefore always runs the transactions one
    // after another.
    if (db.kind !== 'embedded') expect(await Promise.race([report, waiting(tx)])).toBe('waits');
    await applyEarlyReceipt(tx, 'twilio', 'SM1');
  });
  expect(await report).toBe('changed');
  expect(await serviceQuery(db, 'select state from tocsin.notification where uuid = $1', [uuid])).toEqual([
    { state: 'delivered' },
  ]);
  expect(await serviceQuery(db, 'select * from tocsin_private.early_receipt')).toEqual([]);
});

/** Waits until a database session is waiting for an advisory lock. */
async function waiting(tx: Parameters<typeof storeReceipt>[0]): Promise<'waits'> {
  for (let look = 0; look < 2000; look += 1) {
    const { rows } = await tx.query<{ n: number }>(
      `select count(*)::int as n from pg_locks l join pg_database d on d.oid = l.database
       where l.locktype = 'advisory' and not l.granted and d.datname = current_database()`,
    );
    if (rows[0]?.n) return 'waits';
  }
  throw new Error('Nobody waits.');
}
