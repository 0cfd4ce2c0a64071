import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { keepCompiledCode } from '../../test/harness/database/embedded.ts';
import type { TestPostgres } from '../../test/harness/database/postgres.ts';
import { postgresAvailable, testPostgres } from '../../test/harness/database/postgres.ts';
import type { Access, Database, Transaction } from './database.ts';
import { openEmbedded } from './embedded/embedded.ts';
import { silentLog } from './log.ts';
import { openPostgres } from './postgres.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const reader: Access = { role: 'platform_test_reader', settings: { 'test.tenant': 'a' } };

const setUp = `
  do $$ begin create role platform_test_reader nologin; exception when duplicate_object then null; end $$;
  grant platform_test_reader to current_user;
  create table item (id int primary key, tenant text not null, note text constraint note_short check (length(note) < 10));
  alter table item enable row level security, force row level security;
  create policy own on item to platform_test_reader using (tenant = current_setting('test.tenant', true));
  grant select, insert, update on item to platform_test_reader;
  create table parent (id int primary key);
  create table child (id int primary key, parent_id int references parent deferrable initially deferred);
  grant select, insert on parent, child to platform_test_reader;
  do $$ begin create role platform_test_auditor nologin; exception when duplicate_object then null; end $$;
  grant platform_test_auditor to current_user;
  create policy everything on item for select to platform_test_auditor using (true);
  grant select on item to platform_test_auditor`;

const backs = [
  { kind: 'embedded', available: true },
  { kind: 'postgres', available: postgresAvailable() },
] as const;

const everyType = `
  select 9007199254740993::int8 as big, 1.10::numeric as exact, 1.5::float8 as float, 7::int2 as small, true as yes,
         timestamptz '2026-03-01 10:00:00.123456+02' as at, timestamp '2026-03-01 10:00:00' as wall, time '10:11:12' as clock,
         interval '1 day 02:03:04' as span, '{"a": [1, null]}'::json as json, '{"b": 2}'::jsonb as jsonb,
         array[1, 2, null]::int[] as ints, array['a', 'b c', null]::text[] as texts, array[[1],[2]] as nested,
         array[timestamptz '2026-01-01 00:00Z'] as times, '\\xdeadbeef'::bytea as bytes, null::text as nothing,
         '3f333df6-90a4-4fda-8dd3-9485d27cee36'::uuid as uuid, int4range(1, 5) as range, '(1,2)'::point as point,
         row(1, 'x') as composite, 'Ünïcödé 🔔' as text, 12::oid as oid, '192.168.0.1/24'::inet as inet`;

const opened: Partial<Record<'embedded' | 'postgres', Database>> = {};
let server: TestPostgres | undefined;

afterAll(async () => {
  await Promise.all(Object.values(opened).map((db) => db.close()));
  await server?.stop();
});

