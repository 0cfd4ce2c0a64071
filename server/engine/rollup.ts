import { serviceAccess } from '../access.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Transaction } from '../platform/database.ts';
import type { EngineModule } from './engine.ts';

export interface RollupOptions {
  db: Database;
  clock: Clock;
  /** Approximate number of readings that one transaction rolls up. */
  readingsAtOnce?: number;
  /** Maximum number of transactions in one tick, so that a backlog does not delay a stop. */
  chunksAtOnce?: number;
}

/**
 * A range of server time to roll up. If it has too many readings, its channels are split into slices, and each slice
 * has its own transaction.
 */
interface Stretch {
  from: number;
  until: number;
  /** Number of finished slices. */
  done: number;
  slices: number;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const WEEK = 7 * 24 * 60 * MINUTE;

/** Maximum time from the server time of a reading to its commit. The statement timeout is less than half of this. */
export const SAFETY_LAG_MS = MINUTE;

/** Small for the embedded database, which runs one transaction at a time, so that its transactions stay short. */
const READINGS_AT_ONCE = { postgres: 100_000, embedded: 2500 };
const CHUNKS_AT_ONCE = { postgres: 10, embedded: 30 };
/**
 * Factor by which a transaction may exceed the maximum number of readings if all of them belong to the same minute,
 * because such readings are cheaper to roll up.
 */
const DENSE = 5;

/**
 * Rolls up readings by minute, hour and day. Selects readings by server time, so that late readings are included.
 * Stores the progress as a milestone in the same transaction. Only one process at a time does this work.
 */
export function rollup(options: RollupOptions): EngineModule {
  const { db, clock } = options;
  const { readingsAtOnce = READINGS_AT_ONCE[db.kind], chunksAtOnce = CHUNKS_AT_ONCE[db.kind] } = options;
  let window = MINUTE;
  // Progress in a range with several slices. After a restart the range is rolled up again with the same result.
  let begun: Stretch | undefined;
  let stopped = false;

  return {
    name: 'roll-up',
    every: 10 * SECOND,
    stop() {
      stopped = true;
    },
    async tick(now) {
      const target = floorToMinute(now.getTime() - SAFETY_LAG_MS);
      if (!(await prepare(target))) return;
      for (let chunk = 0; chunk < chunksAtOnce && !stopped; chunk += 1) {
        begun = await db.transaction(serviceAccess(clock), (tx) => rollUpNext(tx, target));
        if (!begun || (begun.done === begun.slices && begun.until >= target)) return;
      }
    },
  };

  /** Sets the first milestone if there is none. Returns whether there are readings to roll up. */
  async function prepare(target: number): Promise<boolean> {
    return db.transaction(serviceAccess(clock), async (tx) => {
      await tx.query(
        `insert into tocsin_private.milestone (name, at)
         select 'rolled-up', coalesce(tocsin_private.first_arrival(), $1)
         where not exists (select from tocsin_private.milestone where name = 'rolled-up')
         on conflict (name) do nothing`,
        [new Date(target)],
      );
      const { rows } = await tx.query<{ at: Date }>(`select at from tocsin_private.milestone where name = 'rolled-up'`);
      const behind = (rows[0]?.at.getTime() ?? target) < target;
      if (behind) await tx.query('select tocsin_private.summarise_arrival_index()');
      return behind;
    });
  }

  /** Rolls up one slice. Returns the progress, or undefined if there is nothing to roll up. */
  async function rollUpNext(tx: Transaction, target: number): Promise<Stretch | undefined> {
    const { rows } = await tx.query<{ at: Date }>(
      `select at from tocsin_private.milestone where name = 'rolled-up' for update skip locked`,
    );
    const from = rows[0]?.at.getTime();
    if (from === undefined || from >= target) return undefined;
    const stretch = begun?.from === from ? begun : await nextStretch(tx, from, target);
    const { until, done, slices } = stretch;
    await tx.query('select tocsin_private.roll_up_readings($1, $2, $3, $4)', [
      new Date(from),
      new Date(until),
      done,
      slices,
    ]);
    if (done + 1 === slices) {
      await tx.query(`update tocsin_private.milestone set at = $1 where name = 'rolled-up'`, [new Date(until)]);
    }
    return { ...stretch, done: done + 1 };
  }

  /**
   * Returns the longest range of whole minutes that fits into one transaction. With whole minutes, no minute is rolled
   * up twice. A minute with too many readings is split into slices of its channels.
   */
  async function nextStretch(tx: Transaction, from: number, target: number): Promise<Stretch> {
    const arrived = async (until: number, most: number): Promise<number> => {
      const values = [new Date(from), new Date(until), most];
      const { rows } = await tx.query<{ count: string }>(
        'select tocsin_private.count_arrivals($1, $2, $3) as count',
        values,
      );
      return Number(rows[0]?.count);
    };
    for (;;) {
      const until = Math.min(floorToMinute(from + window), target);
      if (until - from <= MINUTE) {
        const slices = Math.max(
          1,
          Math.ceil((await arrived(until, Number.MAX_SAFE_INTEGER)) / (DENSE * readingsAtOnce)),
        );
        if (slices === 1) window = 2 * MINUTE;
        return { from, until, done: 0, slices };
      }
      const readings = await arrived(until, readingsAtOnce + 1);
      if (readings <= readingsAtOnce) {
        if (readings <= readingsAtOnce / 2) window = Math.min(2 * window, WEEK);
        return { from, until, done: 0, slices: 1 };
      }
      window = Math.max(floorToMinute(Math.min(window, until - from) / 2), MINUTE);
    }
  }
}

function floorToMinute(time: number): number {
  return Math.floor(time / MINUTE) * MINUTE;
}
