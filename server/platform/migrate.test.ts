import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { embeddedFolder } from '../../test/harness/database/embedded.ts';
import type { TestPostgres } from '../../test/harness/database/postgres.ts';
import { postgresAvailable, testPostgres } from '../../test/harness/database/postgres.ts';
import { HandClock } from './clock.ts';
import type { Database } from './database.ts';
import { openEmbedded } from './embedded/embedded.ts';
import { silentLog } from './log.ts';
import { findNewerProblem, type MigrateOptions, migrate } from './migrate.ts';
import { endsTransaction } from './migrate-files.ts';
import { openPostgres } from './postgres.ts';
import { StartError } from './start-error.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const root = mkdtempSync(join(tmpdir(), 'migrate-'));
const clock = new HandClock(new Date('2026-03-01T10:00:00Z'));
let folders = 0;
let server: TestPostgres | undefined;

afterAll(async () => {
  await server?.stop();
  rmSync(root, { recursive: true, force: true });
});

type Files = Record<string, string>;

/**
 * Returns the migration options for one version of the program, with the migrations and logic files of that version.
 */
function program(migrations: Files, logic: Files = {}, more: Partial<MigrateOptions> = {}): MigrateOptions {
  folders += 1;
  const made = { migrationsDir: join(root, `${folders}`, 'migrations'), logicDir: join(root, `${folders}`, 'logic') };
  for (const [folder, files] of [
    [made.migrationsDir, migrations],
    [made.logicDir, logic],
  ] as const) {
    mkdirSync(folder, { recursive: true });
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
  }
  return { ...made, product: 'Bell', version: '1.0.0', log: silentLog, clock, ...more };
}

const first = { '0001_thing.sql': 'create table thing (id int primary key);\ninsert into thing values (1);' };
const second = { ...first, '0002_more.sql': 'alter table thing add column note text' };
const logic = {
  'a.sql': "create or replace function a() returns text language sql as $$ select b() || '!' $$",
  'b.sql': "create or replace function b() returns text language sql as $$ select 'one' $$;",
};

const backs = [
  { kind: 'embedded', available: true },
  { kind: 'postgres', available: postgresAvailable() },
] as const;

