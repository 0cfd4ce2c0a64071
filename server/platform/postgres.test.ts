import type { Server } from 'node:net';
import { createServer } from 'node:net';
import { finished } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { TestPostgres } from '../../test/harness/database/postgres.ts';
import { postgresAvailable, testPostgres } from '../../test/harness/database/postgres.ts';
import type { Database } from './database.ts';
import { silentLog } from './log.ts';
import { openDatabase } from './open-database.ts';
import { openPostgres, versionProblem } from './postgres.ts';
import { StartError } from './start-error.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

async function refusal(url: string, options: { connectTimeoutMs?: number } = {}): Promise<string> {
  const error = await openPostgres({ url, log: silentLog, ...options }).then(
    async (db) => {
      await db.close();
      throw new Error('It opened.');
    },
    (reason: Error) => reason,
  );
  expect(error).toBeInstanceOf(StartError);
  expect(error.message).not.toContain('\n');
  expect(error.message).not.toContain('secret-word');
  return error.message;
}

describe('a server URL is refused', () => {
  test('when it is not a URL', async () => {
    for (const url of [
      'localhost',
      'mysql://root:secret-word@localhost/db',
      'postgres://user:secret-word@host:port/db',
    ]) {
      expect(await refusal(url)).toContain('Write it as postgres://user:password@host:5432/database');
    }
  });

  test('when nothing listens there', async () => {
    const url = 'postgres://someone:secret-word@127.0.0.1:1/plant';
    expect(await refusal(url)).toMatch(/^PostgreSQL is not responding at 127.0.0.1:1. Start the server/);
    expect(await refusal('postgres://someone:secret-word@no-such-host.invalid/plant')).toMatch(
      /no-such-host.invalid in the database address cannot be found|did not respond|Cannot use PostgreSQL/,
    );
  });

  test('when the server never responds', async () => {
    const mute: Server = createServer(() => {});
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
    const address = mute.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    expect(await refusal(`postgres://someone:secret-word@127.0.0.1:${port}/plant`, { connectTimeoutMs: 200 })).toMatch(
      /did not respond in time. Check the network/,
    );
    mute.close();
  });

  test('when the server is too old', () => {
    expect(versionProblem(140011, '14.11 (Debian)')).toMatch(
      /^The PostgreSQL server is version 14.11 \(Debian\), but Tocsin needs version 15 or newer. Upgrade/,
    );
    expect(versionProblem(150000, '15.0')).toBeUndefined();
    expect(versionProblem(Number.NaN, '')).toBeDefined();
  });
});

