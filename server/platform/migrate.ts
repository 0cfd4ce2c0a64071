import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from './clock.ts';
import type { Database, Transaction } from './database.ts';
import type { Log } from './log.ts';
import { checksum, readFolder, readMigrations, type SqlFile } from './migrate-files.ts';
import { LOGIC, newerProblem, planMigration, type Recorded } from './migrate-plan.ts';
import { planReplaced, type ReplacedMigrations, readReplaced } from './migrate-replaced.ts';
import { StartError } from './start-error.ts';

export interface MigrateOptions {
  /** Folder with files named `NNNN_name.sql`. Each file is applied once, in order. */
  migrationsDir: string;
  /**
   * Folder with files named `name.sql`, which contain functions, policies, triggers and grants. When one file changes,
   * all files are applied again, in the order of their names; subfolders do not affect the order.
   */
  logicDir: string;
  /** Name and version of the product, used in messages. */
  product: string;
  version: string;
  log: Log;
  clock: Clock;
  /** Database settings for the SQL files, local to each transaction. */
  settings?: Readonly<Record<string, string>>;
  /** Schemas whose tables the logic files change. */
  schemas?: readonly string[];
  /** Tables to lock first, because the transactions of running processes lock these tables first. */
  firstTables?: readonly string[];
}

export interface Migrated {
  applied: string[];
  reapplied: string[];
}

/** Notification channel on which running processes learn that the schema has changed. */
export const SCHEMA_CHANNEL = 'tocsin_schema';

const LOCK = "hashtextextended('tocsin_private.migration', 0)";

/**
 * Creates the table of applied files. Row level security is forced, so other roles cannot read the table. The policy
 * allows access for its owner, the login role, which is not a superuser on a PostgreSQL server.
 */
const BOOTSTRAP = `
  create schema if not exists tocsin_private;
  create table tocsin_private.migration (
    name text primary key,
    checksum text not null,
    version text not null,
    applied_at timestamptz not null
  );
  alter table tocsin_private.migration enable row level security, force row level security;
  create policy migrator on tocsin_private.migration to current_user using (true) with check (true)`;

/** Applies all pending files. Throws a StartError if a file fails; the failed file leaves no changes. */
export async function migrate(db: Database, options: MigrateOptions): Promise<Migrated> {
  const migrations = readMigrations(options.migrationsDir);
  const logic = readFolder(options.logicDir);
  const replaced = readReplaced(options.migrationsDir);
  return db.migration(async (tx) => {
    // If another process starts at the same time, it waits here and then finds no pending files.
    await tx.query(`select pg_advisory_lock(${LOCK})`);
    try {
      return await underLock(tx, migrations, logic, replaced, options);
    } finally {
      // If the connection is lost, PostgreSQL releases the lock anyway, and the error of this query would hide the
      // first error.
      await tx.query(`select pg_advisory_unlock(${LOCK})`).catch(() => {});
    }
  });
}

async function underLock(
  tx: Transaction,
  migrations: SqlFile[],
  logic: SqlFile[],
  replaced: ReplacedMigrations | undefined,
  options: MigrateOptions,
): Promise<Migrated> {
  const present = await tx.query("select to_regclass('tocsin_private.migration') is not null as there");
  if (!present.rows[0]?.there) {
    await atomically(tx, 'The table of applied migrations', options, () => tx.query(BOOTSTRAP));
  }
  await addOldestProgram(tx, options);
  const rows = await readRecorded(tx);
  const logicChecksum = checksum(logic.map((file) => `${file.name} ${file.checksum}`).join('\n'));
  const checksums = new Map(migrations.map((file) => [file.name, file.checksum]));
  const replacing = planReplaced(rows, replaced, checksums, options);
  if (!replacing.ok) throw new StartError(replacing.problem);
  const plan = planMigration(migrations, logicChecksum, replacing.recorded, options);
  if (!plan.ok) throw new StartError(plan.problem);

  if (replacing.forget.length > 0) {
    await atomically(tx, 'The table of applied migrations', options, async () => {
      await tx.query('delete from tocsin_private.migration where name = any ($1)', [replacing.forget]);
      for (const name of replacing.record) await record(tx, { name, checksum: checksums.get(name) ?? '' }, options);
    });
    options.log.info('migrations replaced', { forgotten: replacing.forget.length, recorded: replacing.record.length });
  }

  for (const file of plan.apply) {
    await atomically(tx, file.name, options, async () => {
      await applyFile(tx, file);
      await record(tx, file, options);
    });
    options.log.info('migration applied', { name: file.name });
  }
  if (plan.aheadBy !== undefined) {
    const { version } = options;
    options.log.info('this program is older than the database and works with it', { version, newer: plan.aheadBy });
  }
  if (plan.reapplyLogic) {
    await atomically(tx, 'the logic files', options, async () => {
      await lockTables(tx, options);
      // A function may call a function that a later file creates.
      await tx.query('set local check_function_bodies = off');
      for (const file of logic) await applyFile(tx, file);
      await record(tx, { name: LOGIC, checksum: logicChecksum }, options);
    });
    options.log.info('database logic applied', { files: logic.length });
  }
  return {
    applied: plan.apply.map((file) => file.name),
    reapplied: plan.reapplyLogic ? logic.map((file) => file.name) : [],
  };
}

/** SQL error whose message contains the file and the line. */
class FileError extends Error {}

