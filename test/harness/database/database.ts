/**
 * Provides a fresh, migrated database for a test: embedded, or on a PostgreSQL server if TOCSIN_TEST_DATABASE is
 * `postgres`. Migrating is slow, so it runs once and every test gets a copy.
 */
import { rmSync } from 'node:fs';
import { randomToken } from '../../../server/platform/clock.ts';
import type { Database } from '../../../server/platform/database.ts';
import { openEmbedded } from '../../../server/platform/embedded/embedded.ts';
import { silentLog } from '../../../server/platform/log.ts';
import { openPostgres } from '../../../server/platform/postgres.ts';
import { embeddedFolder, makeOriginalDatabase, schemaChecksum } from './embedded.ts';
import type { TestPostgres } from './postgres.ts';
import { testPostgres } from './postgres.ts';

export { migrateTestDatabase } from './embedded.ts';

export type TestDatabaseKind = Database['kind'];

const open = new Set<Database>();
let server: Promise<TestPostgres> | undefined;
/** URL of each open PostgreSQL database. */
const urls = new WeakMap<Database, string>();
const originals = new WeakMap<TestPostgres, Promise<string>>();

export function testDatabaseKind(): TestDatabaseKind {
  const kind = process.env.TOCSIN_TEST_DATABASE || 'embedded';
  if (kind === 'embedded' || kind === 'postgres') return kind;
  throw new Error(`TOCSIN_TEST_DATABASE must be embedded or postgres, not "${kind}".`);
}

export async function openTestDatabase(kind: TestDatabaseKind = testDatabaseKind()): Promise<Database> {
  const { db, remove } = kind === 'embedded' ? await openEmbeddedCopy() : await openPostgresCopy();
  const close = db.close.bind(db);
  let closing: Promise<void> | undefined;
  db.close = () => {
    open.delete(db);
    closing ??= close().then(remove);
    return closing;
  };
  open.add(db);
  return db;
}

/**
 * Opens the same database again, as another process would. The embedded database has only one connection, so all its
 * processes share this connection.
 */
export async function openAgain(db: Database): Promise<Database> {
  const url = urls.get(db);
  if (url !== undefined) return openPostgres({ url, log: silentLog, maxConnections: 2, watchdogLimits });
  return new Proxy(db, {
    get(target, name) {
      if (name === 'close') return async () => {};
      const value = target[name as keyof Database];
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** Closes databases that the tests of a file left open. The template stays for the next file. */
export async function disposeTestDatabases(): Promise<void> {
  for (const db of [...open]) await db.close();
}

/**
 * Time limits of the watchdog, in milliseconds. They are longer than in production, because the database may respond
 * slowly on a busy test machine.
 */
const watchdogLimits = { answer: 30_000, connect: 30_000 };

interface Copy {
  db: Database;
  remove(): Promise<void>;
}

async function openEmbeddedCopy(): Promise<Copy> {
  const dataDir = await embeddedFolder('migrated');
  // Turns off the check for free disk space, which these tests do not need.
  const db = await openEmbedded({ dataDir, log: silentLog, diskFloorBytes: 0 });
  return { db, remove: async () => rmSync(dataDir, { recursive: true, force: true }) };
}

async function openPostgresCopy(): Promise<Copy> {
  server ??= testPostgres();
  const postgres = await server;
  const name = databaseName();
  const url = await createMigratedDatabase(postgres, name);
  const db = await openPostgres({ url, log: silentLog, maxConnections: 2, watchdogLimits });
  urls.set(db, url);
  return { db, remove: () => postgres.dropDatabase(name) };
}

/** Creates a migrated database on the test server and returns its URL. The caller must drop the database. */
export async function createMigratedDatabase(postgres: TestPostgres, name: string): Promise<string> {
  const original = originals.get(postgres) ?? makeOriginal(postgres);
  originals.set(postgres, original);
  await postgres.createDatabase(name, await original);
  return postgres.urlFor(name);
}

/**
 * Creates the template database. All processes of a test run share the server, and the first process creates the
 * template.
 */
function makeOriginal(postgres: TestPostgres): Promise<string> {
  return postgres.once(`tocsin_original_${schemaChecksum()}`, async () => {
    const unfinished = databaseName();
    await postgres.createDatabase(unfinished);
    const db = await openPostgres({ url: postgres.urlFor(unfinished), log: silentLog });
    try {
      await makeOriginalDatabase(db);
    } finally {
      await db.close();
    }
    return unfinished;
  });
}

function databaseName(): string {
  const token = randomToken(9).toLowerCase();
  return `tocsin_test_${token.replace(/[^a-z0-9]/g, '0')}`;
}
