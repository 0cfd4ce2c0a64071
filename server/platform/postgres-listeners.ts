import pg from 'pg';
import type { Log } from './log.ts';
import { destroy, OPEN_MS, type Watchdog } from './postgres-watchdog.ts';

const LONGEST_RETRY_MS = 2000;
/** Interval between two pings. Pings detect a lost connection even if no notification arrives for hours. */
const PING_MS = 5000;

interface Listener {
  onNotify(payload: string): void;
  onReconnect(): void;
}

/** Listens to all channels on one connection outside the pool. Reconnects if the connection is lost. */
export class PostgresListeners {
  readonly #config: pg.ClientConfig;
  readonly #watchdog: Watchdog;
  readonly #log: Log;
  readonly #firstRetryMs: number;
  readonly #channels = new Map<string, Set<Listener>>();
  #client: Promise<pg.Client> | undefined;
  /** The client that is currently listening. Events of earlier clients are ignored. */
  #current: pg.Client | undefined;
  #retry: NodeJS.Timeout | undefined;
  #ping: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(config: pg.ClientConfig, watchdog: Watchdog, log: Log, firstRetryMs: number) {
    this.#config = { ...config, connectionTimeoutMillis: OPEN_MS, query_timeout: 10_000 };
    this.#watchdog = watchdog;
    this.#log = log;
    this.#firstRetryMs = firstRetryMs;
  }

  async add(channel: string, listener: Listener): Promise<() => Promise<void>> {
    const listeners = this.#channels.get(channel) ?? new Set();
    this.#channels.set(channel, listeners.add(listener));
    const remove = async () => {
      if (!listeners.delete(listener) || listeners.size > 0) return;
      this.#channels.delete(channel);
      const client = await this.#client?.catch(() => undefined);
      // If the connection is lost, the query fails, which is harmless: the next connection listens only to the current
      // channels.
      await client?.query(`unlisten ${pg.escapeIdentifier(channel)}`).catch(() => {});
    };
    try {
      await (await this.#connected()).query(`listen ${pg.escapeIdentifier(channel)}`);
    } catch (error) {
      await remove();
      throw error;
    }
    return remove;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    clearInterval(this.#ping);
    const client = await this.#client?.catch(() => undefined);
    await client?.end();
  }

  #connected(): Promise<pg.Client> {
    if (this.#closed) return Promise.reject(new Error('The database is being closed.'));
    this.#client ??= this.#connect();
    return this.#client;
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client(this.#config);
    this.#watchdog.watch(client);
    const lost = (error?: Error) => this.#lost(client, error);
    client.on('error', lost);
    client.on('notification', ({ channel, payload }) => {
      for (const listener of this.#channels.get(channel) ?? []) this.#call(() => listener.onNotify(payload ?? ''));
    });
    try {
      await client.connect();
      for (const channel of this.#channels.keys()) await client.query(`listen ${pg.escapeIdentifier(channel)}`);
    } catch (error) {
      this.#client = undefined;
      destroy(client);
      throw error;
    }
    this.#current = client;
    client.on('end', () => lost());
    this.#ping = setInterval(() => client.query('select 1').catch(lost), PING_MS).unref();
    return client;
  }

  #lost(client: pg.Client, error?: Error): void {
    if (this.#closed || client !== this.#current) return;
    this.#current = undefined;
    this.#client = undefined;
    destroy(client);
    clearInterval(this.#ping);
    this.#log.warn('the listening database connection was lost', { error });
    this.#scheduleRetry(this.#firstRetryMs);
  }

  #scheduleRetry(delayMs: number): void {
    this.#retry = setTimeout(async () => {
      if (this.#closed || this.#channels.size === 0) return;
      try {
        await this.#connected();
      } catch {
        this.#scheduleRetry(Math.min(delayMs * 2, LONGEST_RETRY_MS));
        return;
      }
      for (const listener of [...this.#channels.values()].flatMap((set) => [...set])) {
        this.#call(() => listener.onReconnect());
      }
    }, delayMs).unref();
  }

  #call(listener: () => void): void {
    try {
      listener();
    } catch (error) {
      this.#log.error('a listener to the database failed', { error });
    }
  }
}
