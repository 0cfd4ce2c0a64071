import type { Pool } from 'pg';
import type { Clock } from '../clock.ts';
import { systemClock } from '../clock.ts';
import type { Access, Database, Health, Transaction } from '../database.ts';
import { answers, ConnectionPool, outsideTransactions, runTransaction, workOn } from '../database.ts';
import type { Log } from '../log.ts';
import { StartError } from '../start-error.ts';
import { EmbeddedEngine } from './engine.ts';
import { databaseFolder, finishDatabaseFolder, freeBytes, prepareDatabaseFolder, prepareDataFolder } from './folder.ts';
import type { FolderLock } from './folder-lock.ts';
import { lockFolder } from './folder-lock.ts';
import { EmbeddedListeners } from './listeners.ts';
import type { Due, MaintenanceSettings } from './maintenance.ts';
import { defaultMaintenance, Maintenance } from './maintenance.ts';
import { EmbeddedStream } from './stream.ts';
import type { DumpCompression } from './wire.ts';

export interface EmbeddedOptions {
  /** Data folder, or `memory` for a database that is lost when it closes. */
  dataDir: string;
  log: Log;
  clock?: Clock;
  /** Dump file created by `dump`. It is loaded only if the folder contains no database yet. */
  loadFrom?: string;
  /**
   * Settings of the timer for checkpoints and vacuuming. If undefined, there is no timer, so call `maintain` instead.
   */
  maintenance?: Partial<MaintenanceSettings>;
  queryLimitMs?: number;
  migrationLimitMs?: number;
  diskFloorBytes?: number;
  diskCheckMs?: number;
}

export interface EmbeddedDatabase extends Database {
  readonly kind: 'embedded';
  /** Returns the whole database as a tar file for `loadFrom`. */
  dump(compression?: DumpCompression): Promise<Buffer>;
  /** Runs due maintenance tasks. The timer calls this method too. */
  maintain(): Promise<Due>;
  /**
   * Vacuums and analyses all tables with many changes. Returns the number of these tables. Call it after a large
   * import.
   */
  vacuum(): Promise<number>;
}

const MEGABYTE = 1024 * 1024;
const MAINTENANCE_LIMIT_MS = 10 * 60_000;

/**
 * Opens PostgreSQL in a thread of this process. Committed data survives if the process is killed, but not if the power
 * fails.
 */
export async function openEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const database = new Embedded(options);
  await database.open();
  return database;
}

