import { serviceAccess } from '../access.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Transaction } from '../platform/database.ts';
import type { EngineModule } from './engine.ts';

export interface RollupOptions {
  db: Database;
  clock: Clock;
  /** How many readings one transaction takes on, roughly. */
  readingsAtOnce?: number;
  /** How many transactions one tick does at most, so that a server that stops need not wait for a long backlog. */
  chunksAtOnce?: number;
}

/** A stretch of server time, of which one part of the channels is done after the other. */
interface Stretch {
  from: number;
  until: number;
  /** How many of the parts are done. */
  done: number;
  parts: number;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const WEEK = 7 * 24 * 60 * MINUTE;

/** A reading is committed this long after its server time at the latest: no statement may take half as long. */
export const SAFETY_LAG_MS = MINUTE;

/** The embedded database does one thing at a time, so everybody else waits for a transaction of this. */
const READINGS_AT_ONCE = { postgres: 100_000, embedded: 2500 };
const CHUNKS_AT_ONCE = { postgres: 10, embedded: 30 };
/** Many readings of one minute cost this much less each than as many that have a minute, an hour and a day of their own. */
const DENSE = 5;

/**
 * Sums up what arrived since the last time by minute, hour and day. Readings are found by when they arrived, so late ones are
 * too. How far it came is written in the same transaction; of several processes one does the work and the others go on.
 */
export function rollup(options: RollupOptions): EngineModule {
  const { db, clock } = options;
  const { readingsAtOnce = READINGS_AT_ONCE[db.kind], chunksAtOnce = CHUNKS_AT_ONCE[db.kind] } = options;
  let window = MINUTE;
  // What is committed of a stretch that has several parts. Lost with the process, which is no harm: it is done once more.
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
        if (!begun || (begun.done === begun.parts && begun.until >= target)) return;
      }
    },
  };

  /** Sets the beginning where there is none yet. Answers whether anything is to be done. */
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

  /** Does one part of one stretch. Answers what is done of it, or nothing where there is nothing to do. */
  async function rollUpNext(tx: Transaction, target: number): Promise<Stretch | undefined> {
    const { rows } = await tx.query<{ at: Date }>(
      `select at from tocsin_private.milestone where name = 'rolled-up' for update skip locked`,
    );
    const from = rows[0]?.at.getTime();
    if (from === undefined || from >= target) return undefined;
    const stretch = begun?.from === from ? begun : await nextStretch(tx, from, target);
    const { until, done, parts } = stretch;
    await tx.query('select tocsin_private.roll_up_readings($1, $2, $3, $4)', [
      new Date(from),
      new Date(until),
      done,
      parts,
    ]);
    if (done + 1 === parts) {
      await tx.query(`update tocsin_private.milestone set at = $1 where name = 'rolled-up'`, [new Date(until)]);
    }
    return { ...stretch, done: done + 1 };
  }

  /**
   * As long as a transaction can take at once, in whole minutes so that hardly one is summed up twice. Where a single minute
   * is too much, its channels are shared out.
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
        const parts = Math.max(
          1,
          Math.ceil((await arrived(until, Number.MAX_SAFE_INTEGER)) / (DENSE * readingsAtOnce)),
        );
        if (parts === 1) window = 2 * MINUTE;
        return { from, until, done: 0, parts };
      }
      const readings = await arrived(until, readingsAtOnce + 1);
      if (readings <= readingsAtOnce) {
        if (readings <= readingsAtOnce / 2) window = Math.min(2 * window, WEEK);
        return { from, until, done: 0, parts: 1 };
      }
      window = Math.max(floorToMinute(Math.min(window, until - from) / 2), MINUTE);
    }
  }
}

function floorToMinute(time: number): number {
  return Math.floor(time / MINUTE) * MINUTE;
}
