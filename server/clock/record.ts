import type { TimeOnRecord } from '../../domain/product-time.ts';
import { serviceAccess } from '../access.ts';
import type { Database, Transaction } from '../platform/database.ts';
import { type ClockStep, type ProductClock, STEP_MS } from '../platform/product-clock.ts';

/** What `tocsin_private.installation` keeps under the name `clock`. `db/logic/clock.sql` reads it for owners. */
interface StoredClock extends TimeOnRecord {
  /** How far the clock of the database is ahead of the machine's. */
  database: number;
  /** The newest last. */
  steps: ClockStep[];
}

/** As many steps are kept; a machine whose clock steps more often shows the last ones. */
const MOST_STEPS = 20;

/** The product time on record, or the last sign of life of a version that kept none. */
export async function readClock(tx: Transaction): Promise<TimeOnRecord | undefined> {
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
 * Writes product time and the machine's clocks of now, and adds steps to those on record. Answers how far the clock of the
 * database is ahead of the machine's, in milliseconds.
 */
export async function writeClock(
  db: Database,
  clock: ProductClock,
  { steps = [], stopped = false }: { steps?: readonly ClockStep[]; stopped?: boolean } = {},
): Promise<number> {
  return db.transaction(serviceAccess(clock), async (tx) => {
    const { machine } = clock;
    const asked = machine.wall();
    const { rows } = await tx.query<{ time: number }>(
      'select extract(epoch from clock_timestamp())::float8 * 1000 as time',
    );
    const database = clock.behindDatabase(rows[0]?.time ?? asked, asked);
    const now: Omit<StoredClock, 'steps'> = {
      ...{ product: clock.now().getTime(), wall: machine.wall(), ...machine.boot(), stopped, database },
    };
    await tx.query(
      `insert into tocsin_private.installation as i (name, value) values ('clock', $1::jsonb || jsonb_build_object('steps', $2::jsonb))
       on conflict (name) do update set value = $1::jsonb || jsonb_build_object('steps',
         (select coalesce(jsonb_agg(s.step order by s.place), '[]') from (
            select step, place from jsonb_array_elements(i.value -> 'steps' || $2::jsonb) with ordinality a (step, place)
            order by place desc limit $3) s))
       -- Where another process has taken a later time, its record stands, so that nobody moves the deadlines a second time.
       where (i.value ->> 'product')::float8 <= $4`,
      [JSON.stringify(now), JSON.stringify(steps), MOST_STEPS, now.product + STEP_MS],
    );
    return database;
  });
}