describe.each(backs)('$kind', ({ kind, available }) => {
  describe.skipIf(!available)('migration', () => {
    let db: Database;
    const name = 'platform_migrate_test';

    beforeAll(async () => {
      if (kind === 'postgres') server = await testPostgres('platform');
      await server?.dropDatabase(name);
      await server?.createDatabase(name);
      db = server
        ? await openPostgres({ url: server.urlFor(name), log: silentLog })
        : await openEmbedded({ dataDir: await embeddedFolder('empty'), log: silentLog });
    });

    beforeEach(() =>
      db.migration((tx) =>
        tx.query('drop schema public cascade; create schema public; drop schema if exists tocsin_private cascade'),
      ),
    );

    afterAll(async () => {
      await db?.close();
      await server?.dropDatabase(name);
    });

    const query = async (text: string) => (await db.migration((tx) => tx.query(text))).rows;
    const refused = async (options: MigrateOptions) => {
      const error = await migrate(db, options).catch((reason: Error) => reason);
      expect(error).toBeInstanceOf(StartError);
      return (error as Error).message;
    };

    test('applies every file once, in order, and records it', async () => {
      expect(await migrate(db, program(second, logic))).toEqual({
        applied: ['0001_thing.sql', '0002_more.sql'],
        reapplied: ['a.sql', 'b.sql'],
      });
      expect(await query('select a() as text, id, note from thing')).toEqual([{ text: 'one!', id: 1, note: null }]);
      expect(await query('select name, version, applied_at from tocsin_private.migration order by 1')).toEqual(
        ['0001_thing.sql', '0002_more.sql', 'logic'].map((name) => ({
          name,
          version: '1.0.0',
          applied_at: clock.now(),
        })),
      );
      expect(await migrate(db, program(second, logic))).toEqual({ applied: [], reapplied: [] });
    });

    test('applies only new files of a later version', async () => {
      await migrate(db, program(first, logic));
      expect(await migrate(db, program(second, logic))).toEqual({
        applied: ['0002_more.sql'],
        reapplied: ['a.sql', 'b.sql'],
      });
    });

    test('replaces all logic when a file changes', async () => {
      await migrate(db, program(first, logic));
      const changed = { ...logic, 'b.sql': logic['b.sql'].replace('one', 'two') };
      expect(await migrate(db, program(first, changed))).toEqual({ applied: [], reapplied: ['a.sql', 'b.sql'] });
      expect(await query('select a() as text')).toEqual([{ text: 'two!' }]);
    });

    test('applies logic files of subfolders in the order of their file names', async () => {
      const files = {
        'alarm/c.sql': 'create table added.c ()',
        'common/a.sql': 'create schema added',
        'zoo/b.sql': 'create table added.b ()',
      };
      const { reapplied } = await migrate(db, program(first, files));
      expect(reapplied).toEqual(['common/a.sql', 'zoo/b.sql', 'alarm/c.sql']);
      await query('drop schema added cascade');
    });

    test('ignores changes of line endings and trailing spaces', async () => {
      await migrate(db, program(first, logic));
      const same = { '0001_thing.sql': `\uFEFF${first['0001_thing.sql'].replace('\n', '  \r\n')}\r\n\r\n` };
      expect(await migrate(db, program(same, logic))).toEqual({ applied: [], reapplied: [] });
    });

    test('rolls back a failing migration and keeps the earlier ones', async () => {
      const failing = { ...first, '0002_broken.sql': 'create table half (id int);\n\ninsert into thing values (1);' };
      const message = await refused(program(failing, logic));
      expect(message).toMatch(
        /rolled back. 0002_broken.sql: duplicate key value .+ \(Key \(id\)=\(1\) already exists.\)/,
      );
      expect(await query("select to_regclass('half') as half, (select count(*)::int from thing) as things")).toEqual([
        { half: null, things: 1 },
      ]);
      expect(await query('select name from tocsin_private.migration')).toEqual([{ name: '0001_thing.sql' }]);
      expect((await migrate(db, program(second, logic))).applied).toEqual(['0002_more.sql']);
    });

    test('shows an SQL error with its line', async () => {
      expect(await refused(program({ '0001_x.sql': 'select 1;\n\nselec 2;' }))).toContain(
        '0001_x.sql line 3: syntax error at or near "selec"',
      );
    });

    test('keeps the old logic when the new logic fails', async () => {
      await migrate(db, program(first, logic));
      expect(await refused(program(first, { 'a.sql': 'drop function a', 'b.sql': 'create nonsense' }))).toContain(
        'b.sql line 1: syntax error',
      );
      expect(await query('select a() as text')).toEqual([{ text: 'one!' }]);
    });

    test('refuses a changed migration that is already applied', async () => {
      await migrate(db, program(first));
      expect(await refused(program({ '0001_thing.sql': 'create table thing (id bigint)' }))).toMatch(
        /^The migration 0001_thing.sql was changed after this database had applied it/,
      );
    });

    test('refuses a database of a newer version', async () => {
      await migrate(db, program(second, logic, { version: '2.0.0' }));
      expect(await refused(program(first, {}))).toBe(
        'This database was written by a newer version of Bell: 0002_more.sql was applied by version 2.0.0, and this is 1.0.0. Start that version or a newer one.',
      );
      expect(await query('select a() as text')).toEqual([{ text: 'one!' }]);
    });

    const third = (oldest: string) => ({
      ...second,
      '0003_next.sql': `-- oldest program: ${oldest}\nalter table thing add column next text`,
    });

    test('lets an older program work with a migration that names it, and leaves the newer logic', async () => {
      const newer = program(third('0002_more.sql'), { ...logic, 'c.sql': 'select 1' }, { version: '2.0.0' });
      const older = program(second, logic, { version: '1.9.0' });
      await migrate(db, older);
      await migrate(db, newer);
      expect(await findNewerProblem(db, older)).toBeUndefined();
      expect(await migrate(db, older)).toEqual({ applied: [], reapplied: [] });
      expect(await migrate(db, newer)).toEqual({ applied: [], reapplied: [] });
      expect(await query("select version from tocsin_private.migration where name = 'logic'")).toEqual([
        { version: '2.0.0' },
      ]);
    });

    test('refuses a program that is older than the oldest one that a migration names', async () => {
      await migrate(db, program(third('0002_more.sql'), logic, { version: '2.0.0' }));
      const tooOld = program(first, logic);
      expect(await findNewerProblem(db, tooOld)).toContain('Start that version or a newer one.');
      expect(await refused(tooOld)).toContain('was applied by version 2.0.0, and this is 1.0.0');
    });

    test('does not apply the logic of an older version without a new migration', async () => {
      await migrate(db, program(first, { ...logic, 'c.sql': 'select 1' }, { version: '1.10.0' }));
      expect(await migrate(db, program(first, logic, { version: '1.9.0' }))).toEqual({ applied: [], reapplied: [] });
    });

    test('upgrades the table of applied migrations of an earlier version', async () => {
      await migrate(db, program(first, logic));
      await query('alter table tocsin_private.migration drop column oldest_program');
      expect((await migrate(db, program(second, logic))).applied).toEqual(['0002_more.sql']);
    });

    test('refuses an oldest program that is no earlier migration', async () => {
      expect(await refused(program(third('0004_later.sql')))).toContain(
        'Name a migration of this folder that comes before 0003_next.sql.',
      );
      expect(await refused(program(third('0003_next.sql')))).toContain(
        'Name a migration of this folder that comes before 0003_next.sql.',
      );
    });

    test('ignores the line with the oldest program in the checksum', async () => {
      await migrate(db, program({ ...third('0002_more.sql') }, logic));
      expect(await migrate(db, program({ ...third('0001_thing.sql') }, logic))).toEqual({ applied: [], reapplied: [] });
    });

    test('refuses a migration numbered before an applied one', async () => {
      await migrate(db, program({ '0002_more.sql': 'create table more ()' }));
      expect(await refused(program({ ...first, '0002_more.sql': 'create table more ()' }))).toContain(
        '0001_thing.sql comes before 0002_more.sql',
      );
    });

    describe('merged migrations', () => {
      const both = `${second['0001_thing.sql']}\n${second['0002_more.sql']}`;
      const merged = async () => {
        const recorded = await query('select name, checksum from tocsin_private.migration');
        const files = recorded.filter(({ name }) => name !== 'logic').map(({ name, checksum }) => [name, checksum]);
        return {
          '0001_things.sql': both,
          'replaced.json': JSON.stringify({ by: ['0001_things.sql'], files: Object.fromEntries(files) }),
        };
      };

      test('are recorded where the replaced ones were applied, and later ones are applied', async () => {
        await migrate(db, program(second, logic));
        const later = { ...(await merged()), '0002_later.sql': 'alter table thing add column later int' };
        expect(await migrate(db, program(later, logic))).toMatchObject({ applied: ['0002_later.sql'] });
        expect(await query('select name from tocsin_private.migration order by 1')).toEqual(
          ['0001_things.sql', '0002_later.sql', 'logic'].map((name) => ({ name })),
        );
        expect(await query('select * from thing')).toEqual([{ id: 1, note: null, later: null }]);
        expect(await migrate(db, program(later, logic))).toEqual({ applied: [], reapplied: [] });
      });

      test('create a new database', async () => {
        await migrate(db, program(second));
        const files = await merged();
        await query('drop table thing; drop schema tocsin_private cascade');
        expect(await migrate(db, program(files))).toMatchObject({ applied: ['0001_things.sql'] });
        expect(await query('select * from thing')).toEqual([{ id: 1, note: null }]);
      });

      test('refuse a database that applied only some of the replaced ones', async () => {
        await migrate(db, program(second));
        const files = await merged();
        await query(`delete from tocsin_private.migration where name = '0002_more.sql'`);
        expect(await refused(program(files, {}, { version: '2.0.0' }))).toBe(
          'This database is too old for Bell 2.0.0: it was last used by version 1.0.0 and lacks the migration 0002_more.sql. First start the last version of Bell whose migrations end with 0002_more.sql; it upgrades the database. Then start this version.',
        );
        expect(await query('select name from tocsin_private.migration order by 1')).toEqual(
          ['0001_thing.sql', 'logic'].map((name) => ({ name })),
        );
      });

      test('refuse a database whose replaced migrations differ from the released ones', async () => {
        await migrate(db, program(second));
        const files = await merged();
        await query(`update tocsin_private.migration set checksum = 'other' where name = '0001_thing.sql'`);
        expect(await refused(program(files))).toMatch(
          /^The migration 0001_thing.sql in this database differs from the released one/,
        );
      });

      test('leave the record of a newer database as it is', async () => {
        await migrate(db, program(second));
        const files = await merged();
        await migrate(db, program({ ...second, '0003_newer.sql': 'create table newer ()' }, {}, { version: '2.0.0' }));
        expect(await refused(program(files))).toContain('0003_newer.sql was applied by version 2.0.0');
        expect(await query('select count(*)::int as n from tocsin_private.migration')).toEqual([{ n: 4 }]);
      });
    });

    test('refuses unsafe files before it applies any', async () => {
      expect(await refused(program({ 'thing.sql': 'select 1' }))).toContain('must have the form 0001_what_it_does.sql');
      expect(await refused(program({ '0001_a.sql': '', '0001_b.sql': '' }))).toContain(
        '0001_a.sql and 0001_b.sql have the same number',
      );
      expect(await refused(program({ '0001_a.sql': 'create table a (); commit;' }))).toContain(
        '0001_a.sql begins or ends a transaction',
      );
      expect(await refused({ ...program(first), logicDir: join(root, 'missing') })).toContain('Cannot read');
      expect(await query("select to_regclass('thing') as thing")).toEqual([{ thing: null }]);
    });

    test('passes settings to the files', async () => {
      const reads = { '0001_at.sql': "create table at as select current_setting('bell.now') as now" };
      await migrate(db, program(reads, {}, { settings: { 'bell.now': '2026-03-01' } }));
      expect(await query("select now, nullif(current_setting('bell.now', true), '') as after from at")).toEqual([
        { now: '2026-03-01', after: null },
      ]);
    });

    test('hides the record from other roles', async () => {
      await migrate(db, program(first));
      const rows = await query(
        "select relrowsecurity, relforcerowsecurity from pg_class where oid = 'tocsin_private.migration'::regclass",
      );
      expect(rows).toEqual([{ relrowsecurity: true, relforcerowsecurity: true }]);
    });
  });
});

