import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { StartError } from '../start-error.ts';

/** Major version of the embedded PostgreSQL. Other versions cannot read its files. */
export const EMBEDDED_MAJOR = '18';

/** Creates the data folder without access for other users, because PGlite creates world-readable files in it. */
export function prepareDataFolder(dataDir: string): string {
  const folder = resolve(dataDir);
  try {
    makeFolder(folder);
    readdirSync(folder);
  } catch (error) {
    throw new StartError(
      `Cannot use the folder ${folder} (${(error as Error).message}). Create it for this user, or choose a different folder.`,
    );
  }
  return folder;
}

/**
 * Creates the folder one level at a time, because Node's recursive mkdir loops forever on file systems such as /proc.
 */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
}

export function databaseFolder(dataDir: string): string {
  return join(dataDir, 'db');
}

function unfinishedMark(dataDir: string): string {
  return join(dataDir, 'db.unfinished');
}

/**
 * Prepares the database folder. Call it only while holding the folder's lock. Deletes a database whose creation was
 * interrupted, because it contains no confirmed data.
 */
export function prepareDatabaseFolder(dataDir: string): void {
  const folder = databaseFolder(dataDir);
  const mark = unfinishedMark(dataDir);
  if (existsSync(mark)) rmSync(folder, { recursive: true, force: true });

  makeFolder(folder);
  chmodSync(folder, 0o700);
  const files = readdirSync(folder);
  if (files.length === 0) {
    writeFileSync(mark, '');
    return;
  }
  if (!files.includes('PG_VERSION')) {
    throw new StartError(
      `The folder ${folder} contains files that are not a database. Move them away, then start Tocsin again.`,
    );
  }
  const version = readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim();
  if (version !== EMBEDDED_MAJOR) {
    throw new StartError(
      `The database in ${folder} was written by PostgreSQL ${version}, but this program needs version ${EMBEDDED_MAJOR}. Start the program version that wrote it, or choose another folder.`,
    );
  }
  // A killed process leaves this file behind. After a power failure the file is empty, and PostgreSQL would then refuse
  // to open the database.
  rmSync(join(folder, 'postmaster.pid'), { force: true });
}

/** Marks the database as complete, so that the next start keeps the folder. */
export function finishDatabaseFolder(dataDir: string): void {
  rmSync(unfinishedMark(dataDir), { force: true });
}

export function freeBytes(folder: string): number {
  const disk = statfsSync(folder);
  return disk.bavail * disk.bsize;
}
