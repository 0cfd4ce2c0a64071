/**
 * A fresh, migrated database for a test: embedded, or on a PostgreSQL server when TOCSIN_TEST_DATABASE says so. Migrating
 * takes its time, so it is done once and every test gets a copy. The embedded one is even kept for later runs, under the
 * checksum of everything it was made from.
 */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../server/platform/clock.ts';
import { randomToken, systemClock } from '../../server/platform/clock.ts';
import type { Database } from '../../server/platform/database.ts';
import { openEmbedded } from '../../server/platform/embedded.ts';
import { silentLog } from '../../server/platform/log.ts';
import { migrate } from '../../server/platform/migrate.ts';
import { openPostgres } from '../../server/platform/postgres.ts';
import type { TestPostgres } from './postgres.ts';
import { testPostgres } from './postgres.ts';

export type TestDatabaseKind = Database['kind'];

export interface TestDatabaseOptions {
  /** Makes more than migrating part of the copied database, such as a demo; give each its own name. */
  template?: { name: string; prepare(db: Database): Promise<void> };
  kind?: TestDatabaseKind;
}

interface Template {
  copy(): Promise<Database>;
  dispose(): Promise<void>;
}

const root = join(import.meta.dirname, '../..');
const templates = new Map<string, Promise<Template>>();
let server: Promise<TestPostgres> | undefined;

export function testDatabaseKind(): TestDatabaseKind {
  const kind = process.env.TOCSIN_TEST_DATABASE || 'embedded';
  if (kind === 'embedded' || kind === 'postgres') return kind;
  throw new Error(`TOCSIN_TEST_DATABASE must be embedded or postgres, not "${kind}".`);
}

export async function openTestDatabase(options: TestDatabaseOptions = {}): Promise<Database> {
  const kind = options.kind ?? testDatabaseKind();
  const key = `${kind} ${options.template?.name ?? ''}`;
  let template = templates.get(key);
  if (!template) {
    const prepare = async (db: Database) => {
      await migrateTestDatabase(db);
      await options.template?.prepare(db);
    };
    const keep = options.template === undefined;
    template = kind === 'embedded' ? embeddedTemplate(prepare, keep) : postgresTemplate(prepare);
    templates.set(key, template);
  }
  return (await template).copy();
}

/** Removes what was made for copying, and ends a server that was started for it. For the end of a test file. */
export async function disposeTestDatabases(): Promise<void> {
  const all = [...templates.values()];
  templates.clear();
  for (const template of all) await (await template).dispose();
  const started = server;
  server = undefined;
  await (await started)?.stop();
}

export function migrateTestDatabase(db: Database, clock: Clock = systemClock): Promise<unknown> {
  return migrate(db, {
    product: 'Tocsin',
    version: 'test',
    migrationsDir: join(root, 'db/migrations'),
    logicDir: join(root, 'db/logic'),
    log: silentLog,
    clock,
  });
}

async function embeddedTemplate(prepare: (db: Database) => Promise<void>, keep: boolean): Promise<Template> {
  const folder = keep ? join(root, 'node_modules/.cache/tocsin-test') : mkdtempSync(join(tmpdir(), 'tocsin-template-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  if (!keep) process.once('exit', remove);
  const dump = join(folder, keep ? `${schemaChecksum()}.tar` : 'database.tar');
  if (!existsSync(dump)) {
    const db = await openEmbedded({ dataDir: 'memory', log: silentLog });
    try {
      await prepare(db);
      mkdirSync(folder, { recursive: true });
      removeOld(folder);
      // Other processes see it whole or not at all.
      writeFileSync(`${dump}.${process.pid}`, await db.dump());
      renameSync(`${dump}.${process.pid}`, dump);
    } finally {
      await db.close();
    }
  }
  return {
    copy: () => openEmbedded({ dataDir: 'memory', loadFrom: dump, log: silentLog }),
    dispose: async () => (keep ? undefined : remove()),
  };
}

/** What a run of today may still use stays. */
function removeOld(folder: string): void {
  const limit = systemClock.now().getTime() - 24 * 3_600_000;
  for (const path of readdirSync(folder).map((name) => join(folder, name))) {
    if ((statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? limit) < limit) rmSync(path, { force: true });
  }
}

/** Everything that decides what a migrated database looks like. */
function schemaChecksum(): string {
  const folders = ['db/migrations', 'db/logic'].map((folder) => join(root, folder));
  const files = [
    ...folders.flatMap((folder) =>
      readdirSync(folder)
        .sort()
        .map((name) => join(folder, name)),
    ),
    join(root, 'server/platform/migrate.ts'),
    join(root, 'node_modules/@electric-sql/pglite/package.json'),
  ];
  const hash = createHash('sha256');
  for (const file of files) hash.update(file.slice(root.length)).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex').slice(0, 32);
}

async function postgresTemplate(prepare: (db: Database) => Promise<void>): Promise<Template> {
  server ??= testPostgres();
  const postgres = await server;
  const name = () =>
    `tocsin_test_${randomToken(9)
      .toLowerCase()
      .replace(/[^a-z0-9]/g, '0')}`;
  const original = name();
  await postgres.createDatabase(original);
  const db = await openPostgres({ url: postgres.urlFor(original), log: silentLog });
  try {
    await prepare(db);
  } finally {
    await db.close();
  }
  return {
    async copy() {
      const database = name();
      await postgres.createDatabase(database, original);
      const opened = await openPostgres({ url: postgres.urlFor(database), log: silentLog, maxConnections: 4 });
      const close = opened.close.bind(opened);
      opened.close = async () => {
        await close();
        await postgres.dropDatabase(database);
      };
      return opened;
    },
    dispose: () => postgres.dropDatabase(original),
  };
}