describe.skipIf(!postgresAvailable())('a PostgreSQL server', () => {
  let server: TestPostgres;
  let url: string;
  let db: Database;
  const name = 'platform_postgres_test';

  beforeAll(async () => {
    server = await testPostgres('platform');
    await server.dropDatabase(name);
    await server.createDatabase(name);
    url = server.urlFor(name);
    db = await openPostgres({ url, log: silentLog, listenRetryMs: 20 });
  });

  afterAll(async () => {
    await db?.close();
    await server?.dropDatabase(name);
    await server?.stop();
  });

  /** Ends connections from the server side, as a server restart does. */
  async function cut(condition: string): Promise<number> {
    const admin = new pg.Client(server.adminUrl);
    await admin.connect();
    const { rowCount } = await admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and ${condition}`,
    );
    await admin.end();
    return rowCount ?? 0;
  }

  test('is opened by its URL', async () => {
    const other = await openDatabase({ url, dataDir: '/nowhere', log: silentLog });
    expect(other.kind).toBe('postgres');
    const { rows } = await other.pool.query(
      "select current_setting('application_name') as app, current_setting('statement_timeout') as timeout, current_setting('TimeZone') as zone",
    );
    expect(rows).toEqual([{ app: 'tocsin', timeout: '30s', zone: 'UTC' }]);
    await other.close();
    await other.close();
    await expect(other.pool.query('select 1')).rejects.toThrow('being closed');
  });

  test('says what to do about a wrong password, user or database', async () => {
    const wrong = (change: (address: URL) => void) => {
      const address = new URL(url);
      change(address);
      return refusal(address.href);
    };
    expect(await wrong((address) => (address.password = 'secret-word'))).toMatch(
      /refused the password of the user platform. Correct/,
    );
    expect(await wrong((address) => (address.password = ''))).toMatch(/requires a password for the user platform/);
    expect(await wrong((address) => (address.username = 'nobody-here'))).toMatch(/the user nobody-here/);
    expect(await wrong((address) => (address.pathname = '/missing_one'))).toMatch(
      /has no database missing_one. Create it/,
    );
  });

  test('stops a statement that runs too long, except in a migration', async () => {
    const hasty = await openPostgres({ url, log: silentLog, statementTimeoutMs: 50 });
    await expect(hasty.pool.query('select pg_sleep(10)')).rejects.toMatchObject({ code: '57014' });
    await hasty.migration((tx) => tx.query('select pg_sleep(0.1)'));
    await hasty.close();
  });

  test('can close idle and busy connections without ending the process', async () => {
    await db.pool.query('select 1');
    await cut("state = 'idle' and query not like 'listen%'");
    await vi.waitUntil(() => db.pool.totalCount === 0, { timeout: 30_000 });
    const own = { role: 'platform', settings: {} };
    const failed = expect(db.transaction(own, (tx) => tx.query('select pg_sleep(60)'))).rejects.toThrow(
      'The database is not responding',
    );
    await vi.waitUntil(() => cut("query = 'select pg_sleep(60)'"), { timeout: 30_000 });
    await failed;
    expect(await db.check()).toEqual({ ok: true });
  });

  describe('ends a transaction that blocks this process while its own process is suspended', () => {
    const LOCK = 'select pg_advisory_xact_lock(4711)';
    const own = { role: 'platform', settings: {} };

    /** Opens a transaction that holds the lock. `work` makes its client stop responding. */
    async function blocked(work: (client: pg.Client) => unknown): Promise<void> {
      const suspended = new pg.Client(url);
      const ended = new Promise((resolve) => suspended.on('error', resolve));
      await suspended.connect();
      const blocks = await openPostgres({ url, log: silentLog, watchdogLimits });
      try {
        await suspended.query(`begin; ${LOCK}; create temporary table pile (value text)`);
        await work(suspended);
        await blocks.transaction(own, (tx) => tx.query(LOCK));
        suspended.connection.stream.resume();
        await ended;
      } finally {
        await blocks.close();
        suspended.connection.stream.destroy();
      }
    }
    const watchdogLimits = { answer: 1000, connect: 1500, blockedLooks: 2 };

    test('in the middle of COPY', async () => {
      await blocked((client) => {
        const copy = client.query(copyFrom('copy pile from stdin'));
        copy.on('error', () => {});
      });
    });

    test('in the middle of a large result', async () => {
      await blocked((client) => {
        client.connection.stream.pause();
        client.query("select repeat('x', 100000000)").catch(() => {});
      });
    });

    test('between two statements', async () => {
      await blocked(() => {});
    });

    describe('but not', () => {
      /** Runs `work` in a transaction that holds a lock for which another connection is waiting. */
      async function holding(work: (client: pg.Client) => Promise<unknown>): Promise<void> {
        const holder = new pg.Client(url);
        await holder.connect();
        const blocks = await openPostgres({ url, log: silentLog, watchdogLimits });
        try {
          await holder.query(`begin; ${LOCK}; create temporary table pile (value text)`);
          const waiting = blocks.transaction(own, (tx) => tx.query(LOCK));
          await work(holder);
          await holder.query('commit');
          await waiting;
        } finally {
          await blocks.close();
          await holder.end();
        }
      }
      const pause = () => new Promise((resolve) => setTimeout(resolve, 100));

      test('a statement that runs long', () => holding((client) => client.query('select pg_sleep(4)')));

      test('a transaction that runs many short statements', () =>
        holding(async (client) => {
          for (let count = 0; count < 40; count += 1) {
            await client.query('select 1');
            await pause();
          }
        }));

      test('a COPY that receives data slowly', () =>
        holding(async (client) => {
          const copy = client.query(copyFrom('copy pile from stdin'));
          for (let count = 0; count < 40; count += 1) {
            copy.write('x\n'.repeat(50_000));
            await pause();
          }
          copy.end();
          await finished(copy);
        }));
    });
  });

  test('is listened to again after a lost connection, and the listeners are called', async () => {
    const heard: string[] = [];
    const reconnected = Promise.withResolvers<void>();
    const after = Promise.withResolvers<void>();
    const stop = await db.listen(
      'news',
      (payload) => {
        heard.push(payload);
        if (payload === 'after') after.resolve();
      },
      reconnected.resolve,
    );
    await cut("query like 'listen%'");
    await reconnected.promise;
    await db.pool.query("notify news, 'after'");
    await after.promise;
    expect(heard).toEqual(['after']);
    await stop();
  });

  test('still calls the other listeners when one fails', async () => {
    const heard = Promise.withResolvers<string>();
    const stops = [
      await db.listen(
        'shared',
        () => {
          throw new Error('broken listener');
        },
        () => {},
      ),
      await db.listen('shared', heard.resolve, () => {}),
    ];
    await db.pool.query("notify shared, 'both'");
    expect(await heard.promise).toBe('both');
    for (const stop of stops) await stop();
  });

  test('is reported as unhealthy when it is gone, and can still be closed', async () => {
    await server.createDatabase('platform_postgres_gone');
    const doomed = await openPostgres({ url: server.urlFor('platform_postgres_gone'), log: silentLog });
    expect(await doomed.check()).toEqual({ ok: true });
    await server.dropDatabase('platform_postgres_gone');
    expect(await doomed.check()).toMatchObject({ ok: false, problem: expect.stringContaining('is not responding') });
    await doomed.close();
  });

  test('serves waiting requests before it closes', async () => {
    const small = await openPostgres({ url, log: silentLog, maxConnections: 1 });
    const asked = [1, 2, 3].map((n) => small.pool.query('select $1::int as n', [n]));
    await small.close();
    expect((await Promise.all(asked)).map((result) => result.rows[0].n)).toEqual([1, 2, 3]);
  });
});
