/** A small demo plant in its own database. */
import { type DemoOptions, fewestSites, loadDemo } from '../../../db/demo/index.ts';
import { serviceAccess } from '../../../server/access.ts';
import { HandClock } from '../../../server/platform/clock.ts';
import type { Database } from '../../../server/platform/database.ts';
import { openTestDatabase } from './database.ts';

export const now = new Date('2026-11-12T14:32:14Z');
const clock = new HandClock(now);
export const small = { now, sites: fewestSites, weeks: 1, hashPassword: async (plain: string) => plain };

export async function ask(db: Database, text: string): Promise<any[]> {
  return (await db.transaction(serviceAccess(clock), (tx) => tx.query(text))).rows;
}

/** Returns a fingerprint of all rows for each table. */
export async function fingerprint(db: Database): Promise<Record<string, string>> {
  const tables = await ask(
    db,
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('tocsin', 'tocsin_private') and c.relkind in ('r', 'p') and not c.relispartition and c.relname not in ('migration', 'secret', 'device_change') order by 1`,
  );
  const prints: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await ask(
      db,
      `select count(*)::int as n, encode(sha256(convert_to(string_agg(line, e'\\n' order by line), 'UTF8')), 'hex') as sum
       from (select t::text collate "C" as line from ${name} t) x`,
    );
    if (row.n > 0) prints[name] = `${row.n} rows, ${row.sum}`;
  }
  return prints;
}

export async function withDemo<T>(options: Partial<DemoOptions>, look: (db: Database) => Promise<T>): Promise<T> {
  const db = await openTestDatabase();
  try {
    await loadDemo({ db, ...small, ...options });
    return await look(db);
  } finally {
    await db.close();
  }
}
