import type { ClientBase, Pool } from 'pg';
import pg from 'pg';
import type { Log } from '../log.ts';

interface Listener {
  onNotify(payload: string): void;
  onReconnect(): void;
}

/**
 * Implements LISTEN/NOTIFY for the embedded database. Its only session listens to all channels, so listening needs no
 * separate connection. Notifications arrive with the response to the query that commits.
 */
export class EmbeddedListeners {
  readonly #channels = new Map<string, Set<Listener>>();
  readonly #pool: Pool;
  readonly #starts: () => number;
  readonly #log: Log;
  #seenStarts = 1;

  constructor(pool: Pool, starts: () => number, log: Log) {
    this.#pool = pool;
    this.#starts = starts;
    this.#log = log;
  }

  async add(channel: string, listener: Listener): Promise<() => Promise<void>> {
    const listeners = this.#channels.get(channel) ?? new Set();
    this.#channels.set(channel, listeners.add(listener));
    const remove = async () => {
      if (!listeners.delete(listener) || listeners.size > 0) return;
      this.#channels.delete(channel);
      // If the database is closing or closed, the query fails, which is harmless.
      await this.#pool.query(`unlisten ${pg.escapeIdentifier(channel)}`).catch(() => {});
    };
    try {
      await this.#pool.query(`listen ${pg.escapeIdentifier(channel)}`);
    } catch (error) {
      await remove();
      throw error;
    }
    return remove;
  }

  /** Prepares a new connection before its first use: listens to all channels and reports a restart to the listeners. */
  async attach(client: ClientBase): Promise<void> {
    client.on('notification', ({ channel, payload }) => {
      for (const listener of this.#channels.get(channel) ?? []) this.#call(() => listener.onNotify(payload ?? ''));
    });
    for (const channel of this.#channels.keys()) await client.query(`listen ${pg.escapeIdentifier(channel)}`);
    if (this.#seenStarts === this.#starts()) return;
    this.#seenStarts = this.#starts();
    for (const listener of [...this.#channels.values()].flatMap((set) => [...set])) {
      this.#call(() => listener.onReconnect());
    }
  }

  /**
   * Opens a connection after the thread has restarted, so that listeners learn about the restart before the next query.
   */
  resume(): void {
    if (this.#channels.size > 0) this.#pool.query('select 1').catch(() => {});
  }

  #call(listener: () => void): void {
    try {
      listener();
    } catch (error) {
      this.#log.error('a listener to the database failed', { error });
    }
  }
}
