import { availableParallelism } from 'node:os';
import { finished } from 'node:stream/promises';
import type { Pool, PoolConfig } from 'pg';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Access, CopyTransaction, Database, Health, Transaction } from './database.ts';
import { ConnectionPool, runTransaction, workOn } from './database.ts';
import type { Log } from './log.ts';
import { PostgresListeners } from './postgres-listeners.ts';
import { Watchdog, type WatchdogLimits } from './postgres-watchdog.ts';
import { StartError } from './start-error.ts';
import { DatabaseUnreachable } from './unreachable.ts';

/**
 * Default size of the connection pool. More connections would only compete for the processor: on two cores, ten
 * connections were slower than four (docs/decisions/0006).
 */
const DEFAULT_CONNECTIONS = Math.max(4, 2 * availableParallelism());

export interface PostgresOptions {
  url: string;
  log: Log;
  maxConnections?: number;
  connectTimeoutMs?: number;
  statementTimeoutMs?: number;
  /** Delay before the first attempt to reconnect the listening connection. The delay doubles up to two seconds. */
  listenRetryMs?: number;
  watchdogLimits?: WatchdogLimits;
}

const APPLICATION = 'tocsin';
const OLDEST_VERSION = 15;
/** Idle time before TCP keep-alive probes start, in milliseconds. */
const KEEP_ALIVE_MS = 5000;
/**
 * Lifetime of a connection in seconds. It is limited, because the plans that a connection caches become unsuitable as
 * the tables grow.
 */
const CONNECTION_LIFE_S = 15 * 60;

/**
 * Connects to a PostgreSQL server. Throws a StartError with instructions if the server does not respond or is too old.
 */
export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const config = connectionConfig(options);
  await requireVersion(config);
  const watchdog = new Watchdog(config, options.log, options.watchdogLimits);
  const shared: PoolConfig = {
    ...config,
    Client: watchdog.Client,
    statement_timeout: options.statementTimeoutMs ?? 30_000,
    // Ends a transaction of a suspended process. Otherwise this process would hold its locks until it resumes, and
    // block the process that takes over.
    idle_in_transaction_session_timeout: 10_000,
    maxLifetimeSeconds: CONNECTION_LIFE_S,
    // The time zone is UTC, so that times as text do not depend on the server. JIT is off, because row level security
    // makes the planner overestimate costs, so that compiling a query alone would take seconds.
    onConnect: (client) => watchdog.begin(client, "set time zone 'UTC'; set jit = off") as unknown as undefined,
  };
  const pool = new ConnectionPool(
    // Queries are pipelined, because a round trip takes longer than most queries.
    { ...shared, pipeline: true, max: options.maxConnections ?? DEFAULT_CONNECTIONS },
    options.log,
  );
  // COPY uses a separate pool, because it holds a connection for a long time. The pool connects on demand.
  const copyPool = new ConnectionPool({ ...shared, pipeline: true, max: 3 }, options.log);
  for (const one of [pool, copyPool]) {
    one.refuse = () => (watchdog.unreachable ? new DatabaseUnreachable() : undefined);
    watchdog.onUnreachable(() => one.refuseWaiting(new DatabaseUnreachable()));
  }
  const listeners = new PostgresListeners(config, watchdog, options.log, options.listenRetryMs ?? 250);
  return new Postgres(pool, copyPool, listeners, watchdog);
}

function connectionConfig(options: PostgresOptions): pg.ClientConfig {
  if (!/^postgres(ql)?:\/\//.test(options.url) || !URL.canParse(options.url)) {
    throw new StartError(
      'The database address is not a PostgreSQL address. Write it as postgres://user:password@host:5432/database.',
    );
  }
  return {
    connectionString: options.url,
    application_name: APPLICATION,
    connectionTimeoutMillis: options.connectTimeoutMs ?? 10_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  };
}

async function requireVersion(config: pg.ClientConfig): Promise<void> {
  const client = new pg.Client({ ...config, query_timeout: config.connectionTimeoutMillis });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ number: string; name: string }>(
      "select current_setting('server_version_num') as number, current_setting('server_version') as name",
    );
    const problem = versionProblem(Number(rows[0]?.number), rows[0]?.name ?? '');
    if (problem) throw new StartError(problem);
  } catch (error) {
    throw error instanceof StartError ? error : explain(error as Error, config);
  } finally {
    // After a failed sign-in, an open socket would keep the process running for a minute.
    client.end().catch(() => {});
  }
}

