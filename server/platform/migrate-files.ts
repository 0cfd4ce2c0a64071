import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { StartError } from './start-error.ts';

export interface SqlFile {
  name: string;
  text: string;
  checksum: string;
  /**
   * Identifies the oldest program that still works after this migration, by that program's newest migration. Null if
   * only programs that contain this migration work.
   */
  oldestProgram: string | null;
}

/**
 * Line of a migration that declares the oldest program that still works after the migration. It contains the name of
 * that program's newest migration.
 */
const OLDEST_PROGRAM = /^-- oldest program: (\S+)[ \t]*\r?\n?/m;

/** Reads the migrations in order. Refuses malformed names and duplicate numbers. */
export function readMigrations(folder: string): SqlFile[] {
  const files = readFolder(folder);
  const numbers = new Map<string, string>();
  for (const { name } of files) {
    const number = /^(\d{4})_[a-z0-9_]+\.sql$/.exec(name)?.[1];
    if (!number)
      throw new StartError(
        `The file name of the migration ${name} must have the form 0001_what_it_does.sql. Rename the file.`,
      );
    const other = numbers.get(number);
    if (other)
      throw new StartError(
        `The migrations ${other} and ${name} have the same number. Rename one of them so that it has the next number.`,
      );
    numbers.set(number, name);
  }
  for (const { name, oldestProgram } of files) {
    if (oldestProgram !== null && !files.some((file) => file.name === oldestProgram && file.name < name))
      throw new StartError(
        `The migration ${name} names ${oldestProgram} as the newest migration of the oldest program that works with it. Name a migration of this folder that comes before ${name}.`,
      );
  }
  return files;
}

/** Reads all SQL files of a folder and its subfolders, in the order of their names. */
export function readFolder(folder: string): SqlFile[] {
  let names: string[];
  try {
    names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.sql'))
      .map((name) => name.replaceAll('\\', '/'));
  } catch (error) {
    throw new StartError(
      `Cannot read ${folder}, the folder with the database files (${(error as Error).message}). Install the program again.`,
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
    const oldestProgram = OLDEST_PROGRAM.exec(text)?.[1] ?? null;
    return { name, text, oldestProgram, checksum: checksum(normalise(text.replace(OLDEST_PROGRAM, ''))) };
  });
}

/** Normalises line endings and removes trailing spaces, so that they do not change the checksum. */
function normalise(text: string): string {
  return text.replace(/[ \t]*\r?\n/g, '\n').trimEnd();
}

/**
 * Returns whether a file contains a transaction command. Such a command could leave the file half applied. Ignores
 * comments, strings and function bodies.
 */
export function endsTransaction(sql: string): boolean {
  const quiet = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[\s\S]*?\$\1\$/g;
  const loud = sql.replace(quiet, ' ');
  return /(^|;)\s*(begin|start\s+transaction|commit|rollback|abort)(\s+(work|transaction))?\s*(;|$)/i.test(loud);
}

export function checksum(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