async function applyFile(tx: Transaction, file: SqlFile): Promise<void> {
  try {
    await tx.query(file.text);
  } catch (error) {
    const { message, detail, position } = error as Error & { detail?: string; position?: string };
    const line = position ? ` line ${file.text.slice(0, Number(position)).split('\n').length}` : '';
    throw new FileError(`${file.name}${line}: ${message}${detail ? ` (${detail})` : ''}`, { cause: error });
  }
}

async function readRecorded(tx: Transaction): Promise<Recorded[]> {
  const { rows } = await tx.query<Recorded>(
    'select name, checksum, version, oldest_program from tocsin_private.migration order by name',
  );
  return rows;
}

/** Adds the column `oldest_program` if an earlier version created the table without it. */
async function addOldestProgram(tx: Transaction, options: MigrateOptions): Promise<void> {
  const { rows } = await tx.query(
    `select from pg_attribute where attrelid = 'tocsin_private.migration'::regclass and attname = 'oldest_program'`,
  );
  if (rows.length > 0) return;
  await atomically(tx, 'The table of applied migrations', options, () =>
    tx.query('alter table tocsin_private.migration add column oldest_program text'),
  );
}

type NewRecord = Pick<SqlFile, 'name' | 'checksum'> & Partial<Pick<SqlFile, 'oldestProgram'>>;

async function record(tx: Transaction, file: NewRecord, options: MigrateOptions): Promise<void> {
  await tx.query(
    `insert into tocsin_private.migration (name, checksum, version, applied_at, oldest_program) values ($1, $2, $3, $4, $5)
     on conflict (name) do update
       set checksum = excluded.checksum, version = excluded.version, applied_at = excluded.applied_at`,
    [file.name, file.checksum, options.version, options.clock.now(), file.oldestProgram ?? null],
  );
  // The notification is sent with the commit.
  await tx.query('select pg_notify($1, $2)', [SCHEMA_CHANNEL, file.name]);
}

/**
 * Returns why this program no longer works with the database; undefined if it works. For a running process, because a
 * newer version may have upgraded the database.
 */
export function findNewerProblem(db: Database, options: MigrateOptions): Promise<string | undefined> {
  const migrations = readMigrations(options.migrationsDir);
  return db.migration(async (tx) => newerProblem(migrations, await readRecorded(tx), options));
}

/**
 * Locks all tables before a logic file changes any of them. The first statement of a running process then waits, before
 * that process holds a lock that this transaction needs.
 */
async function lockTables(tx: Transaction, { schemas = [], firstTables = [] }: MigrateOptions): Promise<void> {
  const { rows } = await tx.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c
     where c.relnamespace = any ($1::regnamespace[]) and c.relkind in ('r', 'p') and not c.relispartition
     order by array_position($2::regclass[], c.oid::regclass), 1`,
    [`{${schemas.join(',')}}`, `{${firstTables.join(',')}}`],
  );
  for (const { name } of rows) await tx.query(`lock table only ${name} in access exclusive mode`);
}

const ATTEMPTS = 5;
/**
 * Maximum time that a statement of the upgrade waits for a lock. It is shorter than PostgreSQL's deadlock timeout, so
 * an upgrade never causes a deadlock error in a running process. Requests that wait behind the upgrade are delayed only
 * briefly.
 */
const LOCK_MS = 500;
/**
 * Number of attempts to acquire a lock, and the pause between two attempts. A report can hold a lock for up to 30 s.
 */
const LOCK_ATTEMPTS = 240;
const LOCK_PAUSE_MS = 250;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Runs `work` in a transaction. Tries again if another transaction holds a lock, or after a conflict: migrations of two
 * databases can change the same roles of the database server.
 */
async function atomically(
  tx: Transaction,
  what: string,
  options: MigrateOptions,
  work: () => Promise<unknown>,
): Promise<void> {
  let locked = 0;
  for (let attempt = 1; ; attempt += 1) {
    await tx.query('begin');
    try {
      await tx.query(`set local lock_timeout = ${LOCK_MS}`);
      for (const [name, value] of Object.entries(options.settings ?? {})) {
        await tx.query('select set_config($1, $2, true)', [name, value]);
      }
      await work();
      await tx.query('commit');
      return;
    } catch (error) {
      await tx.query('rollback').catch(() => {});
      const cause = (error instanceof FileError ? error.cause : error) as Error & { code?: string; table?: string };
      if (cause?.code === LOCK_NOT_AVAILABLE && locked < LOCK_ATTEMPTS) {
        locked += 1;
        attempt -= 1;
        await pause(LOCK_PAUSE_MS);
        continue;
      }
      if (attempt < ATTEMPTS && isConflict(cause)) continue;
      const reason = error instanceof FileError ? error.message : `${what}: ${(error as Error).message}`;
      throw new StartError(`The database could not be migrated. The failed step was rolled back. ${reason}`, { cause });
    }
  }
}

/** Returns whether an error is a deadlock or a concurrent change of a row in the system catalogue. */
function isConflict(error: (Error & { code?: string; table?: string }) | undefined): boolean {
  if (error?.code === '40P01' || error?.code === '40001') return true;
  if (error?.code === 'XX000') return /concurrently (updated|deleted)/.test(error.message);
  return error?.code === '23505' && /^pg_/.test(error.table ?? '');
}
