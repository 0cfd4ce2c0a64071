import { serviceAccess } from '../access.ts';
import { resolveSilentAlarms } from '../alarm/silent-sites.ts';
import { announceSites } from '../live/relay.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Transaction } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';
import type { Channel, Sensor, Site } from './sensor.ts';

/** At least this long between two writes, and never more than a tenth of the time spent on them. */
const LEAST_MS = 1000;
/** As many at a time as take about this long, so that frames which wait for the database in between do not wait long. */
const CHUNK_MS = 15;
const LEAST_CHUNK = 25;
const MOST_CHUNK = 500;
/** A state is shown again after this long, in case a person or the clock changed what stands there. */
const SHOW_AGAIN_MS = 60_000;

interface SiteContact {
  at: number;
  provider?: string;
  signal?: number;
}

/**
 * What is worked out from readings and would cost too much to write with each of them: newest values, last contacts, GSM.
 * A crash loses at most the last second of it, and `repair` makes that good from the readings themselves.
 */
export class WriteBehind {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #log: Log;
  #channels = new Set<Channel>();
  #sensors = new Map<string, number>();
  #sites = new Map<string, SiteContact>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #stopped = true;
  #chunk = 100;

  constructor(db: Database, clock: Clock, log: Log) {
    this.#db = db;
    this.#clock = clock;
    this.#log = log;
  }

  /** Writes by itself from now on. */
  start(): void {
    this.#stopped = false;
    this.#schedule(LEAST_MS);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.flush();
  }

  noteValue(channel: Channel): void {
    if (channel.faces.length > 0) this.#channels.add(channel);
  }

  noteContact(sensor: Sensor, at: number, gsm: { provider?: string; signal?: number }): void {
    this.#sensors.set(sensor.uuid, at);
    for (const site of sensor.sites) this.#noteSite(site, at, gsm);
  }

