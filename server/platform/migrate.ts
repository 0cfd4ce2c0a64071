import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Clock } from './clock.ts';
import type { Database, Transaction } from './database.ts';
import type { Log } from './log.ts';
import { planReplaced, type ReplacedMigrations, readReplaced } from './migrate-replaced.ts';
import { StartError } from './start-error.ts';

export interface MigrateOptions {
  /** Folder with files named `NNNN_name.sql`. Each file is applied once, in order. */
  migrationsDir: string;
  /**
   * Folder with files named `name.sql`, which contain functions, policies, triggers and grants. When a file changes,
   * all are applied again, in the order of their names. Subfolders do not affect the order.
   */
  logicDir: string;
  /** Name and version of the product, used in messages. */
  product: string;
  version: string;
  log: Log;
  clock: Clock;
  /** Database settings for the SQL files, local to each transaction. */
  settings?: Readonly<Record<string, string>>;
}

export interface Migrated {
  applied: string[];
  reapplied: string[];
}

interface SqlFile {
  name: string;
  text: string;
  checksum: string;
}

interface Recorded {
  name: string;
  checksum: string;
  version: string;
}

export type Plan = { ok: true; apply: SqlFile[]; reapplyLogic: boolean } | { ok: false; problem: string };

const LOGIC = 'logic';
const LOCK = "hashtextextended('tocsin_private.migration', 0)";

/**
 * Creates the table of applied files. Row level security is forced, so other roles cannot read the table. The policy
 * allows access for the owner: the login role, which is not a superuser on a server.
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
    // A process that starts at the same time waits here. Afterwards no files are pending for it.
    await tx.query(`select pg_advisory_lock(${LOCK})`);
    try {
      return await underLock(tx, migrations, logic, replaced, options);
    } finally {
      // A lost connection releases its locks. Only the first error is relevant.
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
  const { rows } = await tx.query<Recorded>('select name, checksum, version from tocsin_private.migration');
  const logicChecksum = checksum(logic.map((file) => `${file.name} ${file.checksum}`).join('\n'));
  const checksums = new Map(migrations.map((file) => [file.name, file.checksum]));
  const replacing = planReplaced(rows, replaced, checksums, options);
  if (!replacing.ok) throw new StartError(replacing.problem);
  const plan = planMigration(migrations, logicChecksum, replacing.recorded, options);
  if (!plan.ok) throw new StartError(plan.problem);

  if (replacing.forget.length > 0) {
    await atomically(tx, 'The table of applied migrations', options, async () => {
      await tx.query('delete from tocsin_private.migration where name = any ($1)', [replacing.forget]);
      for (const name of replacing.record) await record(tx, name, checksums.get(name) ?? '', options);
    });
    options.log.info('migrations replaced', { forgotten: replacing.forget.length, recorded: replacing.record.length });
  }

  for (const file of plan.apply) {
    await atomically(tx, file.name, options, async () => {
      await applyFile(tx, file);
      await record(tx, file.name, file.checksum, options);
    });
    options.log.info('migration applied', { name: file.name });
  }
  if (plan.reapplyLogic) {
    await atomically(tx, 'the logic files', options, async () => {
      // A function may call a function that a later file creates.
      await tx.query('set local check_function_bodies = off');
      for (const file of logic) await applyFile(tx, file);
      await record(tx, LOGIC, logicChecksum, options);
    });
    options.log.info('database logic applied', { files: logic.length });
  }
  return {
    applied: plan.apply.map((file) => file.name),
    reapplied: plan.reapplyLogic ? logic.map((file) => file.name) : [],
  };
}

/**
 * Compares the files with the recorded ones. Returns the pending files, or the reason why the database must not be
 * migrated.
 */
export function planMigration(
  migrations: readonly SqlFile[],
  logicChecksum: string,
  recorded: readonly Recorded[],
  options: { product: string; version: string },
): Plan {
  const { product, version } = options;
  const refuse = (problem: string): Plan => ({ ok: false, problem });
  const known = new Map(recorded.map((row) => [row.name, row]));
  const files = new Set(migrations.map((file) => file.name));
  const applied = recorded.filter((row) => row.name !== LOGIC);

  const unknown = applied.find((row) => !files.has(row.name));
  if (unknown) {
    return refuse(
      `This database was written by a newer version of ${product}: ${unknown.name} was applied by version ${unknown.version}, and this is ${version}. Start that version or a newer one.`,
    );
  }
  const changed = migrations.find((file) => known.has(file.name) && known.get(file.name)?.checksum !== file.checksum);
  if (changed) {
    return refuse(
      `The migration ${changed.name} was changed after this database had applied it. Restore the file, and write the change as a new migration.`,
    );
  }
  const apply = migrations.filter((file) => !known.has(file.name));
  const last = applied
    .map((row) => row.name)
    .sort()
    .at(-1);
  const late = apply.find((file) => last !== undefined && file.name < last);
  if (late) {
    return refuse(
      `The migration ${late.name} comes before ${last}, which this database has already applied. Give ${late.name} a higher number.`,
    );
  }
  return { ok: true, apply, reapplyLogic: apply.length > 0 || known.get(LOGIC)?.checksum !== logicChecksum };
}

