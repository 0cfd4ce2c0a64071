import { AsyncLocalStorage } from 'node:async_hooks';
import type { Pool, PoolClient, PoolConfig, QueryResult, QueryResultRow } from 'pg';
import pg from 'pg';
import type { Log } from './log.ts';
import { asUnreachable, DatabaseUnreachable, endsConnection } from './unreachable.ts';

export interface Transaction {
  query<R extends QueryResultRow = any>(
    text: string,
    values?: readonly unknown[],
  ): Promise<{ rows: R[]; rowCount: number }>;
}

/** A transaction that can also insert rows in bulk with PostgreSQL's binary COPY. */
export interface CopyTransaction extends Transaction {
  copy(statement: string, rows: Buffer): Promise<void>;
}

/** Database role and transaction-local settings. Row level security depends on both. */
export interface Access {
  role: string;
  settings: Readonly<Record<string, string>>;
  /**
   * Forces generic plans for a few fixed statements that find rows by key. Otherwise PostgreSQL, which overestimates
   * the benefit of custom plans, would plan these statements again on each call.
   */
  planOnce?: boolean;
}

export type Health = { ok: true } | { ok: false; problem: string };

export interface Database {
  readonly kind: 'embedded' | 'postgres';
  /** Data folder of an embedded database; undefined for a database in memory or on a PostgreSQL server. */
  readonly folder?: string | undefined;
  /** The node-postgres pool, for libraries that require a pool. */
  readonly pool: Pool;
  /** Runs `work` in a transaction with this role and these settings. Commits, or rolls back if `work` throws. */
  transaction<T>(access: Access, work: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * Runs `work` in a transaction that supports COPY, on a separate connection pool. Undefined if the database does not
   * support COPY.
   */
  copying?<T>(access: Access, work: (tx: CopyTransaction) => Promise<T>): Promise<T>;
  /**
   * Runs `work` on one connection as the login role, without a transaction. Only for migrations and checks at start.
   */
  migration<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * Listens to a notification channel. Returns a function that stops listening. Notifications are lost while the
   * connection is down, so `onReconnect` must reload the data.
   */
  listen(channel: string, onNotify: (payload: string) => void, onReconnect: () => void): Promise<() => Promise<void>>;
  /** Checks whether the database responds within a few seconds. Used by the health endpoint. */
  check(): Promise<Health>;
  close(): Promise<void>;
}

/**
 * Database connection that the current async context holds. A request for a second connection fails, because waiting
 * for it could deadlock.
 */
interface Hold {
  pool: ConnectionPool;
  active: boolean;
  outer: Hold | undefined;
}

const holds = new AsyncLocalStorage<Hold>();

/** Runs `work` outside the current transaction, so that `work` can request its own connection. */
export function outsideTransactions<T>(work: () => T): T {
  return holds.exit(work);
}

type ConnectCallback = (err: Error | undefined, client: PoolClient | undefined, done: (release?: any) => void) => void;

/**
 * A node-postgres pool with three safeguards. A request for a second connection fails, because the embedded database
 * has only one and the request would wait forever. A connection that is released inside a transaction is rolled back
 * first. A lost connection never ends the process.
 */
export class ConnectionPool extends pg.Pool {
  readonly #waiting = new Set<(error: Error) => void>();
  #finishing = false;
  /** Returns the reason why no connection is available; undefined if connections are available. */
  refuse: () => Error | undefined = () => undefined;

