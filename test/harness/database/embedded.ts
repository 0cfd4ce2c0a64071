/**
 * Embedded databases that are created once and then copied, because creating a database takes seconds. The databases
 * are kept for later runs, in folders named after the checksum of their sources.
 */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ensurePartitions } from '../../../server/engine/housekeeping.ts';
import { type Clock, systemClock } from '../../../server/platform/clock.ts';
import type { Database } from '../../../server/platform/database.ts';
import { openEmbedded } from '../../../server/platform/embedded/embedded.ts';
import { silentLog } from '../../../server/platform/log.ts';
import { migrate } from '../../../server/platform/migrate.ts';
import { scratchFolder } from '../machine/scratch.ts';

const root = join(import.meta.dirname, '../../..');
const cache = join(root, 'node_modules/.cache/tocsin-test');
const engine = join(root, 'node_modules/@electric-sql/pglite');

/** The default start time of a test. */
export const TEST_BEGINS = new Date('2026-03-02T08:00:00Z');

export type Contents = 'empty' | 'migrated';

const originals = new Map<Contents, Promise<string>>();
let code: Promise<unknown> | undefined;

/** Copies a database into a new data folder and returns the folder. */
export async function embeddedFolder(contents: Contents): Promise<string> {
  await keepCompiledCode();
  const original = originals.get(contents) ?? prepare(contents);
  originals.set(contents, original);
  const folder = scratchFolder('tocsin-test');
  cpSync(await original, folder, { recursive: true });
  return folder;
}

/**
 * Compiles the WebAssembly module of the embedded database once. Each database runs in its own thread, and all
 * databases of this process reuse the compiled code.
 */
export async function keepCompiledCode(): Promise<void> {
  // Node's type definitions do not contain WebAssembly.
  const { WebAssembly } = globalThis as any;
  code ??= WebAssembly.compile(readFileSync(join(engine, 'dist/pglite.wasm'))) as Promise<unknown>;
  await code;
}

export async function migrateTestDatabase(db: Database, clock: Clock = systemClock): Promise<void> {
  await migrate(db, {
    product: 'Tocsin',
    version: 'test',
    migrationsDir: join(root, 'db/migrations'),
    logicDir: join(root, 'db/logic'),
    log: silentLog,
    clock,
  });
}

/**
 * Migrates the database and adds partitions. These are the partitions that an app would create if it started at the
 * time at which tests start.
 */
export async function makeOriginalDatabase(db: Database): Promise<void> {
  await migrateTestDatabase(db);
  await ensurePartitions(db, TEST_BEGINS);
}

async function prepare(contents: Contents): Promise<string> {
  const folder = join(cache, contents === 'empty' ? `empty-${checksum([])}` : schemaChecksum());
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  removeOld();
  const unfinished = `${folder}.${process.pid}`;
  rmSync(unfinished, { recursive: true, force: true });
  const db = await openEmbedded({ dataDir: unfinished, log: silentLog, diskFloorBytes: 0 });
  try {
    if (contents === 'migrated') await makeOriginalDatabase(db);
  } finally {
    await db.close();
  }
  // Renaming is atomic, so other processes see either the complete folder or no folder.
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    rmSync(unfinished, { recursive: true });
  }
  return folder;
}

/** Removes folders older than a day. Newer folders may still be in use. */
function removeOld(): void {
  const limit = systemClock.now().getTime() - 24 * 3_600_000;
  for (const path of readdirSync(cache).map((name) => join(cache, name))) {
    if ((statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? limit) < limit)
      rmSync(path, { recursive: true, force: true });
  }
}

/** Returns the checksum of all sources that affect a migrated database. */
export function schemaChecksum(): string {
  const folders = ['db/migrations', 'db/logic'].map((folder) => join(root, folder));
  return checksum([
    ...folders.flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(sql|json)$/.test(name))
        .sort()
        .map((name) => join(folder, name)),
    ),
    join(root, 'server/platform/migrate.ts'),
    import.meta.filename,
  ]);
}

function checksum(files: string[]): string {
  const hash = createHash('sha256');
  for (const file of [...files, join(engine, 'package.json')])
    hash.update(file.slice(root.length)).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex').slice(0, 32);
}