/** An SQL error whose message contains the file and the line. */
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

async function record(tx: Transaction, name: string, sum: string, options: MigrateOptions): Promise<void> {
  await tx.query(
    `insert into tocsin_private.migration (name, checksum, version, applied_at) values ($1, $2, $3, $4)
     on conflict (name) do update
       set checksum = excluded.checksum, version = excluded.version, applied_at = excluded.applied_at`,
    [name, sum, options.version, options.clock.now()],
  );
}

const ATTEMPTS = 5;

/**
 * Runs the work in a transaction. Retries after a conflict, because migrations of two databases can change the same
 * roles of the cluster.
 */
async function atomically(
  tx: Transaction,
  what: string,
  options: MigrateOptions,
  work: () => Promise<unknown>,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    await tx.query('begin');
    try {
      for (const [name, value] of Object.entries(options.settings ?? {})) {
        await tx.query('select set_config($1, $2, true)', [name, value]);
      }
      await work();
      await tx.query('commit');
      return;
    } catch (error) {
      await tx.query('rollback').catch(() => {});
      const cause = (error instanceof FileError ? error.cause : error) as Error & { code?: string; table?: string };
      if (attempt < ATTEMPTS && isConflict(cause)) continue;
      const reason = error instanceof FileError ? error.message : `${what}: ${(error as Error).message}`;
      throw new StartError(`The database could not be migrated. The failed step was rolled back. ${reason}`, { cause });
    }
  }
}

/** Returns whether an error is a deadlock or a concurrent change of a system catalogue row. */
function isConflict(error: (Error & { code?: string; table?: string }) | undefined): boolean {
  if (error?.code === '40P01' || error?.code === '40001') return true;
  if (error?.code === 'XX000') return /concurrently (updated|deleted)/.test(error.message);
  return error?.code === '23505' && /^pg_/.test(error.table ?? '');
}

function readMigrations(folder: string): SqlFile[] {
  const files = readFolder(folder);
  const numbers = new Map<string, string>();
  for (const { name } of files) {
    const number = /^(\d{4})_[a-z0-9_]+\.sql$/.exec(name)?.[1];
    if (!number) throw new StartError(`The migration ${name} is not named like 0001_what_it_does.sql. Rename it.`);
    const other = numbers.get(number);
    if (other)
      throw new StartError(
        `The migrations ${other} and ${name} have the same number. Give one of them the next number.`,
      );
    numbers.set(number, name);
  }
  return files;
}

function readFolder(folder: string): SqlFile[] {
  let names: string[];
  try {
    names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.sql'))
      .map((name) => name.replaceAll('\\', '/'));
  } catch (error) {
    throw new StartError(
      `The folder with the database files ${folder} cannot be read (${(error as Error).message}). Install the program again.`,
    );
  }
  const key = (name: string) => `${basename(name)}/${name}`;
  names.sort((a, b) => (key(a) < key(b) ? -1 : 1));
  return names.map((name) => {
    const text = readFileSync(join(folder, name), 'utf8').replace(/^\uFEFF/, '');
    if (endsTransaction(text)) {
      throw new StartError(
        `The file ${name} begins or ends a transaction. Remove that command, because each file is applied in one transaction.`,
      );
    }
    return { name, text, checksum: checksum(normalise(text)) };
  });
}

/** Normalises line endings and removes trailing spaces, so that they do not change the checksum. */
function normalise(text: string): string {
  return text.replace(/[ \t]*\r?\n/g, '\n').trimEnd();
}

/**
 * Returns whether a file contains a transaction command, which could leave it half applied. Ignores comments, strings
 * and function bodies.
 */
export function endsTransaction(sql: string): boolean {
  const quiet = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[\s\S]*?\$\1\$/g;
  const loud = sql.replace(quiet, ' ');
  return /(^|;)\s*(begin|start\s+transaction|commit|rollback|abort)(\s+(work|transaction))?\s*(;|$)/i.test(loud);
}

function checksum(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
