import type { ClientConfig, PoolConfig } from 'pg';
import pg from 'pg';
import type { Health } from './database.ts';
import type { Log } from './log.ts';
import { DatabaseUnreachable } from './unreachable.ts';

/** Interval between two checks. */
const LOOK_MS = 500;
/** Number of checks without received data after which the watchdog examines a connection that waits for a response. */
const QUIET_LOOKS = 2;
/** Number of consecutive checks that find the backend waiting for the client. The connection then counts as dead. */
const DEAD_LOOKS = 2;
/** Time limits for the watchdog's own queries, in milliseconds. */
export interface WatchdogLimits {
  answer: number;
  /** Limit for a query on a new connection. It includes opening the connection. */
  connect: number;
  /**
   * Number of consecutive checks after which the watchdog ends a transaction that blocks a query of this process. In
   * all these checks, the transaction waited for its own client and made no progress.
   */
  blockedLooks?: number;
}
const LIMITS: WatchdogLimits = { answer: 1000, connect: 1500 };
/** Number of checks within 10 s, which is also the `idle_in_transaction_session_timeout`. */
const BLOCKED_LOOKS = 20;
const CHECK_MS = 700;
/** Time limit for opening a connection of the pool. */
export const OPEN_MS = 5000;
/** Number of checks after which the watchdog destroys a connection that has not finished closing. */
const ENDING_LOOKS = 10;

/** Private members of node-postgres that show which queries a connection is waiting for. */
interface Internals {
  processID: number | null;
  _connecting: boolean;
  _ending: boolean;
  _activeQuery: unknown;
  _sentQueryQueue: unknown[];
  _queryQueue: unknown[];
  connection: { stream: { bytesRead: number; bytesWritten: number; destroy(error?: Error): void } };
}

interface Watched {
  /** Pid of the backend, as returned by a query, because a connection pooler reports a wrong pid in the protocol. */
  pid?: number;
  bytes: number;
  quietLooks: number;
  deadLooks: number;
  endingLooks: number;
}

/** The watchdog's own database connection. */
interface Monitor {
  client: pg.Client;
  connected: Promise<unknown>;
}

interface Backend {
  pid: number;
  works: boolean;
  /** Backends that hold the lock for which this backend waits. */
  blockers: number[] | null;
  /** Value that changes with each statement and with the progress of a COPY. */
  progress: string;
}

/**
 * Detects dead connections. When a firewall, a failover or an unplugged cable silently drops packets, TCP detects this
 * only after many minutes, and a time limit would also end long reports. If a connection receives no data, the watchdog
 * therefore asks the server on its own connection whether the backend is working. If the backend has ended or waits for
 * the client, the watchdog closes the connection. If the server does not respond, the watchdog closes all connections,
 * and requests for a connection fail immediately until the server responds again. The watchdog also ends transactions
 * of suspended processes that block this process, because PostgreSQL has no time limit for a transaction that waits for
 * its client in the middle of COPY or of a large result.
 */
export class Watchdog {
  readonly #config: ClientConfig;
  readonly #log: Log;
  readonly #limits: WatchdogLimits;
  readonly #clients = new Map<pg.Client, Watched>();
  readonly #listeners = new Set<() => void>();
  /**
   * Backends that block this process while they wait for their client, each with the number of checks without progress.
   */
  #blocking = new Map<number, { progress: string; looks: number }>();
  #monitor: Monitor | undefined;
  #timer: NodeJS.Timeout | undefined;
  #looking = false;
  #unreachable = false;
  #closed = false;

  constructor(config: ClientConfig, log: Log, limits = LIMITS) {
    this.#config = { ...config, connectionTimeoutMillis: limits.connect };
    this.#log = log;
    this.#limits = limits;
    this.#timer = setInterval(() => void this.#look(), LOOK_MS).unref();
  }

  /** Client class for a pool. The watchdog monitors each connection from its creation. */
  get Client(): NonNullable<PoolConfig['Client']> {
    const watch = (client: pg.Client) => this.watch(client);
    return class extends pg.Client {
      constructor(config?: ClientConfig) {
        super({ ...config, connectionTimeoutMillis: OPEN_MS });
        watch(this);
      }
    } as unknown as NonNullable<PoolConfig['Client']>;
  }

