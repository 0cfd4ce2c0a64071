import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeSchema } from 'postgraphile';
import { lexicographicSortSchema, printSchema } from 'postgraphile/graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { disposeTestDatabases, openTestDatabase } from '../../../test/harness/database/database.ts';
import { long } from '../../../test/harness/long.ts';
import { systemClock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { silentLog } from '../../platform/log.ts';
import { makePreset } from '../preset.ts';
import { introspect } from './introspection.ts';

const folder = mkdtempSync(join(tmpdir(), 'introspection-'));
const file = join(folder, 'introspection');
let db: Database;
let readings = 0;

beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(async () => {
  await db.close();
  await disposeTestDatabases();
  rmSync(folder, { recursive: true });
});

/** Returns true if the catalogue was read from the database, and false if it was read from the cache file. */
async function reads(): Promise<boolean> {
  const before = readings;
  const watched: Database = Object.create(db, {
    transaction: {
      value: (...args: Parameters<Database['transaction']>) => {
        readings += 1;
        return db.transaction(...args);
      },
    },
    migration: { value: (work: never) => db.migration(work) },
  });
  const text = await introspect({
    ...{ db: watched, file, log: silentLog },
    access: { role: 'tocsin_request', settings: {} },
  });
  expect(JSON.parse(text).current_user).toBe('tocsin_request');
  return readings > before;
}

/**
 * Expects that the catalogue is read from the cache file. Allows several attempts, because other tests can change roles
 * of the database server at the same time.
 */
async function expectFile(): Promise<void> {
  await expect.poll(reads, { timeout: 20_000 }).toBe(false);
}

const change = (statement: string) => db.migration((tx) => tx.query(statement));

test('reads the catalogue once and then uses the file', async () => {
  expect(await reads()).toBe(true);
  await expectFile();
});

test.each([
  'create table tocsin.extra (uuid uuid primary key)',
  'alter table tocsin.extra add column name text',
  'alter table tocsin.extra rename column name to title',
  'alter table tocsin.extra alter column title set not null',
  "comment on column tocsin.extra.title is 'A title'",
  'grant select on tocsin.extra to tocsin_request',
  'create function tocsin.extra_title(extra tocsin.extra) returns text language sql stable as $$ select 1::text $$',
  'create or replace function tocsin.extra_title(extra tocsin.extra) returns text language sql volatile as $$ select 2::text $$',
  'create index on tocsin.extra (title)',
  'create policy nobody on tocsin.extra using (false)',
  'drop table tocsin.extra cascade',
])('reads the catalogue again after %s', async (statement) => {
  await expectFile();
  await change(statement);
  expect(await reads()).toBe(true);
});

test('reads the catalogue again after a change of Tocsin’s roles, not of other roles', async () => {
  await reads();
  try {
    await change('create role somebody_elses');
    await expectFile();
    await change('create role tocsin_introspected');
    expect(await reads()).toBe(true);
  } finally {
    await change('drop role if exists somebody_elses, tocsin_introspected');
  }
});

test('does not read the catalogue again after changes of rows or statistics', async () => {
  await reads();
  await change('analyze tocsin.customer');
  await db.transaction({ role: 'tocsin_service', settings: {} }, (tx) =>
    tx.query("insert into tocsin.partner (name) values ('Somebody')"),
  );
  await expectFile();
});

test('reads the catalogue again if the file is truncated, changed or of another database', async () => {
  await reads();
  const whole = readFileSync(file, 'utf8');
  for (const broken of ['', whole.slice(0, -1), whole.replace('tocsin_request', 'tocsin_service'), `x${whole}`]) {
    writeFileSync(file, broken);
    expect(await reads()).toBe(true);
    await expectFile();
  }
  expect(existsSync(`${file}.new`)).toBe(false);
});

long('gives the same schema from the file as from the database', async () => {
  // Reads the committed schema, which test/api/schema.db.test.ts compares with the database.
  const expected = readFileSync(join(import.meta.dirname, '../../../web/api/schema.graphql'), 'utf8');
  rmSync(file);
  for (const _time of ['reading', 'from the file']) {
    const { schema } = await makeSchema(
      makePreset({ db, clock: systemClock, log: silentLog, development: false, introspectionFile: file }),
    );
    expect(`${printSchema(lexicographicSortSchema(schema))}\n`).toBe(expected);
    expect(existsSync(file)).toBe(true);
  }
});
