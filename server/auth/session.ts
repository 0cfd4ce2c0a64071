import { hash } from 'node:crypto';
import type { Person } from '../access.ts';
import type { Clock } from '../platform/clock.ts';
import { randomToken } from '../platform/clock.ts';
import type { Database, Transaction } from '../platform/database.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A session ends when nobody used it for this long, */
export const SESSION_IDLE_MS = 12 * HOUR;
/** and at the latest this long after the sign-in. */
export const SESSION_ABSOLUTE_MS = 7 * 24 * HOUR;
/** How exactly the last use is known. Writing it with every request would make each of them a write. */
export const LAST_SEEN_EVERY_MS = MINUTE;

export interface SignedIn {
  person: Person;
  /** SHA-256 of the token in the cookie, which is what the database knows of it. */
  tokenHash: Buffer;
}

/** The hash a token is stored under, or undefined when the text cannot be a token of ours. */
export function sessionHash(token: string | undefined): Buffer | undefined {
  if (token === undefined || !/^[A-Za-z0-9_-]{43}$/.test(token)) return undefined;
  return hash('sha256', token, 'buffer');
}

export interface NewSession {
  userUuid: string;
  address: string;
  userAgent: string;
}

/** Begins a session and answers the token for the cookie, which is stored nowhere. */
export async function startSession(tx: Transaction, session: NewSession): Promise<string> {
  const token = randomToken(32);
  await tx.query(
    `insert into tocsin_private.session (token_hash, user_uuid, created_at, last_seen_at, expires_at, address, user_agent)
     select $1, $2, t.now, t.now, t.now + $3 * interval '1 millisecond', $4, $5
     from (select tocsin_private.clock() as now) t`,
    [
      sessionHash(token),
      session.userUuid,
      SESSION_ABSOLUTE_MS,
      session.address.slice(0, 100),
      session.userAgent.slice(0, 300),
    ],
  );
  return token;
}

export async function endSession(tx: Transaction, tokenHash: Buffer): Promise<void> {
  await tx.query('delete from tocsin_private.session where token_hash = $1', [tokenHash]);
}

export async function endSessionsOf(tx: Transaction, userUuid: string): Promise<void> {
  await tx.query('delete from tocsin_private.session where user_uuid = $1', [userUuid]);
}

/**
 * Who holds the token, or null when there is no such session, it has ended, or its user or customer is disabled. Every
 * request asks this, so it is one prepared call of a function, which also notes now and then that the session was used.
 */
export async function findSession(
  db: Database,
  clock: Clock,
  tokenHash: Buffer,
  use: 'use it' | 'only look' = 'use it',
): Promise<SignedIn | null> {
  const { rows } = await db.pool.query<Person>({
    name: 'find-session',
    text: `select uuid, customer_uuid as "customerUuid", level, partner_account as "partnerAccount"
      from tocsin_definer.find_session($1, $2, $3, $4)`,
    values: [tokenHash, clock.now(), SESSION_IDLE_MS, use === 'use it' ? LAST_SEEN_EVERY_MS : SESSION_ABSOLUTE_MS],
  });
  return rows[0] ? { person: rows[0], tokenHash } : null;
}
