import { afterAll, beforeAll, expect, test } from 'vitest';
import { disposeTestDatabases, openTestDatabase } from '../../test/harness/database/database.ts';
import { randomUuid } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { exportTables, LEFT_OUT, NUMBERED } from './tables.ts';

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(async () => {
  await db?.close();
  await disposeTestDatabases();
});

const tables = (then: string[] = []) =>
  db.migration(async (tx) => {
    await tx.query('begin');
    try {
      for (const statement of then) await tx.query(statement);
      const { rows } = await tx.query(
        `select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where n.nspname in ('tocsin', 'tocsin_private') and c.relkind in ('r', 'p') and not c.relispartition`,
      );
      return { exported: await exportTables(tx, randomUuid()), all: rows.map(({ name }) => name as string) };
    } finally {
      await tx.query('rollback');
    }
  });

test('every table is either exported or left out with a reason', async () => {
  const { exported, all } = await tables();
  expect([...exported.map(({ name }) => name), ...Object.keys(LEFT_OUT)].sort()).toEqual(all.sort());
});

test('an export is refused while a new table has no column that leads to the customer', async () => {
  await expect(tables(['create table tocsin_private.planted (uuid uuid primary key)'])).rejects.toThrow(
    'cannot determine which rows of tocsin_private.planted belong to the customer',
  );
});

test('a new table is exported if it refers to the customer, a channel or an exported row', async () => {
  const { exported } = await tables([
    'create table tocsin_private.planted_tenant (tocsin_customer_uuid uuid)',
    'create table tocsin_private.planted_key (channel_key integer)',
    'create table tocsin_private.planted_child (parent uuid references tocsin.user (uuid))',
  ]);
  const scopes = Object.fromEntries(
    exported.map(({ name, from }) => [name.replace('tocsin_private.planted_', ''), from]),
  );
  expect(scopes.tenant).toMatch(/t where t\.tocsin_customer_uuid = /);
  expect(scopes.key).toMatch(/t where t\.channel_key in \(select c\.key from tocsin\.sensor_channel/);
  expect(scopes.child).toMatch(
    /t where \(t\."parent"\) in \(select t\."uuid" from tocsin\.user t where t\.tocsin_customer_uuid/,
  );
});

test('a table comes after the tables it refers to, and large tables come before tables that need a lock', async () => {
  const { exported } = await tables();
  const names = exported.map(({ name }) => name);
  const before = (first: string, second: string) => names.indexOf(first) < names.indexOf(second);
  expect(before('tocsin.customer', 'tocsin.user')).toBe(true);
  expect(before('tocsin.asset_datapoint', 'tocsin.rule')).toBe(true);
  expect(before('tocsin.alarm', 'tocsin.notification')).toBe(true);
  const free = exported.filter(({ isFree }) => isFree).map(({ name }) => name);
  expect(names.slice(0, free.length)).toEqual(free);
  expect(free).toEqual(
    expect.arrayContaining(['tocsin.reading', 'tocsin.rollup_minute', 'tocsin.incoming_sensor_log', 'tocsin.audit']),
  );
});

test('numeric keys that no other table refers to are not exported', async () => {
  const { exported } = await tables();
  const columns = (name: string) => exported.find((table) => table.name === name)?.columns.map((one) => one.name);
  expect(columns('tocsin.alarm_event')).not.toContain('id');
  expect(columns('tocsin.customer')).not.toContain('id');
  for (const { table, column } of NUMBERED) expect(columns(table)).toContain(column);
});