describe.each(backs)('$kind', ({ kind, available }) => {
  describe.skipIf(!available)('is a database that', () => {
    let db: Database;

    beforeAll(async () => {
      if (kind === 'embedded') {
        await keepCompiledCode();
        db = await openEmbedded({ dataDir: 'memory', log: silentLog });
      } else {
        server = await testPostgres('platform');
        await server.dropDatabase('platform_database_test');
        await server.createDatabase('platform_database_test');
        db = await openPostgres({ url: server.urlFor('platform_database_test'), log: silentLog });
      }
      opened[kind] = db;
      await db.migration((tx) => tx.query(setUp));
      // The login role owns the table. On a PostgreSQL server, forced row level security also applies to the owner, so
      // the test switches it off for the insert.
      await db.migration((tx) =>
        tx.query(`alter table item no force row level security;
                  insert into item values (1, 'a', 'mine'), (2, 'b', 'theirs');
                  alter table item force row level security`),
      );
    });

    test('applies role and settings for the length of the transaction only', async () => {
      const seen = await db.transaction(reader, async (tx) => {
        const { rows } = await tx.query('select id, current_user::text as who from item');
        return rows;
      });
      expect(seen).toEqual([{ id: 1, who: 'platform_test_reader' }]);
      const after = await db.pool.query(
        "select current_user::text as who, session_user::text as login, nullif(current_setting('test.tenant', true), '') as tenant",
      );
      expect(after.rows[0].who).toBe(after.rows[0].login);
      expect(after.rows[0].tenant).toBeNull();
    });

    test('reuses the plan of a repeated statement, never with the policies of another role', async () => {
      const question = 'select tenant from item where id < $1 order by id -- again and again';
      const ask = (access: Access) => db.transaction(access, (tx) => tx.query(question, [3]));
      const auditor: Access = { role: 'platform_test_auditor', settings: {} };
      const other: Access = { ...reader, settings: { 'test.tenant': 'b' } };
      for (let time = 0; time < 8; time += 1) {
        expect((await ask(reader)).rows).toEqual([{ tenant: 'a' }]);
        expect((await ask(auditor)).rows).toEqual([{ tenant: 'a' }, { tenant: 'b' }]);
        expect((await ask(other)).rows).toEqual([{ tenant: 'b' }]);
      }
      const { rows } = await db.transaction(reader, (tx) =>
        tx.query("select count(*)::int as planned from pg_prepared_statements where statement like '%again and again'"),
      );
      expect(rows).toEqual([{ planned: 1 }]);
    });

    test('commits successful work and rolls back failed work with its original error', async () => {
      const write = (id: number) => (tx: Transaction) => tx.query("insert into item values ($1, 'a', 'x')", [id]);
      const written = await db.transaction({ ...reader, settings: { 'test.tenant': 'a' } }, write(10));
      expect(written).toEqual({ rows: [], rowCount: 1 });

      const failure = new Error('stop');
      const attempt = db.transaction(reader, async (tx) => {
        await write(11)(tx);
        throw failure;
      });
      await expect(attempt).rejects.toBe(failure);
      const { rows } = await db.transaction(reader, (tx) => tx.query('select id from item where id in (10, 11)'));
      expect(rows).toEqual([{ id: 10 }]);
    });

    test('reports a transaction as failed when a statement in it failed and the error was swallowed', async () => {
      const attempt = db.transaction(reader, async (tx) => {
        await tx.query("insert into item values (12, 'a', 'x')");
        await tx.query('select 1 / 0').catch(() => {});
      });
      await expect(attempt).rejects.toThrow('rolled back');
      const { rowCount } = await db.transaction(reader, (tx) => tx.query('select from item where id = 12'));
      expect(rowCount).toBe(0);
    });

    test('reports errors of the commit', async () => {
      const attempt = db.transaction(reader, (tx) => tx.query('insert into child values (1, 99)'));
      await expect(attempt).rejects.toMatchObject({ code: '23503', table: 'child' });
      expect(await db.check()).toEqual({ ok: true });
    });

    test('refuses a transaction without a role', async () => {
      for (const role of ['', ' ', 'none', 'NONE']) {
        const attempt = db.transaction({ role, settings: {} }, (tx) => tx.query('select 1'));
        await expect(attempt).rejects.toThrow('needs a role');
      }
    });

    test('returns errors with the fields of PostgreSQL', async () => {
      const attempt = (text: string) => db.transaction(reader, (tx) => tx.query(text));
      await attempt('insert into parent values (1)');
      await expect(attempt('insert into parent values (1)')).rejects.toMatchObject({
        code: '23505',
        severity: 'ERROR',
        schema: 'public',
        table: 'parent',
        constraint: 'parent_pkey',
        detail: 'Key (id)=(1) already exists.',
      });
      await expect(attempt('insert into item (id) values (3)')).rejects.toMatchObject({ code: '42501' });
      await expect(attempt("insert into item values (4, 'a', 'far too long')")).rejects.toMatchObject({
        code: '23514',
        constraint: 'note_short',
      });
      await expect(attempt("insert into item (id, tenant) values ('x', 'a')")).rejects.toMatchObject({ code: '22P02' });
      await expect(attempt("insert into item values (5, 'b', 'x')")).rejects.toThrow('row-level security');
      await expect(attempt('selec 1')).rejects.toMatchObject({ code: '42601', position: '1' });
      await expect(attempt('select 1 from nowhere')).rejects.toMatchObject({ code: '42P01' });
    });

    test('refuses a second connection inside a transaction, which could deadlock', async () => {
      const nested: (() => Promise<unknown>)[] = [
        () => db.transaction(reader, (tx) => tx.query('select 1')),
        () => db.migration((tx) => tx.query('select 1')),
        () => db.pool.query('select 1'),
        () => db.pool.connect(),
      ];
      for (const ask of nested) {
        await expect(db.transaction(reader, ask)).rejects.toThrow('requested a second connection');
        await expect(db.migration(ask)).rejects.toThrow('requested a second connection');
      }
      const sideBySide = [1, 2, 3].map((n) => db.transaction(reader, (tx) => tx.query('select $1::int as n', [n])));
      expect((await Promise.all(sideBySide)).map(({ rows }) => rows[0].n)).toEqual([1, 2, 3]);
    });

    test('allows queries after the transaction has ended', async () => {
      let later: Promise<unknown> | undefined;
      const { promise: ended, resolve: end } = Promise.withResolvers<void>();
      await db.transaction(reader, async () => {
        later = ended.then(() => db.transaction(reader, (tx) => tx.query('select 1 as one')));
      });
      end();
      expect(await later).toMatchObject({ rows: [{ one: 1 }] });
    });

    test('rejects a query on an ended transaction', async () => {
      let kept: Transaction | undefined;
      await db.transaction(reader, async (tx) => {
        kept = tx;
      });
      await expect(kept?.query("insert into item values (20, 'a', 'late')")).rejects.toThrow('has ended');
    });

    test('runs concurrent queries in order and commits after the last', async () => {
      await db.transaction(reader, async (tx) => {
        await Promise.all([30, 31, 32].map((id) => tx.query("insert into item values ($1, 'a', 'x')", [id])));
        void tx.query("insert into item values (33, 'a', 'x')");
      });
      const { rows } = await db.transaction(reader, (tx) => tx.query('select id from item where id >= 30 order by 1'));
      expect(rows.map((row) => row.id)).toEqual([30, 31, 32, 33]);
    });

    test('rolls back when a connection is released inside a transaction', async () => {
      const client = await db.pool.connect();
      await client.query('begin');
      await client.query('create table half_done (id int)');
      client.release();
      const { rows } = await db.pool.query(
        "select to_regclass('half_done') as there, pg_current_xact_id_if_assigned() as open",
      );
      expect(rows).toEqual([{ there: null, open: null }]);
    });

    test('supports array rows, named statements, notices and several statements in one text', async () => {
      const client = await db.pool.connect();
      try {
        const array = await client.query({ text: 'select 1 as a, $1::text as a', values: ['x'], rowMode: 'array' });
        expect(array.rows).toEqual([[1, 'x']]);
        expect(array.fields.map((field) => field.name)).toEqual(['a', 'a']);
        for (const n of [1, 2]) {
          const named = await client.query({ name: 'plus', text: 'select $1::int + 1 as n', values: [n] });
          expect(named.rows).toEqual([{ n: n + 1 }]);
        }
        const notices: unknown[] = [];
        const listener = (notice: { message?: string | undefined }) => notices.push(notice.message);
        client.on('notice', listener);
        await client.query("do $$ begin raise notice 'hello'; end $$");
        client.removeListener('notice', listener);
        expect(notices).toEqual(['hello']);
        const several = (await client.query('select 1 as a; select 2 as b')) as unknown as { rows: unknown[] }[];
        expect(several.map((one) => one.rows)).toEqual([[{ a: 1 }], [{ b: 2 }]]);
      } finally {
        client.release();
      }
    });

    test('replaces a discarded connection with one that has a clean session', async () => {
      const client = await db.pool.connect();
      await client.query("set search_path to 'elsewhere'");
      await client.query({ name: 'kept', text: 'select 1' });
      await client.query('create temporary table leftover (id int)');
      await client.query('begin');
      client.release(true);
      const next = await db.pool.connect();
      try {
        expect((await next.query("select to_regclass('item') is not null as found")).rows).toEqual([{ found: true }]);
        expect((await next.query("select to_regclass('leftover') as found")).rows).toEqual([{ found: null }]);
        expect((await next.query({ name: 'kept', text: 'select 2 as n' })).rows).toEqual([{ n: 2 }]);
        expect(next.getTransactionStatus()).toBe('I');
      } finally {
        next.release();
      }
    });

    test('resets the session after a migration', async () => {
      await db.migration((tx) => tx.query("set search_path to 'elsewhere'; set role platform_test_reader; begin"));
      const { rows } = await db.pool.query(
        "select to_regclass('item') is not null as found, current_user = session_user as own",
      );
      expect(rows).toEqual([{ found: true, own: true }]);
    });

    test('survives a pool query that fails', async () => {
      await expect(db.pool.query('select 1 / 0')).rejects.toMatchObject({ code: '22012' });
      expect((await db.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    });

    test('carries large values and results', async () => {
      const text = 'ü'.repeat(1_000_000);
      const { rows } = await db.pool.query('select $1::text as text, n from generate_series(1, 3) n', [text]);
      expect(rows.map((row) => row.n)).toEqual([1, 2, 3]);
      expect(rows.every((row) => row.text === text)).toBe(true);
      const many = await db.pool.query('select n, $1::text as pad from generate_series(1, 20000) n', ['x'.repeat(50)]);
      expect(many.rows).toHaveLength(20_000);
      expect(many.rows.at(-1)).toEqual({ n: 20_000, pad: 'x'.repeat(50) });
    });

    test('receives notifications after the commit and none after unlisten', async () => {
      const heard: string[] = [];
      const first = Promise.withResolvers<void>();
      const stop = await db.listen(
        'Odd "Channel"',
        (payload) => {
          heard.push(payload);
          if (heard.length === 2) first.resolve();
        },
        () => {},
      );
      const notify = (payload: string) => (tx: Transaction) =>
        tx.query('select pg_notify($1, $2)', ['Odd "Channel"', payload]);
      await db
        .transaction(reader, async (tx) => {
          await notify('never')(tx);
          throw new Error('undone');
        })
        .catch(() => {});
      await db.transaction(reader, notify('one'));
      await db.transaction(reader, notify('two'));
      await first.promise;
      await stop();
      await db.transaction(reader, notify('three'));
      await db.check();
      expect(heard).toEqual(['one', 'two']);
    });

    test('reports that it is healthy', async () => {
      expect(await db.check()).toEqual({ ok: true });
    });
  });
});

test.skipIf(!postgresAvailable())('both databases give the same values for every type', async () => {
  const [embedded, postgres] = await Promise.all([
    opened.embedded?.pool.query(everyType),
    opened.postgres?.pool.query(everyType),
  ]);
  expect(embedded?.rows).toEqual(postgres?.rows);
  expect(embedded?.fields.map((field) => field.dataTypeID)).toEqual(postgres?.fields.map((field) => field.dataTypeID));
  expect(embedded?.rows[0]).toMatchObject({
    big: '9007199254740993',
    exact: '1.10',
    ints: [1, 2, null],
    json: { a: [1, null] },
  });
  expect(embedded?.rows[0].at).toEqual(new Date('2026-03-01T08:00:00.123Z'));
});
