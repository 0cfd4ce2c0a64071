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
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { keepCompiledCode } from '../../../test/harness/database/embedded.ts';
import { isLong } from '../../../test/harness/long.ts';
import { scratchFolder } from '../../../test/harness/machine/scratch.ts';
import { silentLog } from '../log.ts';
import { openDatabase } from '../open-database.ts';
import { StartError } from '../start-error.ts';
import type { EmbeddedDatabase, EmbeddedOptions } from './embedded.ts';
import { openEmbedded } from './embedded.ts';
import { EMBEDDED_MAJOR } from './folder.ts';

// Opening a database takes seconds on a busy machine, and some tests open three databases.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let root: string;
let template: string;
const open: EmbeddedDatabase[] = [];

beforeAll(async () => {
  await keepCompiledCode();
  root = scratchFolder('embedded');
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

/** Copies a prepared data folder, which is faster than creating a database, and returns the path of the copy. */
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

describe('the data folder', () => {
  test('is readable by its user only and unlocked after closing', () => {
    for (const path of [template, join(template, 'db')]) expect(statSync(path).mode & 0o777).toBe(0o700);
    expect(readdirSync(template)).toEqual(['db']);
    expect(readFileSync(join(template, 'db', 'PG_VERSION'), 'utf8').trim()).toBe(EMBEDDED_MAJOR);
  });

  test('is used when no server URL is set', async () => {
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

  test('replaces a database whose creation was interrupted', async () => {
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
    ['a file', (dir: string) => [rmSync(dir, { recursive: true }), writeFileSync(dir, '')], 'Cannot use the folder'],
    ['foreign files', (dir: string) => rmSync(join(dir, 'db', 'PG_VERSION')), 'not a database'],
    ['another version', (dir: string) => writeFileSync(join(dir, 'db', 'PG_VERSION'), '12\n'), 'PostgreSQL 12'],
    ['a broken database', (dir: string) => rmSync(join(dir, 'db', 'global', 'pg_control')), 'could not be opened'],
  ])('that is or contains %s is refused with a message of one line', async (_what, spoil, message) => {
    const dataDir = folder();
    spoil(dataDir);
    const error = await openEmbedded({ dataDir, log: silentLog }).catch((reason: Error) => reason);
    expect(error).toBeInstanceOf(StartError);
    expect((error as Error).message).toContain(message);
    expect((error as Error).message).not.toContain('\n');
    expect(existsSync(join(dataDir, 'tocsin.lock'))).toBe(false);
  });

  test('is no longer written after another process has taken its lock', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const dataDir = folder();
    const db = await opened({ dataDir });
    const lock = JSON.parse(readFileSync(join(dataDir, 'tocsin.lock'), 'utf8'));
    writeFileSync(join(dataDir, 'tocsin.lock'), JSON.stringify({ ...lock, token: 'another' }));
    await db.pool.query('insert into fact values (1)');
    vi.advanceTimersByTime(10_000);
    await expect(db.pool.query('insert into fact values (2)')).rejects.toThrow('Another process has locked');
  });
});

describe('a dump', () => {
  test.each(isLong ? (['gzip', 'none'] as const) : (['gzip'] as const))(
    'with compression %s can be opened as a new database, but does not replace an existing one',
    async (compression) => {
      const db = await opened();
      await db.pool.query("insert into fact values (7, 'kept')");
      const path = join(root, `dump-${compression}`);
      writeFileSync(path, await db.dump(compression));
      const folderOfCopy = compression === 'none' ? 'memory' : mkdtempSync(join(root, 'copy-'));
      const copy = await opened({ dataDir: folderOfCopy, loadFrom: path });
      expect((await copy.pool.query('select * from fact')).rows).toEqual([{ id: 7, note: 'kept' }]);
      await copy.pool.query("insert into fact values (8, 'more')");
      expect((await db.pool.query('select count(*)::int as n from fact')).rows).toEqual([{ n: 1 }]);
      if (compression === 'none') return;
      await copy.close();
      const again = await opened({ dataDir: folderOfCopy, loadFrom: path });
      expect((await again.pool.query('select count(*)::int as n from fact')).rows).toEqual([{ n: 2 }]);
    },
  );
});

describe('closing', () => {
  test('serves running and waiting queries in order and refuses later ones', async () => {
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
