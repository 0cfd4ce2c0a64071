/**
 * A fresh, migrated database for a test: embedded, or on a PostgreSQL server when TOCSIN_TEST_DATABASE says so. Migrating
 * takes its time, so it is done once in a process and every test gets a copy.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
    template = kind === 'embedded' ? embeddedTemplate(prepare) : postgresTemplate(prepare);
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

async function embeddedTemplate(prepare: (db: Database) => Promise<void>): Promise<Template> {
  const db = await openEmbedded({ dataDir: 'memory', log: silentLog });
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-template-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  const dump = join(folder, 'database.tar');
  try {
    await prepare(db);
    writeFileSync(dump, await db.dump());
  } finally {
    await db.close();
  }
  return {
    copy: () => openEmbedded({ dataDir: 'memory', loadFrom: dump, log: silentLog }),
    dispose: async () => remove(),
  };
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
