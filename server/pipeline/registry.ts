import { hash } from 'node:crypto';
import type { FrameFormat } from '../../domain/frame/frame.ts';
import { serviceAccess } from '../access.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Transaction } from '../platform/database.ts';
import type { Channel, Latest, Sensor, Site } from './sensor.ts';

/** A uid that nobody has is not asked for again within this time, so that guessing costs the database nothing. */
const UNKNOWN_FOR_MS = 2000;
const MOST_UNKNOWN = 10_000;
/** A token that does not fit is looked up once more: it may be new. Not more often than this for each sensor. */
const RELOAD_AFTER_MS = 250;

export function tokenHash(token: string): string {
  return hash('sha256', token, 'base64');
}

interface SensorRow {
  uuid: string;
  customer_uuid: string;
  uid: string;
  status: number;
  customer_active: boolean;
  frame_format: FrameFormat;
  gateway_uuid: string | null;
  tokens: { hash: string; revokedAt: string | null }[];
  channels: ChannelRow[];
  commands: { id: number; text: string; sentOn: string | null; expiresOn: string }[];
}

interface ChannelRow {
  key: number;
  number: number;
  name: string;
  factor: number;
  offset: number;
  decimals: number | null;
  lowText: string;
  highText: string;
  normalColor: string;
  alarmColor: string;
  alarmCondition: number;
  faces: { datapointUuid: string; siteUuid: string; sensorType: number; healthHours: number }[];
}

const SELECT_SENSORS = `
  select s.uuid, s.tocsin_customer_uuid as customer_uuid, s.uid, s.status, s.frame_format, s.tocsin_gateway_uuid as gateway_uuid,
    (select c.status = 1 from tocsin.customer c where c.uuid = s.tocsin_customer_uuid) as customer_active,
    coalesce((select json_agg(json_build_object('hash', encode(t.token_hash, 'base64'), 'revokedAt', t.revoked_at))
      from tocsin_private.device_token t where t.tocsin_sensor_uuid = s.uuid), '[]') as tokens,
    coalesce((select json_agg(json_build_object('key', c.key, 'number', c.channel_number, 'name', c.name, 'factor', c.channel_factor,
        'offset', c.channel_offset, 'decimals', c.channel_decimals, 'lowText', c.channel_low_text, 'highText', c.channel_high_text,
        'normalColor', c.channel_normal_color, 'alarmColor', c.channel_alarm_color, 'alarmCondition', c.channel_alarm_condition,
        'faces', coalesce((select json_agg(json_build_object('datapointUuid', d.uuid, 'siteUuid', a.tocsin_site_uuid,
            'sensorType', d.sensor_type, 'healthHours', site.tocsin_health_duration_hours))
          from tocsin.asset_datapoint d join tocsin.asset a on a.uuid = d.tocsin_asset_uuid
          join tocsin.site site on site.uuid = a.tocsin_site_uuid
          where d.tocsin_sensor_channel_uuid = c.uuid), '[]')))
      from tocsin.sensor_channel c where c.tocsin_sensor_uuid = s.uuid), '[]') as channels,
    coalesce((select json_agg(json_build_object('id', m.id, 'text', m.reply_command, 'sentOn', m.sent_on, 'expiresOn', m.expires_on)
        order by m.id)
      from tocsin.reply_message m where m.tocsin_customer_uuid = s.tocsin_customer_uuid and m.uid = s.uid
        and m.delivered_on is null and m.expires_on > tocsin_private.clock()), '[]') as commands
  from tocsin.sensor s`;

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
  readonly #latest = new Map<number, Latest>();
  readonly #sites = new Map<string, Site>();
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
    if (this.#clock.now().getTime() - sensor.loadedAt < RELOAD_AFTER_MS) return sensor;
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
      const loadedAt = this.#clock.now().getTime();
      return rows.map((row) => {
        const sensor = this.#sensor(row, loadedAt);
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

  #sensor(row: SensorRow, loadedAt: number): Sensor {
    const sites = new Map<string, Site>();
    const channels = new Map<string, Channel>();
    // Numbers first, so that a channel whose name is another one's number does not hide it.
    for (const channel of row.channels) channels.set(String(channel.number), this.#channel(row, channel, sites));
    for (const channel of row.channels) {
      const made = channels.get(String(channel.number)) as Channel;
      for (const name of [channel.name, channel.name.toLowerCase()]) if (!channels.has(name)) channels.set(name, made);
    }
    return {
      uuid: row.uuid,
      customerUuid: row.customer_uuid,
      uid: row.uid,
      status: row.status,
      customerActive: row.customer_active,
      format: row.frame_format,
      gatewayUuid: row.gateway_uuid ?? undefined,
      tokens: new Map(
        row.tokens.map(({ hash: key, revokedAt }) => [
          // PostgreSQL breaks base64 into lines.
          key.replaceAll('\n', ''),
          { revokedAt: revokedAt === null ? undefined : new Date(revokedAt) },
        ]),
      ),
      channels,
      sites: [...sites.values()],
      commands: row.commands.map(({ id, text, sentOn, expiresOn }) => ({
        id,
        text,
        sentAt: sentOn === null ? undefined : Date.parse(sentOn),
        expiresAt: Date.parse(expiresOn),
      })),
      loadedAt,
    };
  }

  #channel(row: SensorRow, channel: ChannelRow, sites: Map<string, Site>): Channel {
    const { key, factor, offset, decimals, alarmCondition, normalColor, alarmColor } = channel;
    const faces = channel.faces.map((face) => {
      const site = this.#site(face.siteUuid, row.customer_uuid, face.healthHours);
      sites.set(face.siteUuid, site);
      return {
        datapointUuid: face.datapointUuid,
        siteUuid: face.siteUuid,
        digital: face.sensorType === 1,
        lowText: channel.lowText,
        highText: channel.highText,
        lowColor: alarmCondition === 0 ? alarmColor : normalColor,
        highColor: alarmCondition === 1 ? alarmColor : normalColor,
      };
    });
    let latest = this.#latest.get(key);
    if (!latest) {
      latest = { time: undefined, value: 0, shown: '', inBatch: Number.NEGATIVE_INFINITY };
      this.#latest.set(key, latest);
    }
    return {
      key,
      sensorUuid: row.uuid,
      factor,
      offset,
      decimals: decimals ?? undefined,
      plain: factor === 1 && offset === 0 && decimals === null,
      faces,
      latest,
    };
  }

  #site(uuid: string, customerUuid: string, healthHours: number): Site {
    let site = this.#sites.get(uuid);
    if (!site || site.healthHours !== healthHours) {
      site = { uuid, customerUuid, healthHours };
      this.#sites.set(uuid, site);
    }
    return site;
  }
}
