import { statfs } from 'node:fs/promises';
import { serviceAccess } from '../access.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { EngineModule } from './engine.ts';

const GB = 1e9;
/** Number of days for which the System page shows the size of the database. */
const KEEP_DAYS = 84;

/** Tables whose size depends on the readings. */
const READING_TABLES = "'reading', 'incoming_sensor_log', 'rollup_minute', 'rollup_hour', 'rollup_day', 'health_slot'";

export interface DatabaseSizeOptions {
  db: Database;
  clock: Clock;
  /** Disk space for the database on its server; undefined if it is unknown. */
  diskGb: number | undefined;
}

/**
 * Stores the size of the database once an hour, so that the System page can show its growth. Adds up the sizes of the
 * tables, because reading the size of the whole database requires a privilege that an administrator can revoke.
 */
export function databaseSize({ db, clock, diskGb }: DatabaseSizeOptions): EngineModule {
  return {
    name: 'database size',
    every: 60_000,
    ignoresClock: true,
    async tick() {
      const free = db.folder === undefined ? null : await freeBytes(db.folder);
      const space = db.folder === undefined && diskGb !== undefined ? diskGb * GB : null;
      await db.transaction(serviceAccess(clock), async (tx) => {
        await tx.query(
          `insert into tocsin_private.database_size (hour, bytes, reading_bytes, free_bytes)
           select date_trunc('hour', tocsin_private.lease_clock()), t.bytes, t.reading_bytes,
             coalesce($1::bigint, greatest($2::bigint - t.bytes, 0))
           from (
             select sum(pg_total_relation_size(c.oid))::bigint as bytes,
               coalesce(sum(pg_total_relation_size(c.oid)) filter (where coalesce(p.relname, c.relname) in (${READING_TABLES})), 0)::bigint
                 as reading_bytes
             from pg_class c left join pg_inherits i on i.inhrelid = c.oid left join pg_class p on p.oid = i.inhparent
             where c.relkind in ('r', 'm') and not c.relisshared
           ) t
           where not exists (select from tocsin_private.database_size s where s.hour = date_trunc('hour', tocsin_private.lease_clock()))
           on conflict (hour) do nothing`,
          [free, space],
        );
        await tx.query(
          `delete from tocsin_private.database_size where hour < tocsin_private.lease_clock() - ${KEEP_DAYS} * interval '1 day'`,
        );
      });
    },
  };
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
