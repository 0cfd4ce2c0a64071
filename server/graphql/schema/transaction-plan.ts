import { context, lambda, object, SafeError, type Step } from 'postgraphile/grafast';
import type { Clock } from '../../platform/clock.ts';
import type { Transaction } from '../../platform/database.ts';
import { allowBytes } from '../adaptor.ts';
import { limits } from '../limit/limits.ts';

export type Args = Record<string, any>;

/** PostGraphile's function that provides a connection with role and settings. */
export type WithPgClient = <T>(settings: unknown, work: (client: LentClient) => Promise<T>) => Promise<T>;
interface LentClient {
  query(question: {
    text: string;
    values?: readonly unknown[] | undefined;
  }): Promise<{ rows: any[]; rowCount: number }>;
  withTransaction<T>(work: (client: LentClient) => Promise<T>): Promise<T>;
}

/** Runs work in a transaction as the user of the request. */
export function inTransaction<T>(
  withPgClient: WithPgClient,
  settings: unknown,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  return withPgClient(settings, (outer) =>
    outer.withTransaction((client) => work({ query: (text, values) => client.query({ text, values }) } as Transaction)),
  );
}

/** Returns the plan of a GraphQL field that needs several SQL queries. The queries run as the user of the request. */
export function answer(
  names: readonly string[],
  work: (tx: Transaction, args: Args, now: number) => Promise<object | undefined>,
  turn: Turn = atOnce,
) {
  return (_$root: Step, fieldArgs: { getRaw(name: string): Step }) => {
    const $context = context() as never as { get(name: string): Step };
    const $args = object(Object.fromEntries(names.map((name) => [name, fieldArgs.getRaw(name)])));
    return lambda(
      [$context.get('withPgClient'), $context.get('pgSettings'), $context.get('clock'), $args] as never,
      ([withPgClient, settings, clock, args]: [WithPgClient, unknown, Clock, Args]) =>
        turn(() => {
          allowBytes(settings as object, limits.historyBytes);
          return inTransaction(
            withPgClient,
            settings,
            async (tx) => (await work(tx, args, clock.now().getTime())) ?? null,
          );
        }),
    );
  };
}

type Turn = <T>(work: () => Promise<T>) => Promise<T>;

const atOnce: Turn = (work) => work();

export function refusal({ field, sentence }: { field: string; sentence: string }): SafeError {
  return new SafeError(sentence, { code: 'BAD_USER_INPUT', field });
}

export const isoTime = (ms: number): string => new Date(Math.round(ms)).toISOString();
export const isoTimeOrNull = (ms: number | null | undefined): string | null =>
  ms === null || ms === undefined ? null : isoTime(ms);
