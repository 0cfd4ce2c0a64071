import { hash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { GraphileConfig } from 'postgraphile/graphile-build';
import { PgIntrospectionPlugin } from 'postgraphile/graphile-build-pg';
import { makeIntrospectionQuery } from 'postgraphile/graphile-build-pg/pg-introspection';
import type { Access, Database, Transaction } from '../../platform/database.ts';
import type { Log } from '../../platform/log.ts';

/** What PostGraphile keeps between two readings of the catalogue. Its types leave it out. */
interface Cache {
  introspectionResultsPromise: Promise<{ pgService: unknown; introspectionText: string }[]> | null;
}

export interface IntrospectionOptions {
  db: Database;
  access: Access;
  /** Where what was read is kept for the next start. */
  file: string;
  log: Log;
}

/**
 * PostGraphile's plugin that reads the catalogue, but a catalogue that has not changed since the last start is taken from a
 * file. The embedded database needs longer for that one question than for all the others of a start together.
 */
export function rememberingIntrospection(options: IntrospectionOptions): GraphileConfig.Plugin {
  const gather = PgIntrospectionPlugin.gather as any;
  return {
    ...PgIntrospectionPlugin,
    name: 'TocsinIntrospectionPlugin',
    provides: ['PgIntrospectionPlugin'],
    gather: {
      ...gather,
      initialState(cache: Cache, info: { resolvedPreset: GraphileConfig.ResolvedPreset }) {
        cache.introspectionResultsPromise ??= introspect(options).then((introspectionText) => [
          { pgService: info.resolvedPreset.pgServices?.[0], introspectionText },
        ]);
        return gather.initialState(cache, info);
      },
    },
  } as GraphileConfig.Plugin;
}

/** The catalogue as text, from the file where that is still true. */
export async function introspect({ db, access, file, log }: IntrospectionOptions): Promise<string> {
  const query = makeIntrospectionQuery();
  const mark = `${hash('sha256', query)} ${await db.migration(catalogueMark)}`;
  const known = readText(file, mark);
  if (known !== undefined) return known;
  const { rows } = await db.transaction(access, (tx) => tx.query<{ introspection: string }>(query));
  const text = rows[0]?.introspection;
  if (!text) throw new Error('The database did not describe itself.');
  try {
    writeFileSync(`${file}.new`, `${mark}\n${hash('sha256', text)}\n${text}`, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  } catch (error) {
    log.warn('the description of the database could not be kept for the next start', { error: error as Error });
  }
  return text;
}

/** A file that was cut off, or belongs to another database or another state of it, is no file. */
function readText(file: string, mark: string): string | undefined {
  let whole: string;
  try {
    whole = readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
  const first = whole.indexOf('\n');
  const second = whole.indexOf('\n', first + 1);
  const text = whole.slice(second + 1);
  const intact = whole.slice(0, first) === mark && whole.slice(first + 1, second) === hash('sha256', text);
  return intact ? text : undefined;
}

/**
 * Another text whenever anything in the catalogue was made, changed, granted or removed: every row of it carries the number
 * of the transaction that wrote it. Two databases that were made by the same number of steps may have the same numbers, so
 * what those steps said counts as well.
 */
async function catalogueMark(tx: Transaction): Promise<string> {
  const own = (table: string, key: string, condition = `${key} >= 16384`) =>
    `select '${table}' || ' ' || count(*) || ' ' || coalesce(sum(hashtextextended(${key} || ' ' || xmin, 0)), 0) as part
     from pg_catalog.${table} where ${condition}`;
  // A server may have others, of whoever else has databases there.
  const ours = `(select * from pg_catalog.pg_roles where rolname = current_user or rolname like 'tocsin\\_%')`;
  const { rows } = await tx.query<{ mark: string }>(`
    select encode(sha256(convert_to(string_agg(part, ',' order by part), 'UTF8')), 'hex') as mark from (
      ${own('pg_class', 'oid')} union all ${own('pg_attribute', 'attrelid')} union all ${own('pg_constraint', 'oid')}
      union all ${own('pg_proc', 'oid')} union all ${own('pg_type', 'oid')} union all ${own('pg_index', 'indexrelid')}
      union all ${own('pg_inherits', 'inhrelid')} union all ${own('pg_policy', 'oid')} union all ${own('pg_enum', 'oid')}
      union all ${own('pg_range', 'rngtypid')} union all ${own('pg_depend', 'objid')}
      union all ${own('pg_description', 'objoid')} union all ${own('pg_namespace', 'oid', 'true')}
      union all ${own('pg_extension', 'oid', 'true')} union all ${own('pg_language', 'oid', 'true')}
      union all ${own('pg_am', 'oid', 'true')} union all ${own('pg_auth_members', 'roleid', `roleid in (select oid from ${ours} r)`)}
      union all select 'role ' || r::text from ${ours} r
      union all ${own('pg_database', 'oid', 'datname = current_database()')}
      union all select 'step ' || name || ' ' || checksum from tocsin_private.migration
      union all select version()
    ) parts`);
  return rows[0]?.mark ?? '';
}