describe.skipIf(!postgresAvailable())('processes that start at once', () => {
  const slow = {
    '0001_slow.sql': 'create table slow (id int primary key); select pg_sleep(0.2); insert into slow values (1);',
  };
  const role = `
    do $$ begin create role platform_migrate_role nologin; exception when duplicate_object then null; end $$;
    alter role platform_migrate_role set search_path to '';`;

  test('all succeed on one database, and one applies the files', async () => {
    if (!server) throw new Error('The server was started by the tests above.');
    const one = server;
    await one.dropDatabase('platform_migrate_once');
    await one.createDatabase('platform_migrate_once');
    const open = () => openPostgres({ url: one.urlFor('platform_migrate_once'), log: silentLog });
    const databases = await Promise.all([open(), open(), open()]);
    const results = await Promise.all(databases.map((db) => migrate(db, program(slow, logic))));
    expect(results.map((result) => result.applied.length).sort()).toEqual([0, 0, 1]);
    expect(results.map((result) => result.reapplied.length).sort()).toEqual([0, 0, 2]);
    await Promise.all(databases.map((db) => db.close()));
    await one.dropDatabase('platform_migrate_once');
  });

  test('all succeed on several databases of one server that share roles', async () => {
    if (!server) throw new Error('The server was started by the tests above.');
    const one = server;
    const names = [1, 2, 3, 4].map((n) => `platform_migrate_many_${n}`);
    for (const name of names) {
      await one.dropDatabase(name);
      await one.createDatabase(name);
    }
    const databases = await Promise.all(names.map((name) => openPostgres({ url: one.urlFor(name), log: silentLog })));
    const results = await Promise.all(databases.map((db) => migrate(db, program({ '0001_role.sql': role }))));
    expect(results.every((result) => result.applied.length === 1)).toBe(true);
    await Promise.all(databases.map((db) => db.close()));
    for (const name of names) await one.dropDatabase(name);
  });
});

