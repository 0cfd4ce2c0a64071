/**
 * Upgrades a database that was created before the migrations were merged. No data may be lost. The fixture is a dump of
 * such a database, with rows in every table. It was created with `pg_dump --inserts` from all migrations in
 * replaced.json, their logic, and the plant of test/tenancy.
 */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensurePartitions } from '../../server/engine/housekeeping.ts';
import type { Database } from '../../server/platform/database.ts';
import { openEmbedded } from '../../server/platform/embedded/embedded.ts';
import { silentLog } from '../../server/platform/log.ts';
import { openPostgres } from '../../server/platform/postgres.ts';
import { checkRowSecurity } from '../../server/start/checks.ts';
import { root } from '../../server/start/prepare.ts';
import {
  createMigratedDatabase,
  migrateTestDatabase,
  openTestDatabase,
  testDatabaseKind,
} from '../harness/database/database.ts';
import { embeddedFolder, TEST_BEGINS } from '../harness/database/embedded.ts';
import { type TestPostgres, testPostgres } from '../harness/database/postgres.ts';
import { findBinary } from '../harness/machine/debian.ts';

const NAME = 'tocsin_upgrade_test';
const FRESH = 'tocsin_upgrade_fresh';
const kind = testDatabaseKind();
const replaced: { by: string[]; files: Record<string, string> } = JSON.parse(
  readFileSync(join(root, 'db/migrations/replaced.json'), 'utf8'),
);
const RECORD = 'select name from tocsin_private.migration order by 1';

/**
 * The statement in the first migration that creates roles. Roles belong to the PostgreSQL server, so a dump of a
 * database does not contain them.
 */
const ROLES = /^do \$\$[\s\S]*?^\$\$;/m.exec(
  readFileSync(join(root, 'db/migrations/0001_customers_and_people.sql'), 'utf8'),
)?.[0] as string;

interface OldDatabase {
  db: Database;
  /** Runs a query as a superuser, who can see every row. */
  query(text: string): Promise<any[]>;
  close(): Promise<void>;
}

async function loadFixture(name: string): Promise<OldDatabase> {
  const dump = gunzipSync(readFileSync(join(root, 'test/fixtures/before-merged-migrations.sql.gz'))).toString();
  if (kind === 'embedded') {
    const dataDir = await embeddedFolder('empty');
    const db = await openEmbedded({ dataDir, log: silentLog, diskFloorBytes: 0 });
    // In the embedded database, the only login role is `postgres`. The test replaces the login role of the dump with
    // it.
    const login = dump.replaceAll(/\b(TO|FOR ROLE) tocsin\b(?!\.)/g, '$1 postgres');
    await db.migration((tx) => tx.query(ROLES + login));
    await db.migration((tx) => tx.query('reset all'));
    return {
      db,
      query: async (text) => (await db.migration((tx) => tx.query(text))).rows,
      async close() {
        await db.close();
        rmSync(dataDir, { recursive: true, force: true });
      },
    };
  }
  await server.dropDatabase(name);
  await server.createDatabase(name);
  const db = await openPostgres({ url: server.urlFor(name), log: silentLog });
  await db.migration((tx) => tx.query(ROLES));
  const admin = new pg.Client(adminUrl(name));
  await admin.connect();
  await admin.query(dump);
  await admin.query('reset all');
  return {
    db,
    query: async (text) => (await admin.query(text)).rows,
    async close() {
      await admin.end();
      await db.close();
      await server.dropDatabase(name);
    },
  };
}

