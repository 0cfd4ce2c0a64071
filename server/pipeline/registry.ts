import { hash } from 'node:crypto';
import { isValidUid } from '../../domain/frame/uid.ts';
import { serviceAccess } from '../access.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Transaction } from '../platform/database.ts';
import { loadWatches } from '../rule/load-watches.ts';
import type { Channel, Sensor } from './sensor.ts';
import { SELECT_SENSORS, SensorBuilder, type SensorRow } from './sensor-rows.ts';

/**
 * Time for which the cache remembers that a uid is unknown, so that guessing uids does not put load on the database.
 */
const UNKNOWN_FOR_MS = 2000;
const MOST_UNKNOWN = 10_000;
/**
 * Minimum time between two reloads of a sensor. A sensor is reloaded before a device is refused, because the device may
 * have a new token.
 */
const RELOAD_AFTER_MS = 250;

export function tokenHash(token: string): string {
  return hash('sha256', token, 'base64');
}

/**
 * Maximum time between two calls of `catchUp`. After a longer interval, the whole cache is cleared, because older
 * changes may have been deleted (engine/retention.ts).
 */
const READ_CHANGES_FOR_MS = 60 * 60_000;

interface Changes {
  horizon: string;
  ids: string[] | null;
  sensors: string[] | null;
  /** Sensors that other processes have taken over. */
  taken: string[] | null;
}

/** A running load, and the entries that were invalidated since the load started. */
interface Load {
  forgotten: Set<string>;
  all: boolean;
}

/**
 * Cache of sensors, keyed by uuid, uid and token. The first frame of a sensor loads its entry. When a sensor changes, a
 * database notification removes its entry, usually immediately. If the notification is late, the next batch removes the
 * entry, because it reads tocsin_private.device_change. Also knows which sensors this process serves (takeover.ts).
 * Newest readings are cached only for these sensors.
 */
export class Registry {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #sensors = new Map<string, Sensor>();
  /** Sensors keyed by uid. A uid has an entry only if all its sensors are cached. */
  readonly #byUid = new Map<string, Sensor[]>();
  readonly #byToken = new Map<string, string>();
  readonly #unknown = new Map<string, number>();
  readonly #builder = new SensorBuilder();
  readonly #loading = new Map<string, Promise<Sensor | undefined>>();
  readonly #loads = new Set<Load>();
  #wanted: { uids: Set<string>; loaded: Promise<Map<string, Sensor[]>> } | undefined;
  /**
   * Oldest transaction that was still running when changes were last read. The next read starts at this transaction and
   * skips the changes in `#seen`, which are already handled.
   */
  #horizon: string | undefined;
  #seen = new Set<string>();
  #caughtUpAt = 0;
  readonly #process: string;
  readonly #served = new Set<string>();

  constructor(db: Database, clock: Clock, process: string) {
    this.#db = db;
    this.#clock = clock;
    this.#process = process;
  }

  serves(uuid: string): boolean {
    return this.#served.has(uuid);
  }

  /**
   * Begins to serve a sensor. Removes a cache entry with newest readings or commands, because another process may have
   * changed them. Call it inside the transaction that records the takeover, because after the commit another process
   * may already have taken over the sensor. Call `release` if the transaction fails.
   */
  serve(uuid: string): void {
    const sensor = this.#sensors.get(uuid);
    const outdated = sensor?.commands.length !== 0 || [...sensor.channels.values()].some(wasRead);
    if (outdated) this.#forgetReadings(uuid);
    this.#served.add(uuid);
  }

  /** Stops serving these sensors. The next batch with one of them takes it over again and loads its newest readings. */
  release(uuids: Iterable<string>): void {
    for (const uuid of uuids) {
      this.#served.delete(uuid);
      this.#forgetReadings(uuid);
    }
  }

