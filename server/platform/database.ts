import { AsyncLocalStorage } from 'node:async_hooks';
import type { Pool, PoolClient, PoolConfig, QueryResult, QueryResultRow } from 'pg';
import pg from 'pg';
import type { Log } from './log.ts';

export interface Transaction {
  query<R extends QueryResultRow = any>(
    text: string,
    values?: readonly unknown[],
  ): Promise<{ rows: R[]; rowCount: number }>;
}

/** A transaction that also takes rows in bulk, as PostgreSQL's binary COPY. */
export interface CopyTransaction extends Transaction {
  copy(statement: string, rows: Buffer): Promise<void>;
}

/** Whose eyes a transaction sees with: a database role and transaction-local settings. */
export interface Access {
  role: string;
  settings: Readonly<Record<string, string>>;
  /**
   * For work of few, fixed statements that find rows by their keys: a plan that fits every value is made once. Otherwise
   * the database weighs that against planning each time anew, and overrates what the better plan saves.
   */
  planOnce?: boolean;
}

export type Health = { ok: true } | { ok: false; problem: string };

export interface Database {
  readonly kind: 'embedded' | 'postgres';
  /** The folder of an embedded database that lives in one. */
  readonly folder?: string | undefined;
  /** Shaped like node-postgres, because it is: for libraries that bring their own way of asking. */
  readonly pool: Pool;
  /** Begins, takes on the role and the settings for this transaction only, does the work, and commits or rolls back. */
  transaction<T>(access: Access, work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** A transaction that can copy, on a connection kept for such work; absent where the database cannot. */
  copying?<T>(access: Access, work: (tx: CopyTransaction) => Promise<T>): Promise<T>;
  /** One connection as the login role with no transaction begun, for the migrator and the checks at start only. */
  migration<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Notifications are lost while a connection is down: read again in `onReconnect`. */
  listen(channel: string, onNotify: (payload: string) => void, onReconnect: () => void): Promise<() => Promise<void>>;
  /** Quick enough for a health page. */
  check(): Promise<Health>;
  close(): Promise<void>;
}

/** The connection this flow of calls holds, so that asking for a second one can be refused instead of waited for. */
interface Hold {
  pool: ConnectionPool;
  active: boolean;
  outer: Hold | undefined;
}

const holds = new AsyncLocalStorage<Hold>();

/** For work that is only set off from inside a transaction, and goes on by itself. */
export function outsideTransactions<T>(work: () => T): T {
  return holds.exit(work);
}

type ConnectCallback = (err: Error | undefined, client: PoolClient | undefined, done: (release?: any) => void) => void;

/**
 * A node-postgres pool that cannot be misused in three ways: asking for a connection while holding one is an error (the
 * embedded database has one connection, and the wait would never end), a connection given back in the middle of a
 * transaction is rolled back before anybody else gets it, and a lost connection never ends the process.
 */
export class ConnectionPool extends pg.Pool {
  readonly #waiting = new Set<(error: Error) => void>();
  #finishing = false;
  /** Why nobody gets a connection at the moment, if so. */
  refuse: () => Error | undefined = () => undefined;

  constructor(config: PoolConfig, log: Log) {
    super(config);
    this.on('error', (error) => log.warn('an idle database connection was lost', { error }));
    // Whoever was running a query gets the error from that query; without a listener it would also end the process.
    this.on('connect', (client) => client.on('error', () => {}));
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
        // Whoever was refused meanwhile does not come back for it.
        if (this.#waiting.delete(reject)) resolve(client);
        else client.release();
      },
      (error: Error) => {
        this.#waiting.delete(reject);
        reject(error);
      },
    );
    return promise;
  }