  constructor(config: PoolConfig, log: Log) {
    super(config);
    this.on('error', (error) => log.warn('an idle database connection was lost', { error }));
    // Without this listener, the error of a lost connection would end the process. The running query is rejected in any
    // case.
    this.on('connect', (client) => {
      client.on('error', () => {});
      client.on('notice', ({ routine }) => {
        if (routine === WAITS_FOR_STANDBY) unconfirmed.add(client);
      });
    });
    this.on('release', (error: Error | boolean | undefined, client) => {
      if (!error && client.getTransactionStatus() !== 'I') client.query('rollback').catch(() => {});
    });
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<PoolClient> | undefined {
    const connecting = this.#connect();
    if (!callback) return connecting;
    connecting.then(
      (client) => callback(undefined, client, client.release),
      (error: Error) => callback(error, undefined, () => {}),
    );
    return undefined;
  }

  #connect(): Promise<PoolClient> {
    const refusal = this.#refusal() ?? this.refuse();
    if (refusal) return Promise.reject(refusal);
    const { promise, resolve, reject } = Promise.withResolvers<PoolClient>();
    this.#waiting.add(reject);
    super.connect().then(
      (client) => {
        // If `refuseWaiting` has already rejected this request, nobody will use the connection, so it is released.
        if (this.#waiting.delete(reject)) resolve(client);
        else client.release();
      },
      (error: Error) => {
        this.#waiting.delete(reject);
        reject(asUnreachable(error));
      },
    );
    return promise;
  }

  /** Rejects all requests that are waiting for a connection. */
  refuseWaiting(error: Error): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const reject of waiting) reject(error);
  }

  #refusal(): Error | undefined {
    if (this.#finishing) return new Error('The database is being closed.');
    for (let hold = holds.getStore(); hold; hold = hold.outer) {
      if (hold.active && hold.pool === this) {
        return new Error(
          'Code inside a database transaction requested a second connection, which can deadlock. Use the given transaction.',
        );
      }
    }
    return undefined;
  }

  /**
   * Runs `work` on one connection and then releases it. Discards the connection if `after` is `discard` or an error
   * leaves its state uncertain.
   */
  async hold<T>(work: (client: PoolClient) => Promise<T>, after: 'keep' | 'discard' = 'keep'): Promise<T> {
    const client = await this.connect();
    const hold: Hold = { pool: this, active: true, outer: holds.getStore() };
    let discard = after === 'discard';
    try {
      return await holds.run(hold, () => work(client));
    } catch (error) {
      discard ||= mustDiscard(error);
      throw asUnreachable(error);
    } finally {
      hold.active = false;
      client.release(discard);
    }
  }

  /**
   * Serves all waiting requests, runs `last` and closes all connections. Returns false if no connection was available
   * to run `last`.
   */
  async finish(last?: (client: PoolClient) => Promise<void>): Promise<boolean> {
    this.#finishing = true;
    // The pool serves requests in order, so this request comes after all requests that are already waiting.
    const client = await super.connect().catch(() => undefined);
    try {
      if (client) await last?.(client);
    } finally {
      client?.release();
      // A connection that is never released must not prevent the pool from closing.
      await within(this.end(), 5000, () => undefined);
    }
    return client !== undefined;
  }
}

/** PostgreSQL routine that issues a warning if the wait for the synchronous standby is cancelled. */
const WAITS_FOR_STANDBY = 'SyncRepWaitForLSN';
/** Connections whose last commit is confirmed only by the primary, because the wait for the standby was cancelled. */
const unconfirmed = new WeakSet<object>();

/**
 * Throws if the synchronous standby did not confirm the last commit, because a failover would lose this commit.
 * PostgreSQL itself reports only a warning when the statement timeout ends the wait.
 */
export function requireConfirmed(client: object): void {
  if (unconfirmed.delete(client)) throw new DatabaseUnreachable();
}

/** SQLSTATE of the error for a cached plan whose result columns a migration has changed. */
const STALE_PLAN = '0A000';

/** Returns whether a connection must be closed after this error. */
export function mustDiscard(error: unknown): boolean {
  return endsConnection(error) || (error as { code?: string } | undefined)?.code === STALE_PLAN;
}

/**
 * Returns the SQL that begins a transaction with role and settings. It is sent as one message, because a round trip
 * takes longer than the statements.
 */
export function beginAs(access: Access): string {
  const role = access.role.trim();
  if (role === '' || role.toLowerCase() === 'none') {
    throw new Error('A transaction needs a role: without one it would see every row.');
  }
  const parts = [`set_config('role', ${pg.escapeLiteral(role)}, true)`];
  for (const [name, value] of Object.entries(access.settings)) {
    if (!name.includes('.'))
      throw new Error(`The setting ${name} has no prefix. Only custom settings, such as tocsin.name, are allowed.`);
    parts.push(`set_config(${pg.escapeLiteral(name)}, ${pg.escapeLiteral(value)}, true)`);
  }
  if (access.planOnce) parts.push(PLAN_ONCE);
  return `begin; select ${parts.join(', ')}`;
}

