import pg from 'pg';
import { type Person, personAccess } from '../../access.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Transaction } from '../../platform/database.ts';

/** Codes of errors that are for the person: bad input, a missing or forbidden row, a conflict, a missing right. */
const REFUSALS: ReadonlySet<string> = new Set(['TC400', 'TC404', 'TC409', '42501']);

export type PersonResult<T> =
  | { ok: true; value: T }
  /** Nothing that `work` wrote is kept. `sentence` is the database's message; see domain/field-sentences.ts. */
  | { ok: false; code: string; sentence: string };

/**
 * Runs `work` with the rights of a person, inside a transaction of the server. Row level security and the triggers
 * treat its statements like a request of that person. `settings` are additional settings for `work`.
 */
export async function asPerson<T>(
  tx: Transaction,
  person: Person,
  { clock, settings = {} }: { clock: Clock; settings?: Record<string, string> },
  work: () => Promise<T>,
): Promise<PersonResult<T>> {
  const access = personAccess(person, clock);
  const own = { ...access.settings, ...settings };
  const set = (role: string, values: Record<string, string>) =>
    `select ${Object.entries({ role, ...values })
      .map(([name, value]) => `set_config(${pg.escapeLiteral(name)}, ${pg.escapeLiteral(value)}, true)`)
      .join(', ')}`;
  await tx.query('savepoint person');
  await tx.query(set(access.role, own));
  let result: PersonResult<T>;
  try {
    result = { ok: true, value: await work() };
  } catch (error) {
    const { code = '', message } = error as { code?: string; message: string };
    if (!REFUSALS.has(code)) throw error;
    await tx.query('rollback to savepoint person');
    result = { ok: false, code, sentence: message };
  }
  // The time stays: the server's own settings have the same.
  const cleared = Object.keys(own).filter((name) => !/^tocsin\.(now|lease_now)$/.test(name));
  await tx.query(set('tocsin_service', Object.fromEntries(cleared.map((name) => [name, '']))));
  return result;
}