  /**
   * Runs the first statements of a session and stores the pid of its backend. Rejects if the server is a standby, which
   * accepts no writes: until a proxy notices a failover, it can send connections to a standby.
   */
  async begin(client: pg.ClientBase, statements: string): Promise<void> {
    const results = (await client.query(
      `${statements}; select pg_backend_pid() as pid, pg_is_in_recovery() as standby`,
    )) as unknown as pg.QueryResult[];
    const { pid, standby } = results.at(-1)?.rows[0] ?? {};
    if (standby) throw new DatabaseUnreachable();
    const watched = this.#clients.get(client as pg.Client);
    if (watched) watched.pid = pid;
  }

  watch(client: pg.Client): void {
    this.#clients.set(client, { bytes: 0, quietLooks: 0, deadLooks: 0, endingLooks: 0 });
    client.once('end', () => this.#clients.delete(client));
  }

  /** True if the server did not respond to the last check. */
  get unreachable(): boolean {
    return this.#unreachable;
  }

  /** Calls the listener after every check to which the server did not respond. */
  onUnreachable(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Checks whether the server responds within a second, without using a connection of the pool. */
  async check(): Promise<Health> {
    const problem = 'The database is not responding.';
    if (this.#unreachable) return { ok: false, problem };
    const answer = await this.#ask('select 1', CHECK_MS).catch(() => undefined);
    return answer ? { ok: true } : { ok: false, problem };
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#timer);
    this.#forgetMonitor(this.#monitor);
  }

  async #look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    try {
      const quiet = this.#quietClients();
      if (quiet.length > 0 || this.#unreachable) await this.#checkQuiet(quiet);
      else this.#blocking.clear();
    } catch (error) {
      this.#log.error('the connections to the database could not be checked', { error: error as Error });
    } finally {
      this.#looking = false;
    }
  }

  /**
   * Returns the connections that wait for a response but receive no data. The watchdog counts checks instead of
   * measuring time, because a busy process cannot receive data.
   */
  #quietClients(): pg.Client[] {
    for (const [client, watched] of this.#clients) {
      if (internals(client)._ending) {
        watched.endingLooks += 1;
        if (watched.endingLooks >= ENDING_LOOKS) destroy(client);
        continue;
      }
      const bytes = bytesOf(client);
      const quiet = owesAnAnswer(client) && bytes === watched.bytes;
      watched.quietLooks = quiet ? watched.quietLooks + 1 : 0;
      if (!quiet) watched.deadLooks = 0;
      watched.bytes = bytes;
    }
    return [...this.#clients].filter(([, { quietLooks }]) => quietLooks >= QUIET_LOOKS).map(([client]) => client);
  }

  async #checkQuiet(quiet: readonly pg.Client[]): Promise<void> {
    const backends = await this.#backends();
    if (this.#closed) return;
    if (backends === 'refused') {
      this.#unreachable = false;
      return;
    }
    if (!backends) {
      if (!this.#unreachable) this.#log.error('the database is not responding: its connections are closed', {});
      this.#unreachable = true;
      this.#destroyAll(() => true);
      for (const listener of this.#listeners) listener();
      return;
    }
    if (this.#unreachable) this.#log.info('the database answers again', {});
    this.#unreachable = false;
    const works = new Set(backends.filter((backend) => backend.works).map(({ pid }) => pid));
    const pidOf = (client: pg.Client) => this.#clients.get(client)?.pid ?? internals(client).processID;
    const waitsForUs = (client: pg.Client) => !works.has(pidOf(client) ?? -1);
    let dead = 0;
    for (const client of quiet) {
      const watched = this.#clients.get(client);
      // Connections that are still being opened have their own time limit.
      if (!watched || internals(client)._connecting) continue;
      watched.deadLooks = waitsForUs(client) ? watched.deadLooks + 1 : 0;
      if (watched.deadLooks >= DEAD_LOOKS) dead += 1;
    }
    await this.#endBlocking(backends, quiet.map(pidOf));
    if (dead === 0) return;
    this.#log.warn('connections to the database were lost silently', { connections: dead });
    this.#destroyAll((client) => !internals(client)._connecting && waitsForUs(client));
  }

  /** Ends transactions that block this process's backends (`own`) and have waited too long for their client. */
  async #endBlocking(backends: readonly Backend[], own: readonly unknown[]): Promise<void> {
    const blockers = new Set(backends.flatMap(({ pid, blockers }) => (own.includes(pid) ? (blockers ?? []) : [])));
    const idle = backends.filter(({ pid, works }) => !works && blockers.has(pid));
    const looksOf = ({ pid, progress }: Backend) => {
      const before = this.#blocking.get(pid);
      return before?.progress === progress ? before.looks + 1 : 1;
    };
    this.#blocking = new Map(idle.map((one) => [one.pid, { progress: one.progress, looks: looksOf(one) }]));
    const most = this.#limits.blockedLooks ?? BLOCKED_LOOKS;
    const pids = [...this.#blocking].filter(([, { looks }]) => looks >= most).map(([pid]) => pid);
    if (pids.length === 0) return;
    this.#log.warn('transactions of a process that does not respond were ended, because they blocked this process', {
      connections: pids.length,
    });
    await this.#ask(END_BACKENDS, this.#limits.answer, [pids]);
  }

  #destroyAll(isDead: (client: pg.Client) => boolean): void {
    for (const client of [...this.#clients.keys()]) if (isDead(client)) destroy(client);
  }

  /**
   * Returns the backends of this installation; undefined if the server does not respond even on a new connection.
   * Returns `refused` if the server responds with an error, such as too many connections.
   */
  async #backends(): Promise<Backend[] | 'refused' | undefined> {
    const { answer, connect } = this.#limits;
    for (const limitMs of this.#monitor ? [answer, connect] : [connect]) {
      try {
        return (await this.#ask(BACKENDS, limitMs)) as Backend[];
      } catch (error) {
        if (error instanceof pg.DatabaseError) return 'refused';
      }
    }
    return undefined;
  }

  async #ask(text: string, limitMs: number, values?: unknown[]): Promise<unknown[]> {
    if (this.#closed) throw new Error('The database is being closed.');
    this.#monitor ??= this.#openMonitor();
    const monitor = this.#monitor;
    try {
      return await inTime(limitMs, async () => {
        await monitor.connected;
        return (await monitor.client.query(text, values)).rows;
      });
    } catch (error) {
      this.#forgetMonitor(monitor);
      throw error;
    }
  }

  #openMonitor(): Monitor {
    const client = new pg.Client(this.#config);
    const monitor: Monitor = { client, connected: client.connect() };
    monitor.connected.catch(() => {});
    client.on('error', () => this.#forgetMonitor(monitor));
    return monitor;
  }

  #forgetMonitor(monitor: Monitor | undefined): void {
    if (this.#monitor === monitor) this.#monitor = undefined;
    destroy(monitor?.client);
  }
}

/**
 * SQL that selects all backends of this installation and whether each is working. A backend is working unless it is
 * idle or waits for the client; waiting for a lock or the disk counts as working. The state is `disabled` on a server
 * that does not track activities.
 */
const BACKENDS = `
  select pid, coalesce(state not like 'idle%', true) and coalesce(wait_event not in ('ClientRead', 'ClientWrite'), true) as works,
    case when wait_event_type = 'Lock' then pg_blocking_pids(pid) end as blockers,
    concat(state_change, ' ', (select c.bytes_processed from pg_stat_progress_copy c where c.pid = a.pid)) as progress
  from pg_stat_activity a where datname = current_database() and usename = current_user`;
const END_BACKENDS = `
  select pg_terminate_backend(pid) from pg_stat_activity
  where pid = any ($1) and datname = current_database() and usename = current_user`;

function internals(client: pg.Client): Internals {
  return client as unknown as Internals;
}

function owesAnAnswer(client: pg.Client): boolean {
  const { _connecting, _activeQuery, _sentQueryQueue, _queryQueue } = internals(client);
  return _connecting || Boolean(_activeQuery) || _sentQueryQueue.length + _queryQueue.length > 0;
}

function bytesOf(client: pg.Client): number {
  const { bytesRead, bytesWritten } = internals(client).connection.stream;
  return bytesRead + bytesWritten;
}

/**
 * Closes a connection without sending a Terminate message, because sending would wait forever if the server is dead.
 */
export function destroy(client: pg.Client | undefined): void {
  if (client) internals(client).connection.stream.destroy(new DatabaseUnreachable());
}

/**
 * Runs `work` and rejects after the time limit. Data that arrived while this process was busy is still processed first.
 */
async function inTime<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => setImmediate(() => reject(new DatabaseUnreachable())), milliseconds);
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}
