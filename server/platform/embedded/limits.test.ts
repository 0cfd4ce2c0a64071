import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { embeddedFolder } from '../../../test/harness/database/embedded.ts';
import { long } from '../../../test/harness/long.ts';
import { silentLog } from '../log.ts';
import type { EmbeddedDatabase } from './embedded.ts';
import { openEmbedded } from './embedded.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const endless = 'select count(*) from generate_series(1, 1000000000000)';

let root: string;
let db: EmbeddedDatabase;

beforeAll(async () => {
  root = await embeddedFolder('empty');
  db = await openEmbedded({ dataDir: root, log: silentLog, queryLimitMs: 700 });
  // Creates the tables in a migration, which has a longer time limit. On a busy machine, the first queries could exceed
  // the normal limit.
  await db.migration((tx) => tx.query('create table fact (id int primary key, note text); create role visitor'));
});

afterEach(() => db.pool.query('truncate fact'));

afterAll(async () => {
  await db?.close();
  rmSync(root, { recursive: true, force: true });
});

describe('a query that does not end', () => {
  test('is stopped, and later queries succeed', async () => {
    await db.pool.query("insert into fact values (1, 'kept')");
    const reconnected = Promise.withResolvers<void>();
    const heard = Promise.withResolvers<string>();
    await db.listen('news', heard.resolve, reconnected.resolve);

    const client = await db.pool.connect();
    await client.query('begin');
    await client.query("insert into fact values (2, 'lost')");
    const stuck = client.query(endless);
    const waiting = db.pool.query('select id from fact order by id');
    await expect(stuck).rejects.toMatchObject({ code: '57014', message: expect.stringContaining('longer than 0.7 s') });
    client.release();

    expect((await waiting).rows).toEqual([{ id: 1 }]);
    await reconnected.promise;
    await db.pool.query("notify news, 'after'");
    expect(await heard.promise).toBe('after');
    expect(await db.check()).toEqual({ ok: true });
  });

  test('fails its transaction with the reason and notifies listeners at once', async () => {
    const reconnected = Promise.withResolvers<void>();
    const stop = await db.listen('more news', () => {}, reconnected.resolve);
    const attempt = db.transaction({ role: 'visitor', settings: {} }, (tx) => tx.query(endless));
    await expect(attempt).rejects.toMatchObject({ code: '57014' });
    await reconnected.promise;
    await stop();
    expect(await db.check()).toEqual({ ok: true });
  });

  test('has more time in a migration', async () => {
    await db.migration((tx) => tx.query('select pg_sleep(1)'));
    await expect(db.pool.query(endless)).rejects.toMatchObject({ code: '57014' });
  });

  long('in memory ends the database, because its data is lost', async () => {
    const dump = join(root, 'memory.tar');
    writeFileSync(dump, await db.dump());
    const memory = await openEmbedded({ dataDir: 'memory', loadFrom: dump, queryLimitMs: 700, log: silentLog });
    await expect(memory.pool.query(endless)).rejects.toMatchObject({ code: '57014' });
    await expect(memory.pool.query('select 1')).rejects.toMatchObject({
      cause: { message: expect.stringContaining('in memory only') },
    });
    expect(await memory.check()).toMatchObject({ ok: false });
    await memory.close();
  });
});