describe.skipIf(!postgresAvailable())('an upgrade under running processes', () => {
  test('waits for locks without giving the others a deadlock', async () => {
    if (!server) throw new Error('The server was started by the tests above.');
    const name = 'platform_migrate_beside';
    await server.dropDatabase(name);
    await server.createDatabase(name);
    const open = () => openPostgres({ url: (server as TestPostgres).urlFor(name), log: silentLog });
    const [running, starting] = await Promise.all([open(), open()]);
    const tables = { '0001_a.sql': 'create table one (id int); create table two (id int)' };
    const schemas = ['public'];
    await migrate(running, program(tables, logic, { schemas }));
    let upgraded = false;
    const held = Promise.withResolvers<void>();
    // A running process locks the two tables in the opposite order from the upgrade.
    const work = running.migration(async (tx) => {
      await tx.query('begin');
      await tx.query('insert into two values (1)');
      held.resolve();
      await tx.query('select pg_sleep(1.5)');
      expect(upgraded).toBe(false);
      await tx.query('insert into one values (1)');
      await tx.query('commit');
    });
    await held.promise;
    const changed = { ...logic, 'c.sql': 'alter table one add column a int; alter table two add column a int' };
    const upgrade = migrate(starting, program(tables, changed, { schemas })).then(() => {
      upgraded = true;
    });
    await Promise.all([work, upgrade]);
    await Promise.all([running.close(), starting.close()]);
    await server.dropDatabase(name);
  });
});

describe('a file that ends its transaction', () => {
  test.each([
    'commit;',
    'create table a ();\nCOMMIT',
    'begin; select 1',
    'select 1; rollback work ;',
    "insert into a values ('it''s'); start transaction;",
  ])('is found: %s', (sql) => {
    expect(endsTransaction(sql)).toBe(true);
  });

  test.each([
    '-- commit;\nselect 1',
    "select '; commit;'",
    'do $$ begin perform 1; end $$;',
    'create function f() returns void language plpgsql as $body$ begin; commit; end $body$;',
    '/* ; commit; */ select "commit" from t',
    'create function f() returns int begin atomic select 1; end;',
  ])('is not suspected: %s', (sql) => {
    expect(endsTransaction(sql)).toBe(false);
  });
});