  #noteSite(site: Site, at: number, { provider, signal }: { provider?: string; signal?: number }): void {
    const known = this.#sites.get(site.uuid);
    if (!known) {
      this.#sites.set(site.uuid, {
        at,
        ...(provider !== undefined && { provider }),
        ...(signal !== undefined && { signal }),
      });
      return;
    }
    known.at = Math.max(known.at, at);
    if (provider !== undefined) known.provider = provider;
    if (signal !== undefined) known.signal = signal;
  }

  /** Writes everything noted so far. */
  flush(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  #schedule(delay: number): void {
    this.#timer = setTimeout(async () => {
      const began = performance.now();
      await this.flush();
      if (!this.#stopped) this.#schedule(Math.max(LEAST_MS, 10 * (performance.now() - began)));
    }, delay).unref();
  }

  async #write(): Promise<void> {
    const channels = [...this.#channels];
    const sensors = [...this.#sensors];
    const sites = [...this.#sites];
    if (sensors.length === 0 && channels.length === 0) return;
    this.#channels = new Set();
    this.#sensors = new Map();
    this.#sites = new Map();
    try {
      for (let at = 0, some: Channel[]; at < channels.length; at += some.length) {
        some = channels.slice(at, at + this.#chunk);
        const began = performance.now();
        await this.#transaction(async (tx) => {
          await writeValues(tx, some);
          const changed = some.filter((channel) => stateOf(channel) !== channel.latest.shown);
          if (changed.length > 0) await writeFaces(tx, changed.flatMap(shownBy));
        });
        for (const channel of some) channel.latest.shown = stateOf(channel);
        // The last few cost as much as a message does, and say nothing about the rest.
        if (some.length < this.#chunk) continue;
        const fitting = Math.round((some.length * CHUNK_MS) / (performance.now() - began));
        this.#chunk = Math.min(MOST_CHUNK, Math.max(LEAST_CHUNK, fitting));
      }
      await this.#transaction(async (tx) => {
        const heard = await writeContacts(tx, sensors, sites);
        await resolveSilentAlarms(tx, heard, this.#clock.now().getTime());
        await announceSites(
          tx,
          sites.map(([uuid]) => uuid),
        );
      });
    } catch (error) {
      // Nothing is lost: what was noted meanwhile is newer, and the rest is tried again.
      for (const channel of channels) this.#channels.add(channel);
      for (const [uuid, at] of sensors) if (!this.#sensors.has(uuid)) this.#sensors.set(uuid, at);
      for (const [uuid, site] of sites) if (!this.#sites.has(uuid)) this.#sites.set(uuid, site);
      this.#log.warn('the newest values could not be written and are tried again', { error: error as Error });
    }
  }

  #transaction(work: (tx: Transaction) => Promise<void>): Promise<void> {
    return this.#db.transaction(serviceAccess(this.#clock), work);
  }
}

/** The newest values, and nothing else: this is written for every datapoint, every second. */
async function writeValues(tx: Transaction, channels: readonly Channel[]): Promise<void> {
  const rows = channels.flatMap(({ faces, latest: { value, time } }) =>
    faces.map(({ datapointUuid }) => ({ uuid: datapointUuid, value, at: time })),
  );
  await tx.query(
    `update tocsin.asset_datapoint d set latest_value = n.value, last_updated = to_timestamp(n.at / 1000)
     from json_to_recordset($1) as n (uuid uuid, value float8, at float8)
     where d.uuid = n.uuid and (d.last_updated is null or d.last_updated <= to_timestamp(n.at / 1000))`,
    [inOrder(rows)],
  );
}

/**
 * A datapoint that hears from its sensor again is normal; whether it is in alarm is judged elsewhere. What has two states
 * changes its colour and its words with them.
 */
async function writeFaces(tx: Transaction, faces: readonly Shown[]): Promise<void> {
  await tx.query(
    `update tocsin.asset_datapoint d
     set status = case when d.status in (0, 3) then 1 else d.status end,
       datapoint_color = coalesce(n.color, d.datapoint_color), datapoint_title_text = coalesce(n.title, d.datapoint_title_text)
     from json_to_recordset($1) as n (uuid uuid, color text, title text)
     where d.uuid = n.uuid and (d.status in (0, 3) or n.color <> d.datapoint_color or n.title <> d.datapoint_title_text)`,
    [inOrder(faces)],
  );
}

/** What is shown of a channel besides its value: which state it is in, and that it speaks at all. */
function stateOf({ latest: { value, time } }: Channel): string {
  return `${value === 0 ? 'low' : 'high'} ${Math.floor((time ?? 0) / SHOW_AGAIN_MS)}`;
}

interface Shown {
  uuid: string;
  color: string | null;
  title: string | null;
}

function shownBy(channel: Channel): Shown[] {
  const low = channel.latest.value === 0;
  return channel.faces.map((face) => ({
    uuid: face.datapointUuid,
    color: face.digital ? (low ? face.lowColor : face.highColor) : null,
    title: face.digital ? (low ? face.lowText : face.highText) || null : null,
  }));
}

/** In the order of their keys, so that two processes rarely wait for each other; when they do, one of them tries again. */
function inOrder(rows: readonly { uuid: string }[]): string {
  return JSON.stringify(rows.toSorted((a, b) => (a.uuid < b.uuid ? -1 : 1)));
}

/** Answers the sites that were silent until now. */
async function writeContacts(
  tx: Transaction,
  sensors: readonly (readonly [string, number])[],
  sites: readonly (readonly [string, SiteContact])[],
): Promise<string[]> {
  await tx.query(
    `update tocsin.sensor s set last_contact = to_timestamp(n.at / 1000)
     from json_to_recordset($1) as n (uuid uuid, at float8)
     where s.uuid = n.uuid and (s.last_contact is null or s.last_contact < to_timestamp(n.at / 1000))`,
    [inOrder(sensors.map(([uuid, at]) => ({ uuid, at })))],
  );
  if (sites.length === 0) return [];
  const rows = inOrder(sites.map(([uuid, site]) => ({ uuid, ...site })));
  const { rows: heard } = await tx.query<{ uuid: string }>(
    `select s.uuid from tocsin.site s where s.uuid = any ($1::uuid[]) and (s.site_status in (0, 3) or exists (
       select from tocsin.alarm a where a.tocsin_site_uuid = s.uuid and a.source = 'silence' and a.resolved_date is null))`,
    [sites.map(([uuid]) => uuid)],
  );
  await tx.query(
    `update tocsin.site s set last_update = greatest(s.last_update, to_timestamp(n.at / 1000)),
       gsm_signal_strength = coalesce(n.signal, s.gsm_signal_strength),
       site_status = case when s.site_status in (0, 3) then
         case when exists (select from tocsin.asset a join tocsin.asset_datapoint d on d.tocsin_asset_uuid = a.uuid
           where a.tocsin_site_uuid = s.uuid and d.status = 2) then 2 else 1 end
         else s.site_status end
     from json_to_recordset($1) as n (uuid uuid, at float8, signal int) where s.uuid = n.uuid`,
    [rows],
  );
  const silent = heard.map(({ uuid }) => uuid);
  if (!sites.some(([, { provider }]) => provider !== undefined)) return silent;
  // Apart, because a change of the provider is a change of the site's record.
  await tx.query(
    `update tocsin.site s set gsm_provider = n.provider
     from json_to_recordset($1) as n (uuid uuid, provider text)
     where s.uuid = n.uuid and n.provider is not null and s.gsm_provider is distinct from n.provider`,
    [rows],
  );
  return silent;
}

/**
 * After a crash: values that were stored in the last moments before it and not yet shown. Looks at what arrived since
 * the last contact that was written, and a minute before.
 */
export async function repairLatest(db: Database, clock: Clock): Promise<void> {
  await db.transaction(serviceAccess(clock), async (tx) => {
    const { rows } = await tx.query<{ since: Date | null }>(
      `select max(last_contact) - interval '1 minute' as since from tocsin.sensor`,
    );
    const since = rows[0]?.since;
    if (!since) return;
    // Readings of the last moments carry times of the last days; older weeks need not be looked through for them.
    await tx.query(
      `with newest as (
         select distinct on (r.channel_key) r.channel_key, r.device_time, r.value
         from tocsin.reading r
         where r.server_time >= $1 and r.device_time >= $1::timestamptz - interval '1 day'
         order by r.channel_key, r.device_time desc)
       update tocsin.asset_datapoint d
       set latest_value = n.value, last_updated = n.device_time, status = case when d.status in (0, 3) then 1 else d.status end
       from newest n join tocsin.sensor_channel c on c.key = n.channel_key
       where d.tocsin_sensor_channel_uuid = c.uuid and (d.last_updated is null or d.last_updated < n.device_time)`,
      [since],
    );
  });
}
