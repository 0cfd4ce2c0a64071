import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { disposeTestDatabases, openTestDatabase, testDatabaseKind } from '../../test/harness/database/database.ts';
import { serviceQuery } from '../../test/harness/database/factories.ts';
import type { Database } from '../platform/database.ts';
import { silentLog } from '../platform/log.ts';
import { ProductClock } from '../platform/product-clock.ts';
import { startProductTime } from './watch.ts';

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(async () => {
  await db.close();
  await disposeTestDatabases();
});

/** Stores a product time that is ahead of the machine's time, as if the machine's clock had been set back. */
async function storeClock(ahead: number): Promise<void> {
  const record = { product: Date.now() + ahead, wall: Date.now(), uptime: 0, boot: 'another', stopped: true };
  await serviceQuery(
    db,
    `insert into tocsin_private.installation (name, value) values ('clock', $1)
     on conflict (name) do update set value = excluded.value`,
    [JSON.stringify({ ...record, database: 0, steps: [] })],
  );
}

/**
 * Sets the product time of a process in the same way as at start. Returns the milliseconds by which it is ahead of the
 * machine's time.
 */
async function startProcess(name: string): Promise<number> {
  const clock = new ProductClock();
  const identity = { uuid: randomUUID(), name, version: '1', schemaVersion: '0001', roles: ['gateway' as const] };
  await startProductTime({ db, clock, log: silentLog, identity });
  return clock.now().getTime() - Date.now();
}

test('a process starts and counts as running while its time is a year ahead of the database', async () => {
  const year = 365 * 86_400_000;
  await storeClock(year);
  expect(Math.abs((await startProcess('far ahead')) - year)).toBeLessThan(1000);
  const [row] = await serviceQuery<{ ms: number }>(db, 'select clock_offset_ms as ms from tocsin_private.process');
  expect(Math.abs((row?.ms ?? 0) - year)).toBeLessThan(1000);
  // The API returns this offset as a 32-bit integer, so a large offset must not overflow.
  const [shown] = await serviceQuery<{ ms: number }>(
    db,
    'select clock_offset_ms as ms from tocsin_private.present_processes()',
  );
  expect(shown?.ms).toBe(2_147_483_647);
  await serviceQuery(db, 'delete from tocsin_private.process');
});

// Skipped with the embedded database, because only one process can open it.
test.skipIf(testDatabaseKind() === 'embedded')(
  'processes that start together get the time of the first, although none has sent a heartbeat yet',
  async () => {
    const ahead = 6000;
    await storeClock(ahead);
    const started = await Promise.all(['first', 'second', 'third'].map(startProcess));
    for (const difference of started) expect(Math.abs(difference - ahead)).toBeLessThan(1000);
    const offsets = await serviceQuery<{ ms: number }>(db, 'select clock_offset_ms as ms from tocsin_private.process');
    for (const { ms } of offsets) expect(Math.abs(ms - ahead)).toBeLessThan(1000);
  },
);
