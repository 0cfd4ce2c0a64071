import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { loadDemo } from '../../db/demo/index.ts';
import { serviceAccess } from '../access.ts';
import { hashPassword } from '../auth/password/password.ts';
import { checkDatabaseClock } from '../clock/database-clock.ts';
import { startProductTime } from '../clock/watch.ts';
import type { Config } from '../config.ts';
import { ensurePartitions } from '../engine/housekeeping.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';
import { findNewerProblem, type MigrateOptions, migrate, SCHEMA_CHANNEL } from '../platform/migrate.ts';
import { ProductClock } from '../platform/product-clock.ts';
import { StartError } from '../platform/start-error.ts';
import { type ProcessIdentity, registerProcess } from '../process/record.ts';
import { checkLoginRole, checkRowSecurity } from './checks.ts';

export const root = join(import.meta.dirname, '../..');
export const version: string = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;
/** The newest migration of this version. */
export const schemaVersion = readdirSync(join(root, 'db/migrations'))
  .filter((file) => file.endsWith('.sql'))
  .map((file) => basename(file, '.sql'))
  .sort()
  .at(-1) as string;

interface Preparation {
  config: Config;
  clock: Clock;
  log: Log;
  identity: ProcessIdentity;
  /** Called when the process has been registered in the database. From then on, the process must send heartbeats. */
  onRegistered(): void;
  onProgress?: (done: number, total: number, label: string) => void;
}

/**
 * Migrates the database and registers the process. In demo mode, fills an empty database with demo data. Throws a
 * StartError if the database is unsafe to use.
 */
export async function prepareDatabase(db: Database, preparation: Preparation): Promise<void> {
  const { config, clock, log, identity, onRegistered, onProgress } = preparation;
  if (clock instanceof ProductClock) await checkDatabaseClock(db, clock);
  await migrateDatabase(db, { clock, log });
  if (clock instanceof ProductClock) await startProductTime({ db, clock, log, identity });
  else await db.transaction(serviceAccess(clock), (tx) => registerProcess(tx, db.kind, identity));
  onRegistered();
  const { rows } = await db.transaction(serviceAccess(clock), (tx) =>
    tx.query<{ customers: number; demo: boolean }>(`
      select (select count(*)::int from tocsin.customer) as customers,
        exists (select from tocsin_private.installation where name = 'demo') as demo`),
  );
  await rememberSettings(db, config, clock);
  const { customers, demo } = rows[0] ?? { customers: 0, demo: false };
  if (demo && !config.demo) {
    throw new StartError(
      'This database contains the demo plant, whose passwords are public. Start with TOCSIN_DEMO=on, or use another database or TOCSIN_DATA_DIR.',
    );
  }
  if (config.demo && customers === 0) {
    await loadDemo({ db, now: clock.now(), hashPassword, onProgress: onProgress ?? (() => {}) });
  }
}

/** Stores the settings that database functions read. */
async function rememberSettings(db: Database, config: Config, clock: Clock): Promise<void> {
  await db.transaction(serviceAccess(clock), (tx) =>
    tx.query(
      `insert into tocsin_private.installation (name, value) values ('command_hours', $1)
       on conflict (name) do update set value = excluded.value where tocsin_private.installation.value <> excluded.value`,
      [JSON.stringify(config.commandHours)],
    ),
  );
}

/**
 * Applies the migrations and the logic files, and creates missing partitions. Checks the login role before and row
 * level security afterwards.
 */
export async function migrateDatabase(
  db: Database,
  { clock, log }: { clock: Clock; log: Log },
): Promise<{ applied: string[]; reapplied: string[] }> {
  await checkLoginRole(db);
  const done = await migrate(db, migrationOptions({ clock, log }));
  await checkRowSecurity(db);
  await ensurePartitions(db, clock.now());
  return done;
}

function migrationOptions({ clock, log }: { clock: Clock; log: Log }): MigrateOptions {
  return {
    product: 'Tocsin',
    migrationsDir: join(root, 'db/migrations'),
    logicDir: join(root, 'db/logic'),
    version,
    log,
    clock,
    schemas: ['tocsin', 'tocsin_private'],
    // The first statement of a batch uses the first table, and the first statement of a request uses the second.
    firstTables: ['tocsin_private.device_change', 'tocsin_private.session'],
  };
}

/**
 * Checks, after every schema change and every reconnection, whether this process still works with the schema. If it
 * does not, calls `onBroken` with the reason. Returns a function that stops these checks.
 */
export function watchSchema(
  db: Database,
  { clock, log, onBroken }: { clock: Clock; log: Log; onBroken(problem: string): void },
): Promise<() => Promise<void>> {
  const check = () => {
    findNewerProblem(db, migrationOptions({ clock, log })).then(
      (problem) => problem !== undefined && onBroken(problem),
      (error: Error) => log.warn('the version of the database could not be checked', { error }),
    );
  };
  return db.listen(SCHEMA_CHANNEL, check, check);
}