  /** Refuses everybody who waits for a connection now. */
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
          'This code is inside a database transaction and asked for a second connection, which can wait for ever: use the transaction it was given.',
        );
      }
    }
    return undefined;
  }

  /** Runs the work on one connection, which is given back afterwards, or thrown away when it may be in a bad state. */
  async hold<T>(work: (client: PoolClient) => Promise<T>, after: 'keep' | 'discard' = 'keep'): Promise<T> {
    const client = await this.connect();
    const hold: Hold = { pool: this, active: true, outer: holds.getStore() };
    let discard = after === 'discard';
    try {
      return await holds.run(hold, () => work(client));
    } catch (error) {
      // The server says goodbye before the socket closes, so the connection still looks well at this moment.
      discard ||= (error as { severity?: string } | undefined)?.severity === 'FATAL';
      throw error;
    } finally {
      hold.active = false;
      client.release(discard);
    }
  }

  /**
   * Lets everybody who asked before be served, does the last work, and ends all connections. Answers whether the last
   * work was done; it is not when no connection could be had any more.
   */
  async finish(last?: (client: PoolClient) => Promise<void>): Promise<boolean> {
    this.#finishing = true;
    // Connections are handed out in the order of asking, so this one comes after everybody who still waits.
    const client = await super.connect().catch(() => undefined);
    try {
      if (client) await last?.(client);
    } finally {
      client?.release();
      // A connection that somebody never gives back must not hold up the end for ever.
      await within(this.end(), 5000, () => undefined);
    }
    return client !== undefined;
  }
}

/**
 * Begins a transaction that sees with somebody's eyes, as one message: on the embedded database, and on a server far
 * away, every message costs more than what it asks for.
 */
export function beginAs(access: Access): string {
  const role = access.role.trim();
  if (role === '' || role.toLowerCase() === 'none') {
    throw new Error('A transaction needs a role: without one it would see every row.');
  }
  const parts = [`set_config('role', ${pg.escapeLiteral(role)}, true)`];
  for (const [name, value] of Object.entries(access.settings)) {
    if (!name.includes('.'))
      throw new Error(`The setting ${name} has no prefix: only settings of one's own are allowed.`);
    parts.push(`set_config(${pg.escapeLiteral(name)}, ${pg.escapeLiteral(value)}, true)`);
  }
  if (access.planOnce) parts.push(PLAN_ONCE);
  return `begin; select ${parts.join(', ')}`;
}

/** A plan made while a table is nearly empty must not read the whole of it once it is full. */
const PLAN_ONCE = `set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true)`;

/** `answered` resolves when everything that was asked so far is. */
type Work<T> = (tx: Transaction, client: PoolClient, answered: () => Promise<unknown>) => Promise<T>;

export async function runTransaction<T>(pool: ConnectionPool, access: Access, work: Work<T>): Promise<T> {
  const begin = beginAs(access);
  return pool.hold(async (client) => {
    try {
      await client.query(begin);
      const result = await workOn(client, work);
      const { command } = await client.query('commit');
      // A commit after a failed statement whose error was swallowed is answered with a rollback, and no error.
      if (command !== 'COMMIT')
        throw new Error('The transaction was rolled back because a statement in it had failed.');
      return result;
    } catch (error) {
      // When this fails too the connection is gone, and the transaction with it: the first error is the one that tells.
      await client.query('rollback').catch(() => {});
      throw error;
    }
  });
}

/**
 * Names for statements that are asked again and again: a connection reads and plans what has a name once, and that takes
 * longer than most of them run. There are never more than fit, whatever texts are made up.
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
 * Hands out a transaction that works only while `work` runs, and waits for what it started without waiting. Queries that
 * are started together are sent together, and the database runs them one after the other.
 */
export async function workOn<T>(client: PoolClient, work: Work<T>): Promise<T> {
  let ended = false;
  let last: Promise<unknown> = Promise.resolve();
  const tx: Transaction = {
    query(text, values) {
      if (ended) return Promise.reject(new Error('This transaction has ended: its query was not run.'));
      const run = ask(client, text, values).then(lastResult);
      last = Promise.allSettled([last, run]);
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

/** Text with several statements is answered with a list; the last answer is the one that counts. */
function lastResult(result: QueryResult | QueryResult[]): { rows: any[]; rowCount: number } {
  const one = Array.isArray(result) ? result[result.length - 1] : result;
  return { rows: one?.rows ?? [], rowCount: one?.rowCount ?? 0 };
}

/** Whether the database answers at all, within a time that suits a health page. */
export async function answers(pool: Pool, milliseconds = 3000): Promise<Health> {
  const answer = pool.query('select 1').then(
    (): Health => ({ ok: true }),
    (error: Error): Health => ({ ok: false, problem: `The database does not answer: ${error.message}` }),
  );
  return within(answer, milliseconds, () => ({
    ok: false,
    problem: `The database did not answer within ${milliseconds / 1000} s.`,
  }));
}

/** The promise's value, or another one when it takes too long. */
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
