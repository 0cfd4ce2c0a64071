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

/** The major version of PostgreSQL inside the embedded database. Its files cannot be read by any other. */
export const EMBEDDED_MAJOR = '18';

/**
 * The folder for everything the product keeps, readable by its user alone: the database's own files inside are created
 * open to everybody.
 */
export function prepareDataFolder(dataDir: string): string {
  const folder = resolve(dataDir);
  try {
    makeFolder(folder);
    readdirSync(folder);
  } catch (error) {
    throw new StartError(
      `The folder ${folder} cannot be used (${(error as Error).message}). Create it for this user, or choose another folder.`,
    );
  }
  return folder;
}

/** Parent by parent, because mkdir's own recursion never ends on file systems where nothing can be made, such as /proc. */
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
 * Makes the database's folder ready to be opened; the caller holds the lock on the data folder. A database whose creation
 * was cut off is thrown away, because nobody was ever told that anything is in it.
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
    throw new StartError(`The folder ${folder} holds files that are no database. Move them away, then start again.`);
  }
  const version = readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim();
  if (version !== EMBEDDED_MAJOR) {
    throw new StartError(
      `The database in ${folder} was written by PostgreSQL ${version}, and this program brings ${EMBEDDED_MAJOR}. Start the program version that wrote it, or choose another folder.`,
    );
  }
  // A process that was killed leaves this file, and a power cut leaves it empty, which would stop the database from opening.
  rmSync(join(folder, 'postmaster.pid'), { force: true });
}

/** The database has opened, so whatever is in the folder from now on is kept. */
export function finishDatabaseFolder(dataDir: string): void {
  rmSync(unfinishedMark(dataDir), { force: true });
}

export function freeBytes(folder: string): number {
  const disk = statfsSync(folder);
  return disk.bavail * disk.bsize;
}
