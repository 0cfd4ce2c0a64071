import { type FloodLimit, replayWindow } from '../../domain/flood.ts';
import type { Transaction } from '../platform/database.ts';

/**
 * Several processes can receive readings of one sensor, but at most one process serves it: the one that recorded the
 * last takeover. A process keeps newest readings in memory only for the sensors that it serves. Every batch first locks
 * the shards of its sensors: shared if the process serves all of them, exclusive for a takeover. No other process can
 * then take over a sensor of the batch. After the lock, the batch reads the takeovers of other processes
 * (`Registry.catchUp`).
 */
const LOCKS = 0x746f6373;

/** Thrown if another process took over a sensor of this batch. The batch is repeated with an exclusive lock. */
export class SensorTakenAway extends Error {
  constructor() {
    super('Another process has taken over a sensor of this batch. The batch is repeated.');
  }
}

/**
 * Locks shards until the transaction ends. A shard with the value true is locked exclusively, any other in shared mode.
 * Shards are locked in ascending order, which prevents deadlocks.
 */
export async function lockShards(tx: Transaction, locks: ReadonlyMap<number, boolean>): Promise<void> {
  const inOrder = [...locks].sort(([a], [b]) => a - b);
  await tx.query(
    `select count(case when exclusive then pg_advisory_xact_lock(${LOCKS}, shard) is null
       else pg_advisory_xact_lock_shared(${LOCKS}, shard) is null end)
     from unnest($1::int[], $2::boolean[]) as l (shard, exclusive)`,
    [inOrder.map(([shard]) => shard), inOrder.map(([, exclusive]) => exclusive)],
  );
}

/** Records that `process` serves these sensors from now on. Skips deleted sensors. */
export async function recordTakeovers(tx: Transaction, sensors: readonly string[], process: string): Promise<void> {
  await tx.query(
    `insert into tocsin_private.sensor_takeover as t (tocsin_sensor_uuid, process)
     select s.uuid, $2::uuid from tocsin.sensor s where s.uuid = any ($1::uuid[]) order by s.uuid
     on conflict (tocsin_sensor_uuid) do update set process = excluded.process, written_by = excluded.written_by`,
    [sensors, process],
  );
}

/**
 * Returns the arrival times of each sensor's latest frames, oldest first, including frames that other processes stored.
 * A sensor without recent frames has no entry in the map.
 */
export async function recentFrames(
  tx: Transaction,
  sensors: readonly string[],
  limit: FloodLimit,
  now: number,
): Promise<Map<string, number[]>> {
  const { milliseconds, frames } = replayWindow(limit);
  const { rows } = await tx.query<{ uuid: string; times: number[] }>(
    `select s.uuid, l.times from unnest($1::uuid[]) as w (uuid) join tocsin.sensor s on s.uuid = w.uuid
     cross join lateral (select array_agg(extract(epoch from f.date_time)::float8 * 1000 order by f.date_time) as times from (
       select l.date_time from tocsin.incoming_sensor_log l
       where l.tocsin_customer_uuid = s.tocsin_customer_uuid and l.uid = s.uid and l.encoding <> 'none'
         and l.date_time > to_timestamp($2::float8 / 1000) order by l.date_time desc limit $3) f) l
     where l.times is not null`,
    [sensors, now - milliseconds, frames],
  );
  return new Map(rows.map(({ uuid, times }) => [uuid, times]));
}
