import type { SqlFile } from './migrate-files.ts';

/** A row of the table of applied files. `oldest_program` has the same meaning as `oldestProgram` in `SqlFile`. */
export interface Recorded {
  name: string;
  checksum: string;
  version: string;
  oldest_program: string | null;
}

export type Plan =
  | {
      ok: true;
      apply: SqlFile[];
      reapplyLogic: boolean;
      /** Newer version that has upgraded the database beyond what this program knows; undefined if there is none. */
      aheadBy?: string;
    }
  | { ok: false; problem: string };

export interface Program {
  product: string;
  version: string;
}

/** Name under which the logic files are recorded together. */
export const LOGIC = 'logic';

/**
 * Returns why a program with these migrations does not work with the database; undefined if it works. Each migration of
 * a newer version declares the oldest program that still works with it.
 */
export function newerProblem(
  migrations: readonly SqlFile[],
  recorded: readonly Recorded[],
  { product, version }: Program,
): string | undefined {
  const files = new Set(migrations.map(({ name }) => name));
  const breaks = unknownOf(migrations, recorded).find(({ oldest_program: oldest }) => !oldest || !files.has(oldest));
  if (!breaks) return undefined;
  return `This database was written by a newer version of ${product}: ${breaks.name} was applied by version ${breaks.version}, and this is ${version}. Start that version or a newer one.`;
}

/** Returns the recorded migrations that the program does not contain. */
function unknownOf(migrations: readonly SqlFile[], recorded: readonly Recorded[]): Recorded[] {
  const files = new Set(migrations.map(({ name }) => name));
  return recorded.filter(({ name }) => name !== LOGIC && !files.has(name));
}

/**
 * Compares the migration files with the migrations recorded in the database. Returns the pending files, or the reason
 * why the database must not be migrated. Does not replace the logic of a newer version. Otherwise an older process that
 * restarts during an upgrade would drop functions that newer processes use.
 */
export function planMigration(
  migrations: readonly SqlFile[],
  logicChecksum: string,
  recorded: readonly Recorded[],
  program: Program,
): Plan {
  const refuse = (problem: string): Plan => ({ ok: false, problem });
  const known = new Map(recorded.map((row) => [row.name, row]));
  const newer = newerProblem(migrations, recorded, program);
  if (newer) return refuse(newer);
  const changed = migrations.find((file) => known.has(file.name) && known.get(file.name)?.checksum !== file.checksum);
  if (changed) {
    return refuse(
      `The migration ${changed.name} was changed after this database had applied it. Restore the file, and write the change as a new migration.`,
    );
  }
  const apply = migrations.filter((file) => !known.has(file.name));
  const last = recorded
    .map(({ name }) => name)
    .filter((name) => name !== LOGIC)
    .sort()
    .at(-1);
  const late = apply.find((file) => last !== undefined && file.name < last);
  if (late) {
    return refuse(
      `The migration ${late.name} comes before ${last}, which this database has already applied. Rename ${late.name} so that it has a higher number.`,
    );
  }
  const logic = known.get(LOGIC);
  const unknown = unknownOf(migrations, recorded).at(-1);
  const aheadBy = unknown?.version ?? (logic && isNewer(logic.version, program.version) ? logic.version : undefined);
  if (aheadBy !== undefined) return { ok: true, apply, reapplyLogic: false, aheadBy };
  return { ok: true, apply, reapplyLogic: apply.length > 0 || logic?.checksum !== logicChecksum };
}

/** Compares versions by their numbers, so that 1.10.0 is newer than 1.9.2. */
function isNewer(one: string, other: string): boolean {
  return /^\d/.test(one) && one.localeCompare(other, 'en', { numeric: true }) > 0;
}