function adminUrl(name: string): string {
  const url = new URL(server.adminUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** Returns every row of every table, except the table of migrations. */
async function contents({ query }: OldDatabase): Promise<Record<string, string[]>> {
  const tables =
    await query(`select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('tocsin', 'tocsin_private') and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> 'migration'
    order by 1`);
  const found: Record<string, string[]> = {};
  for (const { name } of tables) {
    found[name] = (await query(`select t::text as row from ${name} t order by 1`)).map(({ row }) => row);
  }
  return found;
}

/**
 * Selects every definition in the product's schemas that PostgreSQL can print. Removes parentheses in check
 * constraints, because restoring a dump changes them.
 */
const DEFINITIONS = `
  select format('%s %s %s %s %s', c.oid::regclass, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
    pg_get_expr(d.adbin, d.adrelid)) as text
  from pg_class c join pg_attribute a on a.attrelid = c.oid left join pg_attrdef d on (d.adrelid, d.adnum) = (c.oid, a.attnum)
  where c.relnamespace in ('tocsin'::regnamespace, 'tocsin_private'::regnamespace) and a.attnum > 0 and not a.attisdropped
  union all select format('%s %s %s', c.conrelid::regclass, c.conname, translate(pg_get_constraintdef(c.oid), '()', '')) from pg_constraint c
  where c.connamespace in ('tocsin'::regnamespace, 'tocsin_private'::regnamespace) and c.contype <> 'n'
  union all select pg_get_indexdef(i.indexrelid) from pg_index i join pg_class c on c.oid = i.indexrelid
  where c.relnamespace in ('tocsin'::regnamespace, 'tocsin_private'::regnamespace)
  union all select format('%s %s %s', p.oid::regprocedure, p.proowner::regrole, pg_get_functiondef(p.oid)) from pg_proc p
  where p.pronamespace in ('tocsin'::regnamespace, 'tocsin_private'::regnamespace, 'tocsin_definer'::regnamespace)
  union all select pg_get_triggerdef(t.oid) from pg_trigger t where not t.tgisinternal
  union all select p::text from pg_policies p where p.schemaname like 'tocsin%'
  order by 1`;

/**
 * Inserts words that a later migration renames. One person's name contains such a word in quotes and must remain
 * unchanged.
 */
const OLD_NAMES = `
  update tocsin.alarm set recipients = '{"alert": [{"uuid": "u", "name": "\\"ways\\": Ann", "ways": [{"method": 1, "address": "a@b.example"}],
    "notTold": [{"method": 3, "because": "no-address", "sentence": "Ann has no phone number."}]}], "escalate": [], "resolve": []}';
  insert into tocsin.alarm_event (tocsin_customer_uuid, tocsin_alarm_uuid, at, kind, sentence)
    select a.tocsin_customer_uuid, a.uuid, now(), 'not-told', 'Ann has no phone number.' from tocsin.alarm a`;

let server: TestPostgres;
let old: OldDatabase;
let before: Record<string, string[]>;

beforeAll(async () => {
  if (kind === 'postgres') server = await testPostgres();
  old = await loadFixture(NAME);
  await old.query(OLD_NAMES);
  before = await contents(old);
});
afterAll(async () => {
  await old?.close();
  await server?.dropDatabase(FRESH);
  await server?.stop();
});

test('the fixture has rows in every table', () => {
  expect(Object.entries(before).filter(([, rows]) => rows.length === 0)).toEqual([]);
  expect(Object.keys(before).length).toBeGreaterThan(45);
});

test('records the merged migrations in place of the old ones, and applies later ones and the logic', async () => {
  const logic = await old.query(`select checksum from tocsin_private.migration where name = 'logic'`);
  expect((await old.query(RECORD)).map(({ name }) => name)).toEqual([...Object.keys(replaced.files), 'logic']);
  await migrateTestDatabase(old.db);
  const later = readdirSync(join(root, 'db/migrations')).filter(
    (name) => name.endsWith('.sql') && !replaced.by.includes(name),
  );
  expect((await old.query(RECORD)).map(({ name }) => name)).toEqual([...replaced.by, ...later, 'logic']);
  expect(await old.query(`select checksum from tocsin_private.migration where name = 'logic'`)).not.toEqual(logic);
  await checkRowSecurity(old.db);
  await ensurePartitions(old.db, TEST_BEGINS);
});

/**
 * Returns the fixture's rows with the names that 0009_names_of_the_glossary.sql introduces, and with the columns that
 * later migrations add.
 */
function renamed({ 'tocsin_private.judge_part': shards, ...rest }: typeof before): typeof before {
  const rename = (rows: readonly string[] = [], names: Record<string, string>) =>
    rows.map((row) => Object.entries(names).reduce((text, [from, to]) => text.replaceAll(from, to), row)).sort();
  return {
    ...rest,
    'tocsin_private.evaluator_shard': shards ?? [],
    'tocsin.alarm': rename(rest['tocsin.alarm'], { '""ways"":': '""methods"":', '""notTold"":': '""skipped"":' }).map(
      (row) => row.replace(/\)$/, ',,,,,0,,,,,,,,1,0)'),
    ),
    'tocsin.customer': (rest['tocsin.customer'] ?? []).map((row) =>
      row.replace(/\)$/, ',24,168,,,150,300,1,2,5,24,5,1,1,5,15,5)'),
    ),
    'tocsin."group"': (rest['tocsin."group"'] ?? []).map((row) => row.replace(/\)$/, ',,)')),
    'tocsin.notification': (rest['tocsin.notification'] ?? []).map((row) => row.replace(/\)$/, ',)')),
    'tocsin.reason': (rest['tocsin.reason'] ?? []).map((row) => row.replace(/\)$/, ',f)')),
    'tocsin.alarm_event': rename(rest['tocsin.alarm_event'], { ',not-told,': ',not-notified,' }),
  };
}

