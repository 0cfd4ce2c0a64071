import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { HandClock } from './clock.ts';
import { openDatabase } from './database.ts';
import type { EmbeddedDatabase, EmbeddedOptions } from './embedded.ts';
import { openEmbedded } from './embedded.ts';
import { EMBEDDED_MAJOR } from './embedded-folder.ts';
import { silentLog } from './log.ts';
import { StartError } from './start-error.ts';

// Opening a database takes a second or several on a busy machine, and some tests open three.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let root: string;
let template: string;
const open: EmbeddedDatabase[] = [];

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'embedded-'));
  template = join(root, 'template');
  const db = await openEmbedded({ dataDir: template, log: silentLog });
  await db.pool.query('create table fact (id int primary key, note text)');
  await db.close();
});

afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(open.splice(0).map((db) => db.close()));
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A data folder of its own with a database in it, which is quicker than making one. */
function folder(): string {
  const dataDir = mkdtempSync(join(root, 'data-'));
  cpSync(template, dataDir, { recursive: true });
  return dataDir;
}

async function opened(options: Partial<EmbeddedOptions> = {}): Promise<EmbeddedDatabase> {
  const db = await openEmbedded({ dataDir: folder(), log: silentLog, ...options });
  open.push(db);
  return db;
}

const endless = 'select count(*) from generate_series(1, 1000000000000)';

describe('the data folder', () => {
  test('is readable by its user alone, and free again after closing', () => {
    for (const path of [template, join(template, 'db')]) expect(statSync(path).mode & 0o777).toBe(0o700);
    expect(readdirSync(template)).toEqual(['db']);
    expect(readFileSync(join(template, 'db', 'PG_VERSION'), 'utf8').trim()).toBe(EMBEDDED_MAJOR);
  });

  test('is used when no address of a server is given', async () => {
    const dataDir = folder();
    const db = await openDatabase({ dataDir, log: silentLog });
    expect(db.kind).toBe('embedded');
    expect(existsSync(join(dataDir, 'tocsin.lock'))).toBe(true);
    await db.close();
    await db.close();
    expect(existsSync(join(dataDir, 'tocsin.lock'))).toBe(false);
    await expect(db.pool.query('select 1')).rejects.toThrow('being closed');
  });

  test('opens after a power cut that left an empty pid file', async () => {
    const dataDir = folder();
    writeFileSync(join(dataDir, 'db', 'postmaster.pid'), '');
    const db = await opened({ dataDir });
    expect(await db.check()).toEqual({ ok: true });
  });

  test('with a database whose creation was cut off gets a new one', async () => {
    const dataDir = mkdtempSync(join(root, 'cut-'));
    writeFileSync(join(dataDir, 'db.unfinished'), '');
    mkdirSync(join(dataDir, 'db'));
    writeFileSync(join(dataDir, 'db', 'PG_VERSION'), `${EMBEDDED_MAJOR}\n`);
    const dump = join(root, 'start.tar');
    writeFileSync(dump, await (await opened()).dump());
    const db = await opened({ dataDir, loadFrom: dump });
    expect((await db.pool.query('select count(*)::int as n from fact')).rows).toEqual([{ n: 0 }]);
    expect(existsSync(join(dataDir, 'db.unfinished'))).toBe(false);
  });

  test.each([
    ['a file', (dir: string) => [rmSync(dir, { recursive: true }), writeFileSync(dir, '')], 'cannot be used'],
    ['foreign files', (dir: string) => rmSync(join(dir, 'db', 'PG_VERSION')), 'no database'],
    ['another version', (dir: string) => writeFileSync(join(dir, 'db', 'PG_VERSION'), '12\n'), 'PostgreSQL 12'],
    ['a broken database', (dir: string) => rmSync(join(dir, 'db', 'global', 'pg_control')), 'could not be opened'],
  ])('that is or holds %s is refused in one line', async (_what, spoil, message) => {
    const dataDir = folder();
    spoil(dataDir);
    const error = await openEmbedded({ dataDir, log: silentLog }).catch((reason: Error) => reason);
    expect(error).toBeInstanceOf(StartError);
    expect((error as Error).message).toContain(message);
    expect((error as Error).message).not.toContain('\n');
    expect(existsSync(join(dataDir, 'tocsin.lock'))).toBe(false);
  });

  test('that another process took away is not written any more', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const dataDir = folder();
    const db = await opened({ dataDir });
    const lock = JSON.parse(readFileSync(join(dataDir, 'tocsin.lock'), 'utf8'));
    writeFileSync(join(dataDir, 'tocsin.lock'), JSON.stringify({ ...lock, token: 'another' }));
    await db.pool.query('insert into fact values (1)');
    vi.advanceTimersByTime(10_000);
    await expect(db.pool.query('insert into fact values (2)')).rejects.toThrow('Another process has taken');
  });
});

