import { hash } from 'node:crypto';
import { canBeUid } from '../../domain/frame/uid.ts';
import { serviceAccess } from '../access.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Transaction } from '../platform/database.ts';
import { loadWatches } from '../rule/load-watches.ts';
import type { Sensor } from './sensor.ts';
import { SELECT_SENSORS, SensorBuilder, type SensorRow } from './sensor-rows.ts';

/** A uid that nobody has is not asked for again within this time, so that guessing costs the database nothing. */
const UNKNOWN_FOR_MS = 2000;
const MOST_UNKNOWN = 10_000;
/** What would be refused is looked up once more: a token may be new, a sensor enabled. Not more often than this for each sensor. */
const RELOAD_AFTER_MS = 250;

export function tokenHash(token: string): string {
  return hash('sha256', token, 'base64');
}

/** A reading of entries under way, and what was forgotten meanwhile. */
interface Load {
  forgotten: Set<string>;
  all: boolean;
}

/**
 * What this process knows of sensors, by uuid, uid and token. It is read when a sensor first speaks and thrown away when
 * something about it changed: at once by a notification, and at the latest by the next batch, which reads what is new in
 * tocsin_private.device_change before it trusts an entry.
 */
export class Registry {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #sensors = new Map<string, Sensor>();
  /** Only lists that are whole. */
  readonly #byUid = new Map<string, Sensor[]>();
  readonly #byToken = new Map<string, string>();
  readonly #unknown = new Map<string, number>();
  readonly #builder = new SensorBuilder();
  readonly #loading = new Map<string, Promise<Sensor | undefined>>();
  readonly #loads = new Set<Load>();
  #wanted: { uids: Set<string>; loaded: Promise<Map<string, Sensor[]>> } | undefined;
  /** Which transactions were already under way when changes were last read, and which changes were seen since. */
  #horizon: string | undefined;
  #seen = new Set<string>();

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /** The entry, if it is remembered. */
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

  /** All sensors with this uid: customers may use the same ones. */
  async byUid(uid: string): Promise<readonly Sensor[]> {
    const known = this.#byUid.get(uid);
    if (known) return known;
    // What strangers say may be noise, which the database need not be asked for.
    if (!canBeUid(uid)) return [];
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

  /** Reads an entry again, unless that was done just now. */
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
    // A sensor nobody knew may have a uid that was asked for in vain.
    if (!sensor) {
      this.#unknown.clear();
      return;
    }
    this.#sensors.delete(uuid);
    // The list of that uid would no longer be whole, so it is asked for again.
    this.#byUid.delete(sensor.uid);
    for (const key of sensor.tokens.keys()) this.#byToken.delete(key);
  }

  forgetAll(): void {
    for (const load of this.#loads) load.all = true;
    this.#sensors.clear();
    this.#byUid.clear();
    this.#byToken.clear();
    this.#unknown.clear();
    this.#horizon = undefined;
    this.#seen.clear();
  }

  /**
   * Forgets what changed since the last time, as the transaction sees it. The
   * numbers of transactions say what could not be seen before: every change of one that was still under way is read
   * again, so that none is missed, and those already handled are left alone.
   */
  async catchUp(tx: Transaction): Promise<void> {
    const { rows } = await tx.query<{ horizon: string; ids: string[] | null; sensors: string[] | null }>(
      `select pg_snapshot_xmin(pg_current_snapshot())::text as horizon, array_agg(c.id::text) as ids,
         array_agg(c.tocsin_sensor_uuid::text) as sensors
       from tocsin_private.device_change c where c.written_by >= $1::xid8`,
      [this.#horizon ?? '18446744073709551615'],
    );
    const { horizon, ids, sensors } = rows[0] ?? { horizon: '0', ids: null, sensors: null };
    // The first time there is nothing to compare with: whatever was remembered before may be old.
    if (this.#horizon === undefined) {
      this.forgetAll();
      this.#horizon = horizon;
      return;
    }
    const seen = new Set<string>();
    ids?.forEach((id, index) => {
      seen.add(id);
      if (!this.#seen.has(id)) this.forget(sensors?.[index] ?? '');
    });
    this.#seen = seen;
    this.#horizon = horizon;
  }

  /** Uids that are asked for at the same moment are read together. */
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
      // What was forgotten while it was read is not remembered, and then the list would not be whole.
      if (sensors.every((sensor) => this.#sensors.get(sensor.uuid) === sensor)) this.#byUid.set(uid, sensors);
    }
    return found;
  }

  #load(where: string, values: string[]): Promise<Sensor[]> {
    return this.#db.transaction(serviceAccess(this.#clock), (tx) => this.loadIn(tx, where, values));
  }

  /** Reads sensors inside a transaction that is under way. */
  async loadIn(tx: Transaction, where: string, values: string[]): Promise<Sensor[]> {
    const load: Load = { forgotten: new Set(), all: false };
    this.#loads.add(load);
    try {
      const { rows } = await tx.query<SensorRow>(`${SELECT_SENSORS} where ${where}`, [values]);
      const watches = await loadWatches(tx, { sensors: rows.map(({ uuid }) => uuid) });
      const loadedAt = { wall: this.#clock.now().getTime(), count: performance.now() };
      return rows.map((row) => {
        const sensor = this.#builder.build(row, watches, loadedAt);
        // It may be older than the change that came meanwhile: good enough to answer with, and not to be kept.
        if (!load.all && !load.forgotten.has(row.uuid)) this.#keep(sensor);
        return sensor;
      });
    } finally {
      this.#loads.delete(load);
    }
  }

  #keep(sensor: Sensor): void {
    this.#sensors.set(sensor.uuid, sensor);
    // A list of its uid holds the entry before this one.
    this.#byUid.delete(sensor.uid);
    for (const key of sensor.tokens.keys()) this.#byToken.set(key, sensor.uuid);
  }
}