/**
 * Returns why this server version cannot be used; undefined if it can. `number` is server_version_num, such as 150004.
 */
export function versionProblem(number: number, name: string): string | undefined {
  if (number >= OLDEST_VERSION * 10_000) return undefined;
  return `The PostgreSQL server is version ${name}, but Tocsin needs version ${OLDEST_VERSION} or newer. Upgrade the server, or use another server.`;
}

/** Converts a connection error into a StartError with instructions. The message never contains the password. */
export function explain(error: Error & { code?: string }, config: pg.ClientConfig): StartError {
  const { host, port, user, database } = new pg.Client(config);
  const server = host?.startsWith('/') ? `the socket in ${host}` : `${host}:${port}`;
  const say = (text: string) => new StartError(text, { cause: error });
  switch (error.code) {
    case '28P01':
      return say(`PostgreSQL at ${server} refused the password of the user ${user}. Correct the database address.`);
    case '28000':
      return say(
        `PostgreSQL at ${server} does not allow the user ${user} to sign in: ${error.message}. Create that user, or allow it in pg_hba.conf.`,
      );
    case '3D000':
      return say(
        `PostgreSQL at ${server} has no database ${database}. Create it (createdb ${database}), or correct the database address.`,
      );
    case '42501':
      return say(
        `The user ${user} is not allowed to connect to the database ${database} at ${server}. Grant it that right.`,
      );
    case '53300':
      return say(`PostgreSQL at ${server} has no free connections. Raise max_connections, or stop another client.`);
    case '57P03':
      return say(
        `PostgreSQL at ${server} is starting or shutting down. Wait until it is running, then start Tocsin again.`,
      );
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return say(`The host ${host} in the database address cannot be found. Correct the database address.`);
    case 'ECONNREFUSED':
    case 'ENOENT':
      return say(`PostgreSQL is not responding at ${server}. Start the server there, or correct the database address.`);
  }
  if (/password must be/.test(error.message)) {
    return say(`PostgreSQL at ${server} requires a password for the user ${user}. Add it to the database address.`);
  }
  if (/timeout/i.test(error.message) || error.code === 'ETIMEDOUT') {
    return say(`PostgreSQL at ${server} did not respond in time. Check the network, or correct the database address.`);
  }
  return say(`Cannot use PostgreSQL at ${server}: ${error.message || error.code}. Check the database address.`);
}

class Postgres implements Database {
  readonly kind = 'postgres';
  readonly #pool: ConnectionPool;
  readonly #copyPool: ConnectionPool;
  readonly #listeners: PostgresListeners;
  readonly #watchdog: Watchdog;
  #closing: Promise<void> | undefined;

  constructor(pool: ConnectionPool, copyPool: ConnectionPool, listeners: PostgresListeners, watchdog: Watchdog) {
    this.#watchdog = watchdog;
    this.#pool = pool;
    this.#copyPool = copyPool;
    this.#listeners = listeners;
  }

  get pool(): Pool {
    return this.#pool;
  }

  transaction<T>(access: Access, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return runTransaction(this.#pool, access, work);
  }

  copying<T>(access: Access, work: (tx: CopyTransaction) => Promise<T>): Promise<T> {
    return runTransaction(this.#copyPool, access, (tx, client, answered) =>
      work({
        ...tx,
        async copy(statement, rows) {
          // COPY cannot be pipelined, so all earlier queries must be completed first.
          await answered();
          const sending = client as unknown as { pipeline: boolean };
          sending.pipeline = false;
          try {
            const stream = client.query(copyFrom(statement));
            stream.end(rows);
            await finished(stream);
          } finally {
            sending.pipeline = true;
          }
        },
      }),
    );
  }

  migration<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#pool.hold(async (client) => {
      await client.query('set statement_timeout = 0');
      return workOn(client, work);
    }, 'discard');
  }

  listen(channel: string, onNotify: (payload: string) => void, onReconnect: () => void): Promise<() => Promise<void>> {
    return this.#listeners.add(channel, { onNotify, onReconnect });
  }

  check(): Promise<Health> {
    return this.#watchdog.check();
  }

  close(): Promise<void> {
    this.#closing ??= Promise.all([
      this.#listeners.close(),
      this.#copyPool.totalCount > 0 ? this.#copyPool.finish() : this.#copyPool.end(),
      this.#pool.finish(),
    ]).then(() => this.#watchdog.close());
    return this.#closing;
  }
}
