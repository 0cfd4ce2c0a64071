import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Migrations that were merged into fewer files. Applying all of `by` produces the same schema as applying all of
 * `files`.
 */
export interface ReplacedMigrations {
  /** Names of the files that replace the merged migrations. */
  by: readonly string[];
  /** Name and checksum of each migration that was merged. */
  files: Readonly<Record<string, string>>;
}

interface Applied {
  name: string;
  checksum: string;
  version: string;
}

export type ReplacePlan<Row extends Applied> =
  | { ok: true; recorded: Row[]; forget: string[]; record: string[] }
  | { ok: false; problem: string };

/** Reads `replaced.json` from a migrations folder. Returns undefined if the file does not exist. */
export function readReplaced(folder: string): ReplacedMigrations | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, 'replaced.json'), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Replaces the records of merged migrations with records of the new files. Refuses a database that has applied only
 * some of the merged migrations, because the missing steps no longer exist as separate files.
 */
export function planReplaced<Row extends Applied>(
  recorded: readonly Row[],
  replaced: ReplacedMigrations | undefined,
  checksums: ReadonlyMap<string, string>,
  options: { product: string; version: string },
): ReplacePlan<Row> {
  const old = recorded.filter(({ name }) => replaced?.files[name] !== undefined);
  if (!replaced || old.length === 0) return { ok: true, recorded: [...recorded], forget: [], record: [] };
  const changed = old.find(({ name, checksum }) => replaced.files[name] !== checksum);
  if (changed) {
    return {
      ok: false,
      problem: `The migration ${changed.name} in this database differs from the released one, so the database cannot be upgraded. Restore a backup that a released version made.`,
    };
  }
  const names = Object.keys(replaced.files).sort();
  const missing = names.find((name) => old.every((row) => row.name !== name));
  if (missing !== undefined) {
    const { product, version } = options;
    return {
      ok: false,
      problem: `This database is too old for ${product} ${version}: it was last used by version ${old.at(-1)?.version} and lacks the migration ${missing}. First start the last version of ${product} whose migrations end with ${names.at(-1)}; it upgrades the database. Then start this version.`,
    };
  }
  const rows = replaced.by.map((name) => ({ ...old[0], name, checksum: checksums.get(name) ?? '' }) as Row);
  const kept = recorded.filter((row) => !old.includes(row) && !replaced.by.includes(row.name));
  return { ok: true, recorded: [...kept, ...rows], forget: old.map(({ name }) => name), record: [...replaced.by] };
}
