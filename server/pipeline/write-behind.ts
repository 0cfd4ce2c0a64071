import { serviceAccess } from '../access.ts';
import { type DisplayedReading, displayedReadings } from '../alarm/alarm-states.ts';
import { resolveSilentAlarms } from '../alarm/silent-sites.ts';
import { announceSites } from '../live/relay.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Transaction } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';
import { type SiteContact, stateOf, writeContacts, writeDatapoints, writeValues } from './newest-rows.ts';
import type { Channel, Sensor, Site } from './sensor.ts';

/** Shortest pause between two writes. Within the bounds, a pause is ten times as long as the write before it. */
const LEAST_MS = 1000;
/** Longest pause between two writes. */
const MOST_MS = 5000;
/** Target duration of one write. Longer writes would delay frames. */
const CHUNK_MS = 15;
const LEAST_CHUNK = 25;
const MOST_CHUNK = 500;

/**
 * Writes newest values, last contacts and GSM data a few seconds after the readings, because writing them with each
 * batch is too slow. After a crash, `repairLatest` restores the missing values from the readings.
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

  /** Starts the timer for writes. */
  start(): void {
    this.#stopped = false;
    this.#schedule(LEAST_MS);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.flush();
  }

  /** Number of channels and sensors whose newest state is not written yet. */
  get waiting(): number {
    return this.#channels.size + this.#sensors.size;
  }

  noteValue(channel: Channel): void {
    if (channel.datapoints.length > 0) this.#channels.add(channel);
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

  /** Writes all values and contacts noted so far. */
  flush(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  #schedule(delay: number): void {
    this.#timer = setTimeout(async () => {
      const began = performance.now();
      await this.flush();
      if (!this.#stopped) this.#schedule(pauseAfter(performance.now() - began));
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
        // The values are copied first, because newer readings can arrive during the write.
        const newest = some.map((channel) => ({ channel, state: stateOf(channel), shown: shownNow(channel) }));
        await this.#transaction(async (tx) => {
          await writeValues(
            tx,
            newest.flatMap(({ shown }) => shown),
          );
          const changed = newest.filter(({ channel, state }) => state !== channel.latest.shown);
          if (changed.length > 0) {
            await writeDatapoints(
              tx,
              changed.flatMap(({ shown }) => shown),
            );
          }
        });
        for (const { channel, state } of newest) channel.latest.shown = state;
        // An incomplete chunk takes little longer than a round trip, so its duration does not adjust the chunk size.
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
      // Newer entries are kept. The next attempt writes the failed entries.
      for (const channel of channels) this.#channels.add(channel);
      for (const [uuid, at] of sensors) if (!this.#sensors.has(uuid)) this.#sensors.set(uuid, at);
      for (const [uuid, site] of sites) if (!this.#sites.has(uuid)) this.#sites.set(uuid, site);
      this.#log.warn('the newest values could not be written; the server will try again', { error: error as Error });
    }
  }

  #transaction(work: (tx: Transaction) => Promise<void>): Promise<void> {
    return this.#db.transaction(serviceAccess(this.#clock), work);
  }
}

function shownNow(channel: Channel): DisplayedReading[] {
  return displayedReadings(channel, channel.latest.value, channel.latest.time ?? 0);
}

/** Returns the pause after a write. The upper bound keeps values current even after a slow write. */
export function pauseAfter(writtenMs: number): number {
  return Math.min(MOST_MS, Math.max(LEAST_MS, 10 * writtenMs));
}

/**
 * Restores newest values that were not written because of a crash. Checks the readings that arrived since one minute
 * before the last written contact.
 */
export async function repairLatest(db: Database, clock: Clock): Promise<void> {
  await db.transaction(serviceAccess(clock), async (tx) => {
    const { rows } = await tx.query<{ since: Date | null }>(
      `select max(last_contact) - interval '1 minute' as since from tocsin.sensor`,
    );
    const since = rows[0]?.since;
    if (!since) return;
    // These readings have recent device times, so older partitions are not searched.
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
