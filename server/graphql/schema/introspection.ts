import { hash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { GraphileConfig } from 'postgraphile/graphile-build';
import { PgIntrospectionPlugin } from 'postgraphile/graphile-build-pg';
import { makeIntrospectionQuery } from 'postgraphile/graphile-build-pg/pg-introspection';
import type { Access, Database, Transaction } from '../../platform/database.ts';
import type { Log } from '../../platform/log.ts';

/** PostGraphile's internal cache of the catalogue, which PostGraphile's type definitions leave out. */
interface Cache {
  introspectionResultsPromise: Promise<{ pgService: unknown; introspectionText: string }[]> | null;
}

export interface IntrospectionOptions {
  db: Database;
  access: Access;
  /** File in which the catalogue is cached for the next start. */
  file: string;
  log: Log;
}

/**
 * Returns PostGraphile's introspection plugin with a cache file. On the embedded database, reading the catalogue takes
 * longer than all other queries at start.
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

/** Returns the catalogue as text, from the cache file if that is up to date. */
export async function introspect({ db, access, file, log }: IntrospectionOptions): Promise<string> {
  const query = makeIntrospectionQuery();
  const mark = `${hash('sha256', query)} ${await db.migration(catalogueMark)}`;
  const known = readText(file, mark);
  if (known !== undefined) return known;
  const { rows } = await db.transaction(access, (tx) => tx.query<{ introspection: string }>(query));
  const text = rows[0]?.introspection;
  if (!text) throw new Error('The database returned no catalogue.');
  try {
    writeFileSync(`${file}.new`, `${mark}\n${hash('sha256', text)}\n${text}`, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  } catch (error) {
    log.warn('the database catalogue could not be cached for the next start', { error: error as Error });
  }
  return text;
}

/**
 * Returns the text of the cache file. Returns undefined if the file is damaged, or was written for another database or
 * an older catalogue.
 */
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
 * Returns a fingerprint of the catalogue. It changes whenever an object is created, altered, granted or dropped,
 * because each catalogue row contains the id of the transaction that wrote it. The fingerprint includes the migration
 * checksums, because transaction ids of two databases can be equal.
 */
async function catalogueMark(tx: Transaction): Promise<string> {
  const own = (table: string, key: string, condition = `${key} >= 16384`) =>
    `select '${table}' || ' ' || count(*) || ' ' || coalesce(sum(hashtextextended(${key} || ' ' || xmin, 0)), 0) as part
     from pg_catalog.${table} where ${condition}`;
  // Roles that Tocsin does not use must not change the fingerprint.
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
