import type { StoredTime } from '../../domain/product-time.ts';
import { serviceAccess } from '../access.ts';
import type { Database, Transaction } from '../platform/database.ts';
import { type ClockStep, type ProductClock, STEP_MS } from '../platform/product-clock.ts';
import { readDatabaseClock } from './database-clock.ts';

/**
 * The row `clock` of the table `tocsin_private.installation`. `db/logic/common/clock.sql` reads it for the System page.
 */
interface StoredClock extends StoredTime {
  /** Milliseconds by which the database's clock is ahead of the machine's. */
  database: number;
  /** Recorded clock steps, ordered by time. The most recent step is last. */
  steps: ClockStep[];
}

const MOST_STEPS = 20;

/** Reads the stored product time. If none is stored, uses the last time at which a gateway was listening. */
export async function readClock(tx: Transaction): Promise<StoredTime | undefined> {
  const { rows } = await tx.query<{ name: string; value: any }>(
    `select name, value from tocsin_private.installation where name in ('clock', 'listening')`,
  );
  const read = (wanted: string) => rows.find(({ name }) => name === wanted)?.value;
  const stored: StoredClock | undefined = read('clock');
  if (stored) return stored;
  const seen = Date.parse(read('listening')?.until ?? '');
  return Number.isNaN(seen) ? undefined : { product: seen, wall: seen, uptime: 0, stopped: true };
}

/**
 * Stores product time and the time of the machine's clock, and appends the clock steps. Returns the milliseconds by
 * which the database's clock is ahead of the machine's.
 */
export async function writeClock(
  db: Database,
  clock: ProductClock,
  { steps = [], stopped = false }: { steps?: readonly ClockStep[]; stopped?: boolean } = {},
): Promise<number> {
  return db.transaction(serviceAccess(clock), async (tx) => {
    const { machine } = clock;
    const asked = machine.wall();
    const database = clock.behindDatabase(await readDatabaseClock(tx), asked);
    const now: Omit<StoredClock, 'steps'> = {
      ...{ product: clock.now().getTime(), wall: machine.wall(), ...machine.boot(), stopped, database },
    };
    await tx.query(
      `insert into tocsin_private.installation as i (name, value) values ('clock', $1::jsonb || jsonb_build_object('steps', $2::jsonb))
       on conflict (name) do update set value = $1::jsonb || jsonb_build_object('steps',
         (select coalesce(jsonb_agg(s.step order by s.place), '[]') from (
            select step, place from jsonb_array_elements(i.value -> 'steps' || $2::jsonb) with ordinality a (step, place)
            order by place desc limit $3) s))
       -- Keeps the record of another process with a later time, so that deadlines are not moved a second time.
       where (i.value ->> 'product')::float8 <= $4`,
      [JSON.stringify(now), JSON.stringify(steps), MOST_STEPS, now.product + STEP_MS],
    );
    return database;
  });
}