test('keeps every row unchanged except for new names and columns', async () => {
  const after = await contents(old);
  for (const name of ['tocsin.alarm', 'tocsin.alarm_event']) after[name]?.sort();
  const kept = renamed(before);
  // Later migrations create these tables, so they are empty.
  const added = Object.keys(after).filter((name) => !(name in kept));
  expect(after).toEqual({ ...kept, ...Object.fromEntries(added.map((name) => [name, []])) });
});

test('gives the upgraded database the schema of a new one', async () => {
  const fresh = await openTestDatabase();
  const { rows } = await fresh.migration(async (tx) => {
    await tx.query('set search_path = pg_catalog');
    return tx.query<{ text: string }>(DEFINITIONS);
  });
  await fresh.close();
  await old.query('set search_path = pg_catalog');
  expect((await old.query(DEFINITIONS)).map(({ text }) => text)).toEqual(rows.map(({ text }) => text));
});

const pgDump = findBinary(['/usr/lib/postgresql/*/bin/pg_dump', 'pg_dump']);

test.skipIf(kind === 'embedded' || !pgDump)('has the same pg_dump as a new database', async () => {
  await server.dropDatabase(FRESH);
  await createMigratedDatabase(server, FRESH);
  const dump = async (name: string) => {
    const { stdout } = await promisify(execFile)(pgDump as string, ['--schema-only', adminUrl(name)], {
      maxBuffer: 100_000_000,
    });
    // Removes differences that result from restoring a dump: comments, the random token of `restrict`, the order of
    // grants, some parentheses in check constraints, and the names of NOT NULL constraints of partitions.
    const lines = stdout
      .replaceAll(/ CONSTRAINT \w+_not_null NOT NULL/g, ' NOT NULL')
      .split('\n')
      .filter((line) => line !== '' && !/^(--|\\)/.test(line));
    const text = lines.map((line) => (line.includes(' CHECK ') ? line.replaceAll(/[()]/g, '') : line)).join('\n');
    return text.replaceAll(/(^GRANT .*\n)+/gm, (grants) => grants.split('\n').sort().join('\n'));
  };
  expect(await dump(NAME)).toBe(await dump(FRESH));
});

test('refuses a database that lacks some of the replaced migrations, and says what to do', async () => {
  const partial = await loadFixture(`${NAME}_partial`);
  const names = Object.keys(replaced.files);
  try {
    await partial.query(`delete from tocsin_private.migration where name = '${names.at(-1)}'`);
    await expect(migrateTestDatabase(partial.db)).rejects.toThrow(
      new RegExp(`too old for Tocsin .* lacks the migration ${names.at(-1)}\\. First start the last version`),
    );
    expect(await partial.query(`select count(*)::int as n from tocsin_private.migration`)).toEqual([
      { n: names.length },
    ]);
  } finally {
    await partial.close();
  }
});
