import { afterAll, beforeAll, expect, test } from 'vitest';
import { disposeTestDatabases, openTestDatabase } from '../../test/harness/database/database.ts';
import { serviceQuery } from '../../test/harness/database/factories.ts';
import { systemClock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { secretKey } from './secrets.ts';

let db: Database;
/**
 * Returns a new `Database` object for the same database. Keys are cached per object, so this simulates another process.
 */
const asAnotherProcess = (): Database => Object.create(db, { transaction: { value: db.transaction.bind(db) } });

beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(async () => {
  await db.close();
  await disposeTestDatabases();
});

test('processes that start at once use the same key', async () => {
  const keys = await Promise.all(Array.from({ length: 8 }, () => secretKey(asAnotherProcess(), systemClock, 'xsrf')));
  expect(keys[0]!.symmetricKeySize).toBe(32);
  expect(new Set(keys.map((key) => key.export().toString('hex'))).size).toBe(1);
  expect((await secretKey(db, systemClock, 'one-time-code')).equals(keys[0]!)).toBe(false);
  const rows = await serviceQuery(db, 'select name from tocsin_private.secret order by name');
  expect(rows.map(({ name }) => name)).toEqual(['one-time-code', 'xsrf']);
});

test('tries again after a failure', async () => {
  let broken = true;
  const flaky: Database = Object.create(db, {
    transaction: {
      value: (...args: Parameters<Database['transaction']>) =>
        broken ? Promise.reject(new Error('away')) : db.transaction(...args),
    },
  });
  await expect(secretKey(flaky, systemClock, 'xsrf')).rejects.toThrow('away');
  broken = false;
  expect((await secretKey(flaky, systemClock, 'xsrf')).symmetricKeySize).toBe(32);
});
