import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database, Transaction } from '../../server/platform/database.ts';
import { disposeTestDatabases, openTestDatabase } from '../../test/harness/database/database.ts';
import { loadDemo } from './index.ts';

let db: Database;

beforeAll(async () => {
  db = await openTestDatabase();
  await loadDemo({ db, now: new Date('2026-03-02T08:00:00Z'), sites: 10, weeks: 1, hashPassword: async () => 'none' });
});
afterAll(async () => {
  await db?.close();
  await disposeTestDatabases();
});

const asService = <T>(work: (tx: Transaction) => Promise<T>) =>
  db.transaction({ role: 'tocsin_service', settings: {} }, work);
const rows = (text: string) => asService(async (tx) => (await tx.query(text)).rows);

test('every trigger is enabled after the load', async () => {
  expect(
    await rows(`select t.tgrelid::regclass::text as table, t.tgname from pg_trigger t
      join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
      where n.nspname like 'tocsin%' and t.tgenabled <> 'O'`),
  ).toEqual([]);
  await expect(
    asService((tx) =>
      tx.query(`insert into tocsin.health_slot (tocsin_site_uuid, tocsin_customer_uuid, slot_start)
        select gen_random_uuid(), uuid, now() from tocsin.customer limit 1`),
    ),
  ).rejects.toMatchObject({ code: '23503' });
});

test('every slot belongs to a site of its customer', async () => {
  expect(
    await rows(`select count(*)::int as slots, count(s.uuid)::int as sites from tocsin.health_slot h
      left join tocsin.site s on s.uuid = h.tocsin_site_uuid and s.tocsin_customer_uuid = h.tocsin_customer_uuid`),
  ).toEqual([{ slots: expect.toSatisfy((slots: number) => slots > 1000), sites: expect.any(Number) }]);
  expect(
    await rows(`select h.* from tocsin.health_slot h
      where not exists (select from tocsin.site s where s.uuid = h.tocsin_site_uuid and s.tocsin_customer_uuid = h.tocsin_customer_uuid)`),
  ).toEqual([]);
});

test('every sensor is recorded as changed', async () => {
  expect(
    await rows(`select s.uid from tocsin.sensor s
      where not exists (select from tocsin_private.device_change c where c.tocsin_sensor_uuid = s.uuid)`),
  ).toEqual([]);
});
