import { serviceAccess } from '../access.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { EngineModule } from './engine.ts';

export interface RetentionOptions {
  db: Database;
  clock: Clock;
  /** Retention of raw frames. */
  keepFramesDays: number;
  keepReadingsDays: number;
  /** Retention of roll-ups by minute. It is never longer than the retention of roll-ups by hour. */
  keepMinutesDays: number;
  keepHoursDays: number;
  keepDaysDays: number;
}

const DAY = 24 * 60 * 60 * 1000;

/** Retention of health slots: two years, because a health report compares two years. */
const KEEP_HEALTH_SLOTS_DAYS = 2 * 366;
/**
 * Retention of recorded device changes, from which processes update their caches. A process that was suspended for
 * longer reloads its whole cache.
 */
const KEEP_DEVICE_CHANGES_DAYS = 1;
/** Extra days before a week of readings is dropped, so that late readings are still rolled up. */
const GRACE_DAYS = 1;

const ROWS_AT_ONCE = 5000;
const DELETES_AT_ONCE = 100;

/** Deletes data whose retention has ended. Drops whole weekly partitions and deletes other rows in small batches. */
export function retention(options: RetentionOptions): EngineModule {
  const { db, clock } = options;
  const keep = {
    frames: options.keepFramesDays,
    readings: options.keepReadingsDays + GRACE_DAYS,
    minutes: Math.max(options.keepMinutesDays, options.keepReadingsDays) + GRACE_DAYS,
    hours: 0,
    days: 0,
  };
  keep.hours = Math.max(options.keepHoursDays, keep.minutes);
  keep.days = Math.max(options.keepDaysDays, keep.hours);

  return {
    name: 'retention',
    every: 60 * 60 * 1000,
    async tick(now) {
      const before = (days: number) => new Date(Math.floor((now.getTime() - days * DAY) / DAY) * DAY);
      await dropWeeks('incoming_sensor_log', before(keep.frames));
      await deleteRows(
        'tocsin_private.device_change',
        'id',
        'select id from tocsin_private.device_change where at < $1 order by at',
        before(KEEP_DEVICE_CHANGES_DAYS),
      );
      await deleteRows(
        'tocsin.health_slot',
        'tocsin_site_uuid, slot_start',
        `select h.* from tocsin.site s cross join lateral (
           select tocsin_site_uuid, slot_start from tocsin.health_slot where tocsin_site_uuid = s.uuid and slot_start < $1
         ) h`,
        before(KEEP_HEALTH_SLOTS_DAYS),
      );
      // Transitions are kept as long as the readings that caused them.
      await deleteRows(
        'tocsin.rule_transition',
        'id',
        'select id from tocsin.rule_transition where noticed_at < $1',
        before(keep.readings),
      );
      // Readings that have not been rolled up must not be dropped.
      if (!(await rolledUpUntil(before(1)))) return;
      await dropWeeks('reading', before(keep.readings), 'readings-from');
      await dropWeeks('rollup_minute', before(keep.minutes), 'minutes-from');
      await reach('hours-from', before(keep.hours));
      await deleteRollups('tocsin.rollup_hour', before(keep.hours));
      await deleteRollups('tocsin.rollup_day', before(keep.days));
    },
  };

  async function rolledUpUntil(time: Date): Promise<boolean> {
    const { rows } = await db.transaction(serviceAccess(clock), (tx) =>
      tx.query(`select from tocsin_private.milestone where name = 'rolled-up' and at >= $1`, [time]),
    );
    return rows.length > 0;
  }

  /**
   * Stores the start of the remaining data as a milestone. Called before partitions are dropped, so that queries stop
   * reading them first.
   */
  async function reach(milestone: string, time: Date): Promise<void> {
    await db.transaction(serviceAccess(clock), (tx) =>
      tx.query(
        `insert into tocsin_private.milestone as m (name, at) values ($1, $2)
         on conflict (name) do update set at = greatest(m.at, excluded.at)`,
        [milestone, time],
      ),
    );
  }

  async function dropWeeks(table: string, before: Date, milestone?: string): Promise<void> {
    const { rows } = await db.transaction(serviceAccess(clock), (tx) =>
      tx.query<{ name: string; last: Date }>(
        `select format('tocsin.%I', name) as name, last from tocsin_private.partitions_of($1) where last <= $2`,
        [table, before],
      ),
    );
    for (const { name, last } of rows) {
      if (milestone) await reach(milestone, last);
      await drop(name);
    }
  }

  /**
   * Drops a partition as the login role, which owns the schema. Waits only briefly for locks, so that readings are not
   * delayed.
   */
  async function drop(name: string): Promise<void> {
    await db.migration(async (tx) => {
      try {
        await tx.query(`begin; set local lock_timeout = '2s'; drop table if exists ${name}; commit`);
      } catch (error) {
        await tx.query('rollback');
        // The partition is still in use. A later tick drops it.
        if ((error as { code?: string }).code !== '55P03') throw error;
      }
    });
  }

  /** Deletes old roll-ups channel by channel with the primary key index. Includes the roll-ups of deleted channels. */
  function deleteRollups(table: string, before: Date): Promise<void> {
    return deleteRows(
      table,
      'channel_key, bucket',
      `with recursive channel (key) as (
         select min(channel_key) from ${table}
         union all
         select (select min(r.channel_key) from ${table} r where r.channel_key > channel.key) from channel where channel.key is not null
       )
       select old.* from channel cross join lateral (
         select channel_key, bucket from ${table} r where r.channel_key = channel.key and r.bucket < $1
       ) old`,
      before,
    );
  }

  async function deleteRows(table: string, key: string, which: string, before: Date): Promise<void> {
    for (let round = 0; round < DELETES_AT_ONCE; round += 1) {
      const { rowCount } = await db.transaction(serviceAccess(clock), (tx) =>
        tx.query(`delete from ${table} where (${key}) in (${which} limit ${ROWS_AT_ONCE})`, [before]),
      );
      if (rowCount < ROWS_AT_ONCE) return;
    }
  }
}