describe('a query that does not end', () => {
  test('is stopped, and everything else goes on', async () => {
    const db = await opened({ queryLimitMs: 700 });
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

  test('ends its transaction with the reason', async () => {
    const db = await opened({ queryLimitMs: 700 });
    await db.pool.query('create role visitor');
    const attempt = db.transaction({ role: 'visitor', settings: {} }, (tx) => tx.query(endless));
    await expect(attempt).rejects.toMatchObject({ code: '57014' });
    expect(await db.check()).toEqual({ ok: true });
  });

  test('may be a migration, which has more time', async () => {
    const db = await opened({ queryLimitMs: 700 });
    await db.migration((tx) => tx.query('select pg_sleep(1)'));
    await expect(db.pool.query('select pg_sleep(1)')).rejects.toMatchObject({ code: '57014' });
  });

  test('in memory ends the database, because nothing of it is left', async () => {
    const dump = join(root, 'memory.tar');
    writeFileSync(dump, await (await opened()).dump());
    const db = await opened({ dataDir: 'memory', loadFrom: dump, queryLimitMs: 700 });
    await expect(db.pool.query(endless)).rejects.toMatchObject({ code: '57014' });
    await expect(db.pool.query('select 1')).rejects.toThrow('in memory only');
    expect(await db.check()).toMatchObject({ ok: false });
  });
});

describe('an almost full disk', () => {
  test('stops writing and not reading, with the error of a full disk', async () => {
    const dataDir = folder();
    const db = await opened({ dataDir, diskFloorBytes: Number.MAX_SAFE_INTEGER });
    expect((await db.pool.query('select count(*)::int as n from fact')).rows).toEqual([{ n: 0 }]);
    const full = { code: '53100', message: expect.stringMatching(/^The disk is almost full: \d+ MB are free/) };
    await expect(db.pool.query("insert into fact values (1, 'x')")).rejects.toMatchObject(full);
    await expect(db.pool.query('insert into fact values ($1)', [1])).rejects.toMatchObject(full);
    await expect(db.pool.query('create table more (id int)')).rejects.toMatchObject(full);
    await expect(db.migration((tx) => tx.query('begin; delete from fact; commit'))).rejects.toMatchObject(full);
    expect((await db.pool.query('select count(*)::int as n from fact')).rows).toEqual([{ n: 0 }]);
    expect(await db.check()).toMatchObject({ ok: false, problem: expect.stringContaining('The disk is almost full') });
    await db.close();

    const again = await opened({ dataDir });
    await again.pool.query("insert into fact values (1, 'x')");
    expect(await again.check()).toEqual({ ok: true });
  });
});

describe('maintenance', () => {
  const redo = async (db: EmbeddedDatabase) =>
    (await db.pool.query('select redo_lsn::text as at from pg_control_checkpoint()')).rows[0].at as string;

  test('makes a checkpoint a minute after a write, and none while nothing is written', async () => {
    const clock = new HandClock(new Date('2026-03-01T10:00:00Z'));
    const db = await opened({ clock });
    clock.advance(60_000);
    await db.maintain();
    const before = await redo(db);
    clock.advance(600_000);
    expect(await db.maintain()).toEqual({ task: 'nothing', because: 'not-due' });
    expect(await redo(db)).toBe(before);

    await db.pool.query("insert into fact values (1, 'x')");
    expect(await db.maintain()).toEqual({ task: 'checkpoint', because: 'time-passed' });
    expect(await redo(db)).not.toBe(before);
    await db.pool.query("insert into fact values (2, 'x')");
    expect(await db.maintain()).toEqual({ task: 'nothing', because: 'not-due' });
  });

  test('makes a checkpoint when the log has grown, and keeps the log short by it', async () => {
    const dataDir = folder();
    const db = await opened({ dataDir, maintenance: { checkpointBytes: 8 * 1024 * 1024, everyMs: 86_400_000 } });
    const segments = () =>
      readdirSync(join(dataDir, 'db', 'pg_wal')).filter((name) => /^[0-9A-F]{24}$/.test(name)).length;
    const write = () => db.pool.query("update fact set note = repeat('x', 500)");
    await db.pool.query('insert into fact select n from generate_series(1, 20000) n');
    for (let round = 0; round < 4; round += 1) {
      await write();
      expect(await db.maintain()).toEqual({ task: 'checkpoint', because: 'log-is-long' });
    }
    expect(segments()).toBeLessThan(8);
  });

  test('vacuums what changed much after half an hour', async () => {
    const clock = new HandClock(new Date('2026-03-01T10:00:00Z'));
    const db = await opened({ clock });
    await db.pool.query('insert into fact select n from generate_series(1, 500) n');
    await db.pool.query('delete from fact where id > 100');
    clock.advance(30 * 60_000);
    expect((await db.maintain()).task).toBe('checkpoint');
    expect(await db.maintain()).toEqual({ task: 'vacuum', because: 'time-passed' });
    const { rows } = await db.pool.query(
      "select n_dead_tup::int as dead, last_vacuum is not null as vacuumed, last_analyze is not null as analysed from pg_stat_user_tables where relname = 'fact'",
    );
    expect(rows).toEqual([{ dead: 0, vacuumed: true, analysed: true }]);
    expect((await db.maintain()).task).not.toBe('vacuum');
    expect(await db.vacuum()).toBe(0);
  });

  test('runs by itself when it is asked for', async () => {
    const db = await opened({ maintenance: { everyMs: 10, checkpointMs: 0 } });
    const before = await redo(db);
    await db.pool.query("insert into fact values (1, 'x')");
    await vi.waitFor(async () => expect(await redo(db)).not.toBe(before));
  });
});

describe('a dump', () => {
  test.each(['none', 'gzip'] as const)('with compression %s can be opened as a new database', async (compression) => {
    const db = await opened();
    await db.pool.query("insert into fact values (7, 'kept')");
    const path = join(root, `dump-${compression}`);
    writeFileSync(path, await db.dump(compression));
    const copy = await opened({
      dataDir: compression === 'none' ? 'memory' : mkdtempSync(join(root, 'copy-')),
      loadFrom: path,
    });
    expect((await copy.pool.query('select * from fact')).rows).toEqual([{ id: 7, note: 'kept' }]);
    await copy.pool.query("insert into fact values (8, 'more')");
    expect((await db.pool.query('select count(*)::int as n from fact')).rows).toEqual([{ n: 1 }]);
  });
});

describe('closing', () => {
  test('waits for what runs and for who waits, in their order, and refuses who comes later', async () => {
    const dataDir = folder();
    const db = await opened({ dataDir });
    const order: string[] = [];
    const asked = ['first', 'second', 'third'].map((name) =>
      db.pool.query('insert into fact values ((select count(*) from fact), $1)', [name]).then(() => order.push(name)),
    );
    const closed = db.close().then(() => order.push('closed'));
    await expect(db.pool.query('select 1')).rejects.toThrow('being closed');
    await Promise.all([...asked, closed]);
    expect(order).toEqual(['first', 'second', 'third', 'closed']);

    const again = await opened({ dataDir });
    const { rows } = await again.pool.query('select note from fact order by id');
    expect(rows.map((row) => row.note)).toEqual(['first', 'second', 'third']);
  });
});
