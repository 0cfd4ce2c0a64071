/** An upgrade replaces db/logic as a whole. It must remove private functions that no file in db/logic defines. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../server/platform/database.ts';
import { migrateTestDatabase, openTestDatabase } from '../harness/database/database.ts';

const OTHER = 'tocsin_stale_functions_other';

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(async () => {
  await db?.migration((tx) => tx.query(`drop owned by ${OTHER} cascade; drop role ${OTHER}`)).catch(() => {});
  await db?.close();
});

/** Returns every function in the product's schemas and in the test's own schema, with its arguments. */
const functions = async (): Promise<string[]> => {
  const { rows } = await db.migration((tx) =>
    tx.query<{ name: string }>(`select p.oid::regprocedure::text as name from pg_proc p
      where p.pronamespace in ('tocsin'::regnamespace, 'tocsin_private'::regnamespace, 'tocsin_definer'::regnamespace)
        or p.pronamespace = to_regnamespace('elsewhere')
      order by 1`),
  );
  return rows.map(({ name }) => name);
};

test('the logic step drops private functions that no logic file creates, and no others', async () => {
  const before = await functions();
  await db.migration((tx) =>
    tx.query(`
      begin;
      create function tocsin_private.stale() returns int language sql as 'select 1';
      create function tocsin_private.refuse(int) returns int language sql as 'select 1';
      create function tocsin_private.stale_trigger() returns trigger language plpgsql as 'begin return new; end';
      create trigger stale before insert on tocsin.site for each row execute function tocsin_private.stale_trigger();
      set local role tocsin_service;
      create function tocsin_definer.stale(uuid) returns int language sql security definer as 'select 1';
      reset role;
      create schema elsewhere;
      create function elsewhere.stale() returns int language sql as 'select 1';
      create role ${OTHER} nologin;
      grant ${OTHER} to current_user;
      grant usage, create on schema tocsin_private to ${OTHER};
      set local role ${OTHER};
      create function tocsin_private.of_another_owner() returns int language sql as 'select 1';
      reset role;
      delete from tocsin_private.migration where name = 'logic';
      commit`),
  );
  const extension = await hasExtension('citext');
  if (extension) await db.migration((tx) => tx.query('create extension citext schema tocsin_private'));
  const planted = (await functions()).filter((name) => !before.includes(name));
  const stale = planted.filter((name) => /^tocsin_\w+\.(stale|refuse)/.test(name));
  expect(stale).toHaveLength(4);
  if (extension) expect(planted.some((name) => name.includes('citext'))).toBe(true);

  await migrateTestDatabase(db);
  expect((await functions()).filter((name) => !before.includes(name))).toEqual(
    planted.filter((name) => !stale.includes(name)),
  );
  expect(await functions()).toEqual(expect.arrayContaining(before));
});

/** Returns whether the database offers the extension with this name. The embedded database has no extensions. */
async function hasExtension(name: string): Promise<boolean> {
  const { rows } = await db.migration((tx) => tx.query('select from pg_available_extensions where name = $1', [name]));
  return rows.length > 0;
}
