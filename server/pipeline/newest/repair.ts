import { serviceAccess } from '../../access.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Transaction } from '../../platform/database.ts';
import type { Log } from '../../platform/log.ts';
import type { Sensor } from '../sensor.ts';
import { SELECT_SENSORS, SensorBuilder, type SensorRow } from '../sensor-rows.ts';
import { VANISHED_AFTER_MS, type WriteBehind } from './write-behind.ts';

/**
 * SQL condition for rows that missing processes left. Uses the database's clock, because the clocks of processes can
 * differ.
 */
const VANISHED = `touched_at < clock_timestamp() - ${VANISHED_AFTER_MS} * interval '1 millisecond'`;
const EVERY_MS = 5000;

export interface RepairOptions {
  db: Database;
  clock: Clock;
  log: Log;
  behind: WriteBehind;
  /** Uuid of this process in the database. */
  process: string;
}

interface NewestRow {
  sensor: string;
  key: number;
  /** Server time at which the last reading of the channel arrived. */
  heard: number;
  time: number;
  value: number;
}

/**
 * Finishes the work of missing processes that stored readings, but did not write newest values and last contacts or
 * resolve silence alarms. Loads these readings and passes them to this process's write-behind. Writing a value twice is
 * harmless.
 */
export class Repair {
  readonly #options: RepairOptions;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(options: RepairOptions) {
    this.#options = options;
  }

  /**
   * Runs a repair immediately and then at regular intervals. The first repair covers all other processes, because after
   * a quick restart a crashed process does not count as missing yet.
   */
  start(): void {
    void this.run('all');
    this.#timer = setInterval(() => void this.run('vanished'), EVERY_MS).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  /** Writes the values that other processes have not written. `vanished` limits the repair to missing processes. */
  run(whose: 'vanished' | 'all'): Promise<void> {
    this.#running = this.#running
      .then(() => this.#repair(whose))
      .catch((error: Error) =>
        this.#options.log.warn('the newest values could not be repaired; the server will try again', { error }),
      );
    return this.#running;
  }

  async #repair(whose: 'vanished' | 'all'): Promise<void> {
    const { db, clock, behind, process } = this.#options;
    const processes = await db.transaction(serviceAccess(clock), async (tx) => {
      const { rows } = await tx.query<{ process: string; since: Date }>(
        `select process, written_until as since from tocsin_private.write_behind
         where process <> $1 and ($2 or ${VANISHED})`,
        [process, whose === 'all'],
      );
      if (rows.length > 0) await this.#noteSince(tx, new Date(Math.min(...rows.map(({ since }) => since.getTime()))));
      return rows.map((row) => row.process);
    });
    if (processes.length === 0 || !(await behind.flush())) return;
    await db.transaction(serviceAccess(clock), (tx) =>
      tx.query(`delete from tocsin_private.write_behind where process = any ($1::uuid[]) and ${VANISHED}`, [processes]),
    );
  }

  /**
   * Finds channels with readings stored since this server time, and passes the newest reading of each channel to
   * write-behind.
   */
  async #noteSince(tx: Transaction, since: Date): Promise<void> {
    const { behind } = this.#options;
    const { rows } = await tx.query<NewestRow>(
      `with stored as materialized (
         select channel_key as key, max(server_time) as heard from tocsin.reading where server_time >= $1 group by channel_key)
       select c.tocsin_sensor_uuid as sensor, s.key, round(extract(epoch from s.heard) * 1000)::float8 as heard,
         round(extract(epoch from r.device_time) * 1000)::float8 as time, r.value
       from stored s join tocsin.sensor_channel c on c.key = s.key
       cross join lateral (select device_time, value from tocsin.reading where channel_key = s.key
         order by device_time desc limit 1) r`,
      [since.toISOString()],
    );
    const newest = Map.groupBy(rows, ({ sensor }) => sensor);
    for (const sensor of await loadSensors(tx, [...newest.keys()])) {
      const mine = newest.get(sensor.uuid) ?? [];
      behind.noteContact(sensor, Math.max(...mine.map(({ heard }) => heard)), {});
      const byKey = new Map([...sensor.channels.values()].map((channel) => [channel.key, channel]));
      for (const { key, time, value } of mine) {
        const channel = byKey.get(key);
        if (!channel) continue;
        channel.latest.time = time;
        channel.latest.value = value;
        behind.noteValue(channel);
      }
    }
  }
}

/**
 * Loads sensors without the registry. The repair overwrites their newest readings, which running batches of this
 * process use if the sensors are in the registry.
 */
async function loadSensors(tx: Transaction, uuids: readonly string[]): Promise<Sensor[]> {
  if (uuids.length === 0) return [];
  const { rows } = await tx.query<SensorRow>(`${SELECT_SENSORS} where s.uuid = any ($1::uuid[])`, [uuids]);
  const builder = new SensorBuilder();
  const noWatches = { byUuid: new Map(), byDatapoint: new Map() };
  return rows.map((row) => builder.build(row, noWatches, { wall: 0, count: 0 }));
}
