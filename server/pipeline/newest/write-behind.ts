import { serviceAccess } from '../../access.ts';
import { type DisplayedReading, displayedReadings } from '../../alarm/alarm-states.ts';
import { resolveSilentAlarms } from '../../alarm/silent-sites.ts';
import { announceSites } from '../../live/relay.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Transaction } from '../../platform/database.ts';
import type { Log } from '../../platform/log.ts';
import type { Channel, Sensor, Site } from '../sensor.ts';
import { type SiteContact, stateOf, writeContacts, writeDatapoints, writeValues } from './newest-rows.ts';

/** Shortest delay between two writes. A delay normally lasts ten times as long as the previous write. */
const LEAST_MS = 1000;
/** Longest delay between two writes. */
const MOST_MS = 5000;
/** Target duration of one write. Longer writes would delay frames. */
const CHUNK_MS = 15;
const LEAST_CHUNK = 25;
const MOST_CHUNK = 500;
/** Maximum interval between two updates of this process's `write_behind` row while there are no values to write. */
const TOUCH_MS = 3000;
/** A process counts as missing if its `write_behind` row was not updated for this long. */
export const VANISHED_AFTER_MS = 10_000;

export interface WriteBehindOptions {
  db: Database;
  clock: Clock;
  log: Log;
  /** Uuid of this process in the database. */
  process: string;
}

/**
 * Writes newest values, last contacts and GSM data a few seconds after the readings, because writing them with each
 * batch would be too slow. Records the time up to which everything has been written. If this process goes missing,
 * another process writes the rest (repair.ts).
 */
export class WriteBehind {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #process: string;
  /**
   * Channels to write, keyed by channel key. A change of configuration creates a new object for the channel; the object
   * with the newer reading is kept.
   */
  #channels = new Map<number, Channel>();
  /** Start times of running batches whose readings have not been passed to write-behind yet. */
  readonly #expected = new Set<{ at: number }>();
  /** Monotonic time of the last update of this process's `write_behind` row. */
  #touchedAt = Number.NEGATIVE_INFINITY;
  /**
   * Value of `written_until` in the last update of the row, as server time. Everything that arrived before this time
   * has been written.
   */
  #until = Number.POSITIVE_INFINITY;
  #sensors = new Map<string, number>();
  #sites = new Map<string, SiteContact>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<boolean> = Promise.resolve(true);
  #stopped = true;
  #chunk = 100;

  constructor({ db, clock, log, process }: WriteBehindOptions) {
    this.#db = db;
    this.#clock = clock;
    this.#log = log;
    this.#process = process;
  }

  /**
   * Updates this process's `write_behind` row, so that another process can finish its work if this process fails. Call
   * it before every batch. Does nothing if the last update is recent.
   */
  async register(): Promise<void> {
    if (performance.now() - this.#touchedAt < VANISHED_AFTER_MS / 2) return;
    const until = Math.min(this.#until, this.#clock.now().getTime());
    await this.#transaction((tx) => this.#touch(tx, until));
  }

  start(): void {
    this.#stopped = false;
    this.#schedule(LEAST_MS);
  }

  /**
   * Writes everything, so that other processes have nothing to repair. If the write fails, another process does it
   * later.
   */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    if (!(await this.flush())) return;
    await this.#transaction(async (tx) => {
      await tx.query('delete from tocsin_private.write_behind where process = $1', [this.#process]);
    }).catch((error: Error) => this.#log.warn('the end of this process could not be recorded', { error }));
  }

  /**
   * Registers a running batch that begins at `at`. Call the returned function after write-behind has received the
   * batch's readings.
   */
  expect(at: number): () => void {
    const batch = { at };
    this.#expected.add(batch);
    return () => this.#expected.delete(batch);
  }

  /** Number of channels and sensors whose newest state is waiting to be written. */
  get waiting(): number {
    return this.#channels.size + this.#sensors.size;
  }

  noteValue(channel: Channel): void {
    if (channel.datapoints.length === 0) return;
    const known = this.#channels.get(channel.key);
    if (!known || (known.latest.time ?? 0) <= (channel.latest.time ?? 0)) this.#channels.set(channel.key, channel);
  }

  noteContact(sensor: Sensor, at: number, gsm: { provider?: string; signal?: number }): void {
    this.#sensors.set(sensor.uuid, Math.max(at, this.#sensors.get(sensor.uuid) ?? at));
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

  /** Writes all values and contacts noted so far. Returns false if the database failed; the next flush tries again. */
  flush(): Promise<boolean> {
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

  async #write(): Promise<boolean> {
    const until = Math.min(this.#clock.now().getTime(), ...[...this.#expected].map(({ at }) => at));
    const channels = [...this.#channels.values()];
    const sensors = [...this.#sensors];
    const sites = [...this.#sites];
    const isIdle = sensors.length === 0 && channels.length === 0;
    if (isIdle && performance.now() - this.#touchedAt < TOUCH_MS) return true;
    this.#channels = new Map();
    this.#sensors = new Map();
    this.#sites = new Map();
    try {
      for (let at = 0, some: Channel[]; at < channels.length; at += some.length) {
        some = channels.slice(at, at + this.#chunk);
        const began = performance.now();
        // Copies the values first, because newer readings can arrive during the write.
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
        // An incomplete chunk takes about as long as a round trip, so its duration says nothing about the best chunk
        // size.
        if (some.length < this.#chunk) continue;
        const fitting = Math.round((some.length * CHUNK_MS) / (performance.now() - began));
        this.#chunk = Math.min(MOST_CHUNK, Math.max(LEAST_CHUNK, fitting));
      }
      await this.#transaction(async (tx) => {
        if (!isIdle) await this.#writeContacts(tx, sensors, sites);
        await this.#touch(tx, until);
      });
      return true;
    } catch (error) {
      // Failed entries are written at the next attempt, unless newer ones have replaced them.
      for (const channel of channels) this.noteValue(channel);
      for (const [uuid, at] of sensors) if (!this.#sensors.has(uuid)) this.#sensors.set(uuid, at);
      for (const [uuid, site] of sites) if (!this.#sites.has(uuid)) this.#sites.set(uuid, site);
      this.#log.warn('the newest values could not be written; the server will try again', { error: error as Error });
      return false;
    }
  }

  async #writeContacts(tx: Transaction, sensors: [string, number][], sites: [string, SiteContact][]): Promise<void> {
    const heard = await writeContacts(tx, sensors, sites);
    await resolveSilentAlarms(tx, heard, this.#clock.now().getTime());
    await announceSites(
      tx,
      sites.map(([uuid]) => uuid),
    );
  }

  async #touch(tx: Transaction, until: number): Promise<void> {
    await tx.query(
      `insert into tocsin_private.write_behind as w (process, written_until, touched_at)
       values ($1, to_timestamp($2::float8 / 1000), clock_timestamp())
       on conflict (process) do update set written_until = excluded.written_until, touched_at = excluded.touched_at`,
      [this.#process, until],
    );
    this.#touchedAt = performance.now();
    this.#until = until;
  }

  #transaction(work: (tx: Transaction) => Promise<void>): Promise<void> {
    return this.#db.transaction(serviceAccess(this.#clock), work);
  }
}

function shownNow(channel: Channel): DisplayedReading[] {
  return displayedReadings(channel, channel.latest.value, channel.latest.time ?? 0);
}

/** Returns the delay after a write. It has an upper bound, so that values stay current even after a slow write. */
export function pauseAfter(writtenMs: number): number {
  return Math.min(MOST_MS, Math.max(LEAST_MS, 10 * writtenMs));
}