  #forgetReadings(uuid: string): void {
    this.#builder.forgetLatest(uuid);
    this.forget(uuid);
  }

  /** Returns the sensor if it is cached. Does not load it. */
  get(uuid: string): Sensor | undefined {
    return this.#sensors.get(uuid);
  }

  async byUuid(uuid: string): Promise<Sensor | undefined> {
    const known = this.#sensors.get(uuid);
    if (known) return known;
    let loading = this.#loading.get(uuid);
    if (!loading) {
      loading = this.#load('s.uuid = any ($1::uuid[])', [uuid])
        .then(([sensor]) => sensor)
        .finally(() => this.#loading.delete(uuid));
      this.#loading.set(uuid, loading);
    }
    return loading;
  }

  /** Returns all sensors with this uid. Several customers can use the same uid. */
  async byUid(uid: string): Promise<readonly Sensor[]> {
    const known = this.#byUid.get(uid);
    if (known) return known;
    // Malformed uids are not looked up in the database.
    if (!isValidUid(uid)) return [];
    const now = this.#clock.now().getTime();
    if ((this.#unknown.get(uid) ?? 0) > now) return [];
    const found = (await this.#loadUid(uid)).get(uid);
    if (found) return found;
    if (this.#unknown.size >= MOST_UNKNOWN) this.#unknown.clear();
    this.#unknown.set(uid, now + UNKNOWN_FOR_MS);
    return [];
  }

  async byToken(token: string): Promise<Sensor | undefined> {
    const key = tokenHash(token);
    const known = this.#byToken.get(key);
    if (known) return this.byUuid(known);
    const [found] = await this.#load(
      `s.uuid in (select t.tocsin_sensor_uuid from tocsin_private.device_token t
        where t.token_hash in (select decode(hash, 'base64') from unnest($1::text[]) hash))`,
      [key],
    );
    return found;
  }

  /** Reloads a sensor, unless it was loaded less than `RELOAD_AFTER_MS` ago. */
  async refresh(sensor: Sensor): Promise<Sensor | undefined> {
    const { wall, count } = sensor.loadedAt;
    const isNew = this.#clock.now().getTime() - wall < RELOAD_AFTER_MS && performance.now() - count < RELOAD_AFTER_MS;
    if (isNew) return sensor;
    this.forget(sensor.uuid);
    return this.byUuid(sensor.uuid);
  }

  forget(uuid: string): void {
    for (const load of this.#loads) load.forgotten.add(uuid);
    const sensor = this.#sensors.get(uuid);
    // The uuid may belong to a new sensor. Its uid may be cached as unknown, or as the uid of another customer's sensor.
    if (!sensor) {
      this.#unknown.clear();
      this.#byUid.clear();
      return;
    }
    this.#sensors.delete(uuid);
    // The cached list for this uid still contains the sensor.
    this.#byUid.delete(sensor.uid);
    for (const key of sensor.tokens.keys()) this.#byToken.delete(key);
  }

  forgetAll(): void {
    for (const load of this.#loads) load.all = true;
    this.#sensors.clear();
    this.#byUid.clear();
    this.#byToken.clear();
    this.#unknown.clear();
  }

  /**
   * Removes the entries of sensors that changed since the last call, and stops serving sensors that other processes
   * took over. Also reads the changes of transactions that were still running at the last call. Skips changes that were
   * already handled.
   */
  async catchUp(tx: Transaction): Promise<void> {
    const now = this.#clock.now().getTime();
    const since = now - this.#caughtUpAt < READ_CHANGES_FOR_MS ? this.#horizon : undefined;
    const { rows } = await tx.query<Changes>(
      `select pg_snapshot_xmin(pg_current_snapshot())::text as horizon, array_agg(c.id::text) as ids,
         array_agg(c.tocsin_sensor_uuid::text) as sensors,
         (select array_agg(t.tocsin_sensor_uuid::text) from tocsin_private.sensor_takeover t
          where t.written_by >= $1::xid8 and t.process <> $2::uuid) as taken
       from tocsin_private.device_change c where c.written_by >= $1::xid8`,
      [since ?? '18446744073709551615', this.#process],
    );
    const { horizon, ids, sensors, taken } = rows[0] as Changes;
    this.#caughtUpAt = now;
    // Without a horizon, it is unknown what has changed. Any entry may be outdated, and any sensor may have been taken
    // over.
    if (since === undefined) {
      this.forgetAll();
      this.release([...this.#served]);
      this.#horizon = horizon;
      this.#seen.clear();
      return;
    }
    this.release(taken?.filter((uuid) => this.#served.has(uuid)) ?? []);
    const seen = new Set<string>();
    ids?.forEach((id, index) => {
      seen.add(id);
      if (!this.#seen.has(id)) this.forget(sensors?.[index] ?? '');
    });
    this.#seen = seen;
    this.#horizon = horizon;
  }

  /** Combines all lookups of uids within one turn of the event loop into one query. */
  #loadUid(uid: string): Promise<Map<string, Sensor[]>> {
    if (!this.#wanted) {
      const uids = new Set<string>();
      const loaded = Promise.resolve().then(() => {
        this.#wanted = undefined;
        return this.#loadUids([...uids]);
      });
      this.#wanted = { uids, loaded };
    }
    this.#wanted.uids.add(uid);
    return this.#wanted.loaded;
  }

  async #loadUids(uids: string[]): Promise<Map<string, Sensor[]>> {
    const found = new Map<string, Sensor[]>();
    for (const sensor of await this.#load('s.uid = any ($1::text[])', uids)) {
      found.set(sensor.uid, [...(found.get(sensor.uid) ?? []), sensor]);
    }
    for (const [uid, sensors] of found) {
      // A sensor that changed during the load is not cached. A list of sensors that contains it is not cached either.
      if (sensors.every((sensor) => this.#sensors.get(sensor.uuid) === sensor)) this.#byUid.set(uid, sensors);
    }
    return found;
  }

  #load(where: string, values: string[]): Promise<Sensor[]> {
    return this.#db.transaction(serviceAccess(this.#clock), (tx) => this.loadIn(tx, where, values));
  }

  /** Loads sensors inside an open transaction. */
  async loadIn(tx: Transaction, where: string, values: string[]): Promise<Sensor[]> {
    const load: Load = { forgotten: new Set(), all: false };
    this.#loads.add(load);
    try {
      const { rows } = await tx.query<SensorRow>(`${SELECT_SENSORS} where ${where}`, [values]);
      const watches = await loadWatches(tx, { sensors: rows.map(({ uuid }) => uuid) });
      const loadedAt = { wall: this.#clock.now().getTime(), count: performance.now() };
      return rows.map((row) => {
        const sensor = this.#builder.build(row, watches, loadedAt);
        // A sensor that changed during the load is returned but not cached.
        if (!load.all && !load.forgotten.has(row.uuid)) this.#keep(sensor);
        return sensor;
      });
    } finally {
      this.#loads.delete(load);
    }
  }

  #keep(sensor: Sensor): void {
    this.#sensors.set(sensor.uuid, sensor);
    // Removes the cached list of sensors with this uid, because it is now outdated.
    this.#byUid.delete(sensor.uid);
    for (const key of sensor.tokens.keys()) this.#byToken.set(key, sensor.uuid);
  }
}

function wasRead({ latest }: Channel): boolean {
  return latest.time !== undefined;
}
