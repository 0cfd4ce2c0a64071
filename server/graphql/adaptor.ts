import './environment.ts';

import type { Writable } from 'node:stream';
import type { Pool, PoolClient } from 'pg';
import * as pgAdaptor from 'postgraphile/adaptors/pg';
import { beginAs, mustDiscard, requireConfirmed } from '../platform/database.ts';
import { asUnreachable } from '../platform/unreachable.ts';
import { AnswerTooLarge } from './answer.ts';
import { rememberAsker } from './forbidden.ts';
import { Budget } from './limit/budget.ts';
import { Gate } from './limit/gate.ts';
import { longWork } from './limit/turns.ts';

type Settings = Record<string, string | undefined> | null;
type Work = Parameters<ReturnType<typeof pgAdaptor.makePgAdaptorWithPgClient>>[1];
type Client = Parameters<Work>[0];

/**
 * Requests whose session lookup is deferred, keyed by their settings object. `found` is set once the lookup is done.
 */
const sessions = new WeakMap<object, { begin: string; found?: Record<string, string> }>();

/**
 * Returns the settings for a request whose session lookup is deferred. The first transaction of the request runs
 * `begin`, an SQL text that returns the role and the settings as one row. Later transactions use this row.
 */
export function settingsOfSession(begin: string): Record<string, string> {
  const settings = {};
  sessions.set(settings, { begin });
  return settings;
}

/** Returns whether a transaction with these settings has found its session. */
export function sessionWasFound(settings: object): boolean {
  return sessions.get(settings)?.found !== undefined;
}

/**
 * User and read budget of each request, keyed by its settings object. All transactions of a request share one read
 * budget.
 */
const requests = new WeakMap<object, { person: string; budget: Budget }>();

export function beginRequest(settings: object, person: string): void {
  requests.set(settings, { person, budget: new Budget() });
}

/** Number of values whose processing blocks the event loop for about 20 ms. */
export const LONG_WORK_VALUES = 8000;

const claims = new WeakMap<object, Map<string, string>>();

/** Adds a verified setting to all later transactions of the request. It overrides a setting of the same name. */
export function setClaim(settings: object, name: string, value: string): void {
  const known = claims.get(settings) ?? new Map<string, string>();
  claims.set(settings, known.set(name, value));
}

/** Raises the read limit of a request by this many bytes, for data that the response does not contain. */
export function allowBytes(settings: object, bytes: number): void {
  requests.get(settings as never)?.budget.allow(bytes);
}

/**
 * Limits the database connections of the API. One connection stays free for devices and the engine. One user can use
 * all but one of the other connections.
 */
function connectionGate({ options }: Pool): Gate {
  const total = Math.max(1, (options.max ?? 1) - 1);
  return new Gate({ total, perPerson: Math.max(1, total - 1), waiting: Number.POSITIVE_INFINITY });
}

/**
 * PostGraphile's adaptor for node-postgres with two changes. First, a transaction without a role is refused, because it
 * would run as the login role. Second, BEGIN, a single query and COMMIT are sent as one message. If BEGIN fails, the
 * query fails too. If the query fails, COMMIT rolls back.
 */
export const adaptor = {
  ...pgAdaptor,
  createWithPgClient({ pool }: { pool: Pool }) {
    const gate = connectionGate(pool);
    const run = async (settings: Settings, work: Work): Promise<unknown> => {
      const session = settings ? sessions.get(settings) : undefined;
      const { role = '', ...rest } = session?.found ?? settings ?? {};
      const begin =
        session && !session.found ? session.begin : beginAs({ role, settings: rest as Record<string, string> });
      const request = settings ? requests.get(settings) : undefined;
      const leave = await gate.enter(request?.person ?? '', 1);
      const client = await pool.connect().catch((error: Error) => {
        leave?.();
        throw error;
      });
      const unwatch = request?.budget.watch(client);
      let discard = false;
      const sent: Promise<unknown>[] = [];
      const send = (text: string) => sent.push(client.query(text));
      try {
        const { worked, committed } = together(client, () => {
          send(begin);
          for (const [name, value] of (settings && claims.get(settings)) ?? []) {
            send(`select set_config(${client.escapeLiteral(name)}, ${client.escapeLiteral(value)}, true)`);
          }
          const watched = watch(work);
          const worked = pgAdaptor.makeWithPgClientViaPgClientAlreadyInTransaction(client, true)(null, watched.work);
          const committed = watched.end();
          if (committed) send('commit');
          return { worked, committed };
        });
        const [result, began] = await Promise.all([worked, ...sent]);
        if (session) session.found ??= settingsMade(began);
        if (!committed) await client.query('commit');
        requireConfirmed(client);
        return result;
      } catch (error) {
        if ((error as { code?: string }).code === '42501') {
          const asked = session && !session.found ? sent[0]?.then(settingsMade, () => ({})) : rest;
          rememberAsker(error, (await asked) ?? {});
        }
        // If the rollback also fails, the connection is lost. The first error is more useful, so it is thrown below.
        await client.query('rollback').catch(() => {});
        discard = mustDiscard(error);
        throw request?.budget.exceeded ? new AnswerTooLarge() : asUnreachable(error);
      } finally {
        unwatch?.();
        client.release(request?.budget.exceeded || discard);
        leave?.();
      }
    };
    const withPgClient = async (settings: Settings, work: Work): Promise<unknown> => {
      const budget = settings ? requests.get(settings)?.budget : undefined;
      const before = budget?.values ?? 0;
      const result = await run(settings, work);
      // PostGraphile processes the rows without yielding to the event loop, so a large result counts as a long task.
      if (budget && budget.values - before >= LONG_WORK_VALUES) await longWork.next();
      return result;
    };
    return Object.assign(withPgClient, { release() {} });
  },
};

/** Returns the row of the last statement in the BEGIN message, which contains the role and the settings. */
function settingsMade(began: unknown): Record<string, string> {
  const row = (began as { rows: Record<string, string>[] }[]).at(-1)?.rows[0];
  if (!row?.role) throw new Error('The first statement of the transaction returned no role.');
  return row;
}

/** Combines all queries that `ask` starts into one packet. */
function together<T>(client: PoolClient, ask: () => T): T {
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection;
  stream.cork();
  try {
    return ask();
  } finally {
    stream.uncork();
  }
}

/**
 * Detects whether `work` starts exactly one query before it awaits anything, as PostGraphile's own steps do. COMMIT is
 * then sent in the same message as the query. If `work` later starts a second query, that query throws an error.
 */
function watch(work: Work): { work: Work; end(): boolean } {
  let questions = 0;
  let more = false;
  let ended = false;
  return {
    work: (client) =>
      work({
        ...client,
        query: ((question: never) => {
          if (ended) throw new Error('This step started a second query, but its transaction ended with the first one.');
          questions += 1;
          return client.query(question);
        }) as Client['query'],
        withTransaction: (inner) => {
          more = true;
          return client.withTransaction(inner);
        },
      }),
    end() {
      ended = questions === 1 && !more;
      return ended;
    },
  };
}