class Embedded implements EmbeddedDatabase {
  readonly kind = 'embedded';
  readonly #options: EmbeddedOptions;
  readonly #engine: EmbeddedEngine;
  readonly #pool: ConnectionPool;
  readonly #listeners: EmbeddedListeners;
  readonly #maintenance: Maintenance;
  readonly #dataDir: string | null;
  readonly #diskFloorBytes: number;
  #lock: FolderLock | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: EmbeddedOptions) {
    const { log } = options;
    this.#options = options;
    this.#dataDir = options.dataDir === 'memory' ? null : prepareDataFolder(options.dataDir);
    this.#diskFloorBytes = options.diskFloorBytes ?? 200 * MEGABYTE;
    this.#engine = new EmbeddedEngine({
      settings: {
        folder: this.#dataDir && databaseFolder(this.#dataDir),
        loadFrom: options.loadFrom ?? null,
        diskFloorBytes: this.#diskFloorBytes,
        diskCheckMs: options.diskCheckMs ?? 1000,
      },
      limitMs: options.queryLimitMs ?? 30_000,
      log,
      beforeStart: () => this.#dataDir && prepareDatabaseFolder(this.#dataDir),
      afterStart: () => this.#dataDir && finishDatabaseFolder(this.#dataDir),
      afterRestart: () => outsideTransactions(() => this.#listeners.resume()),
    });
    this.#pool = new ConnectionPool(
      {
        max: 1,
        pipeline: true,
        idleTimeoutMillis: 0,
        // Requests for the connection fail after this time. It is longer than the limit for any query, so it only
        // expires if the connection is never released.
        connectionTimeoutMillis: Math.max(60_000, 2 * this.#engine.limitMs),
        stream: () => new EmbeddedStream(this.#engine),
        onConnect: (client) => this.#listeners.attach(client),
        // These values are set explicitly. Otherwise node-postgres would use the PG… environment variables, which are
        // meant for a server.
        host: 'embedded',
        user: 'postgres',
        database: 'postgres',
        password: 'none',
        ssl: false,
      },
      log,
    );
    this.#listeners = new EmbeddedListeners(this.#pool, () => this.#engine.starts, log);
    this.#maintenance = new Maintenance({
      settings: { ...defaultMaintenance, ...options.maintenance },
      clock: options.clock ?? systemClock,
      log,
      exclusive: (work) => this.#pool.hold((client) => this.#withLimit(MAINTENANCE_LIMIT_MS, () => work(client))),
      busy: () => this.#pool.waitingCount > 0 || this.#pool.idleCount < this.#pool.totalCount,
    });
  }

  get folder(): string | undefined {
    return this.#dataDir ?? undefined;
  }

  get pool(): Pool {
    return this.#pool;
  }

  async open(): Promise<void> {
    const { maintenance } = this.#options;
    if (this.#dataDir !== null) {
      // The lock always uses the machine's clock, because other processes compare it with the modification time of the
      // lock file.
      this.#lock = lockFolder(this.#dataDir, {
        onLost: () =>
          this.#engine.destroy(
            new Error('Another process has locked the data folder, so this process no longer writes to it.'),
          ),
      });
    }
    try {
      await this.#engine.ready();
    } catch (error) {
      this.#engine.destroy(error as Error);
      this.#lock?.release();
      if (error instanceof StartError) throw error;
      const where = this.#dataDir ? `in ${databaseFolder(this.#dataDir)}` : 'in memory';
      throw new StartError(
        `The embedded database ${where} could not be opened: ${(error as Error).message}. Restore a dump into an empty folder, or choose another folder.`,
        { cause: error },
      );
    }
    if (maintenance) this.#maintenance.start();
  }

  transaction<T>(access: Access, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return runTransaction(this.#pool, access, work);
  }

  migration<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const limit = this.#options.migrationLimitMs ?? 60 * 60_000;
    return this.#pool.hold((client) => this.#withLimit(limit, () => workOn(client, work)), 'discard');
  }

  listen(channel: string, onNotify: (payload: string) => void, onReconnect: () => void): Promise<() => Promise<void>> {
    return this.#listeners.add(channel, { onNotify, onReconnect });
  }

  async check(): Promise<Health> {
    if (this.#dataDir !== null) {
      const free = freeBytes(this.#dataDir);
      if (free < this.#diskFloorBytes) {
        const [left, floor] = [free, this.#diskFloorBytes].map((bytes) => Math.floor(bytes / MEGABYTE));
        return {
          ok: false,
          problem: `The disk is almost full: ${left} MB free, writing needs ${floor} MB. Free some space.`,
        };
      }
    }
    return answers(this.#pool);
  }

  async dump(compression: DumpCompression = 'none'): Promise<Buffer> {
    const bytes = await this.#pool.hold(() =>
      this.#withLimit(MAINTENANCE_LIMIT_MS, () => this.#engine.dump(compression)),
    );
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  maintain(): Promise<Due> {
    return this.#maintenance.tick();
  }

  vacuum(): Promise<number> {
    return this.#maintenance.vacuum();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#maintenance.stop();
    try {
      await this.#pool.finish(async (client) => {
        await this.#withLimit(MAINTENANCE_LIMIT_MS, () => client.query('checkpoint'));
      });
    } catch (error) {
      // Without a final checkpoint, the next start replays the write-ahead log. No data is lost.
      this.#options.log.warn('the embedded database was closed without a checkpoint', { error });
    }
    await this.#engine.close();
    this.#lock?.release();
  }

  /**
   * Runs `work` with a time limit of at least `limitMs`. The database has only one connection, so the limit affects no
   * other query.
   */
  async #withLimit<T>(limitMs: number, work: () => Promise<T>): Promise<T> {
    const before = this.#engine.limitMs;
    this.#engine.limitMs = Math.max(before, limitMs);
    try {
      return await work();
    } finally {
      this.#engine.limitMs = before;
    }
  }
}