/**
 * Forces generic plans and disables sequential scans. Otherwise a plan made while a table was nearly empty would later
 * scan the full table.
 */
const PLAN_ONCE = `set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true)`;

/** Work in a transaction. The promise that `answered` returns resolves when all queries sent so far are completed. */
type Work<T> = (tx: Transaction, client: PoolClient, answered: () => Promise<unknown>) => Promise<T>;

export async function runTransaction<T>(pool: ConnectionPool, access: Access, work: Work<T>): Promise<T> {
  const begin = beginAs(access);
  return pool.hold(async (client) => {
    try {
      await client.query(begin);
      const result = await workOn(client, work);
      const { command } = await client.query('commit');
      // If a statement has failed, PostgreSQL responds to COMMIT with ROLLBACK and reports no error.
      if (command !== 'COMMIT')
        throw new Error('The transaction was rolled back because a statement in it had failed.');
      requireConfirmed(client);
      return result;
    } catch (error) {
      // If the rollback also fails, the connection is lost. The first error is more useful, so it is thrown below.
      await client.query('rollback').catch(() => {});
      throw error;
    }
  });
}

/**
 * Assigns names to repeated statements. A connection parses and plans a named statement only once, and planning takes
 * longer than running it. The number of names is limited.
 */
export class StatementNames {
  readonly #asked = new Map<string, number>();
  readonly #names = new Map<string, string>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  of(text: string): string | undefined {
    const name = this.#names.get(text);
    if (name !== undefined || this.#names.size >= this.#most) return name;
    const asked = (this.#asked.get(text) ?? 0) + 1;
    if (asked < OFTEN) {
      if (this.#asked.size >= this.#most) this.#asked.clear();
      this.#asked.set(text, asked);
      return undefined;
    }
    this.#asked.delete(text);
    this.#names.set(text, `tocsin_${this.#names.size + 1}`);
    return this.#names.get(text);
  }
}

const OFTEN = 3;
const statementNames = new StatementNames(500);

/**
 * Runs `work` with a transaction that is valid only until `work` ends. Then waits for queries that `work` did not
 * await. Concurrent queries are sent together, and the database runs them in order.
 */
export async function workOn<T>(client: PoolClient, work: Work<T>): Promise<T> {
  let ended = false;
  let last: Promise<unknown> = Promise.resolve();
  const tx: Transaction = {
    query(text, values) {
      if (ended) return Promise.reject(new Error('This transaction has ended, so the query was not run.'));
      const run = ask(client, text, values).then(lastResult);
      // `last` must not keep any results, because a long transaction would then keep every row that it has read in
      // memory.
      last = Promise.allSettled([last, run]).then(() => undefined);
      return run;
    },
  };
  try {
    return await work(tx, client, () => last);
  } finally {
    ended = true;
    await last;
  }
}

function ask(client: PoolClient, text: string, values: readonly unknown[] | undefined): Promise<QueryResult> {
  if (!values) return client.query(text);
  const name = statementNames.of(text);
  return client.query({ text, values: values as unknown[], ...(name && { name }) });
}

/**
 * Returns the result of the last statement. For a query text with several statements, node-postgres returns a list of
 * results.
 */
function lastResult(result: QueryResult | QueryResult[]): { rows: any[]; rowCount: number } {
  const one = Array.isArray(result) ? result[result.length - 1] : result;
  return { rows: one?.rows ?? [], rowCount: one?.rowCount ?? 0 };
}

/** Checks whether the database responds within the time limit. Used by the health endpoint. */
export async function answers(pool: Pool, milliseconds = 3000): Promise<Health> {
  const answer = pool.query('select 1').then(
    (): Health => ({ ok: true }),
    (error: Error): Health => ({ ok: false, problem: `The database is not responding: ${error.message}` }),
  );
  return within(answer, milliseconds, () => ({
    ok: false,
    problem: `The database did not respond within ${milliseconds / 1000} s.`,
  }));
}

/**
 * Returns the value of the promise, or the result of `otherwise` if the promise does not settle within the time limit.
 */
export async function within<T>(promise: Promise<T>, milliseconds: number, otherwise: () => T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(otherwise()), milliseconds);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
