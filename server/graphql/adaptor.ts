import './environment.ts';

import type { Writable } from 'node:stream';
import type { Pool, PoolClient } from 'pg';
import * as pgAdaptor from 'postgraphile/adaptors/pg';
import { beginAs } from '../platform/database.ts';
import { AnswerTooLarge } from './answer.ts';
import { rememberAsker } from './forbidden.ts';
import { Budget } from './limit/budget.ts';
import { Gate } from './limit/gate.ts';
import { longWork } from './limit/turns.ts';

type Settings = Record<string, string | undefined> | null;
type Work = Parameters<ReturnType<typeof pgAdaptor.makePgAdaptorWithPgClient>>[1];
type Client = Parameters<Work>[0];

/** Settings that begin their first transaction by finding out whose they are, and what it found. */
const sessions = new WeakMap<object, { begin: string; found?: Record<string, string> }>();

/**
 * Settings for whoever holds a session, before the session was looked up: the first transaction looks, with this beginning,
 * and the others of the same request go on with what it found. It must answer the role and the settings as one row.
 */
export function settingsOfSession(begin: string): Record<string, string> {
  const settings = {};
  sessions.set(settings, { begin });
  return settings;
}

/** Whether a transaction with these settings found its session. */
export function sessionWasFound(settings: object): boolean {
  return sessions.get(settings)?.found !== undefined;
}

/** The requests that settings belong to: all transactions of a request share one budget. */
const requests = new WeakMap<object, { person: string; budget: Budget }>();

export function beginRequest(settings: object, person: string): void {
  requests.set(settings, { person, budget: new Budget() });
}

/** Handling this many objects and values takes about 20 ms, and nothing else runs meanwhile. */
export const LONG_WORK_VALUES = 8000;

const claims = new WeakMap<object, Map<string, string>>();

/** Adds a setting that the server has verified to the request's later transactions. Their own settings stay first. */
export function setClaim(settings: object, name: string, value: string): void {
  const known = claims.get(settings) ?? new Map<string, string>();
  claims.set(settings, known.set(name, value));
}

/** The API leaves one connection to devices and the engine, and one person leaves one more to others. */
function connectionGate({ options }: Pool): Gate {
  const total = Math.max(1, (options.max ?? 1) - 1);
  return new Gate({ total, perPerson: Math.max(1, total - 1), waiting: Number.POSITIVE_INFINITY });
}

/**
 * PostGraphile's adaptor for node-postgres, but no transaction begins without a role, which would ask as the login role,
 * and one with a single query travels as one message: beginning, query and commit. When the beginning fails the
 * transaction is broken, so the query behind it is refused and never runs with other eyes; when the query fails, the
 * commit behind it is a rollback.
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
        return result;
      } catch (error) {
        if ((error as { code?: string }).code === '42501') {
          const asked = session && !session.found ? sent[0]?.then(settingsMade, () => ({})) : rest;
          rememberAsker(error, (await asked) ?? {});
        }
        // When this fails too the connection is gone, and the transaction with it: the first error is the one that tells.
        await client.query('rollback').catch(() => {});
        throw request?.budget.exceeded ? new AnswerTooLarge() : error;
      } finally {
        unwatch?.();
        client.release(request?.budget.exceeded);
        leave?.();
      }
    };
    const withPgClient = async (settings: Settings, work: Work): Promise<unknown> => {
      const budget = settings ? requests.get(settings)?.budget : undefined;
      const before = budget?.values ?? 0;
      const result = await run(settings, work);
      // PostGraphile handles the rows without a pause as soon as it has them.
      if (budget && budget.values - before >= LONG_WORK_VALUES) await longWork.next();
      return result;
    };
    return Object.assign(withPgClient, { release() {} });
  },
};

/** The row that a beginning answers, which is the last of its statements. */
function settingsMade(began: unknown): Record<string, string> {
  const row = (began as { rows: Record<string, string>[] }[]).at(-1)?.rows[0];
  if (!row?.role) throw new Error('The beginning of a transaction did not say whose it is.');
  return row;
}

/** Whatever is asked in here leaves in one piece. */
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
 * Tells whether the work asked one plain question at once and nothing else, which is how PostGraphile's own steps ask. Its
 * transaction can then end behind that question; asking again afterwards is an error.
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
          if (ended) throw new Error('The transaction of this step has ended with its first query.');
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
