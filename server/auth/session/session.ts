import { hash } from 'node:crypto';
import { type Person, personAccess } from '../../access.ts';
import type { Clock } from '../../platform/clock.ts';
import { randomToken } from '../../platform/clock.ts';
import type { Database, Transaction } from '../../platform/database.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Idle time after which a session ends. */
export const SESSION_IDLE_MS = 12 * HOUR;
/** Maximum lifetime of a session. */
export const SESSION_ABSOLUTE_MS = 7 * 24 * HOUR;
/**
 * Interval at which `last_seen_at` is updated. With a shorter interval, nearly every request would write to the
 * database.
 */
export const LAST_SEEN_EVERY_MS = MINUTE;

export interface SignedIn {
  person: Person;
  /** SHA-256 of the token. The database never stores the token. */
  tokenHash: Buffer;
}

/** Returns the hash of a token; undefined if the text cannot be a token. */
export function sessionHash(token: string | undefined): Buffer | undefined {
  if (token === undefined || !/^[A-Za-z0-9_-]{43}$/.test(token)) return undefined;
  return hash('sha256', token, 'buffer');
}

export interface NewSession {
  userUuid: string;
  address: string;
  userAgent: string;
}

/** Creates a session and returns its token. The database stores only the token's hash. */
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
 * Returns an SQL statement that begins a transaction as the session's user, in one round trip. The statement returns
 * the transaction settings as one row, and fails with TC401 if the session is invalid. It does not update
 * `last_seen_at`, because that would lock the row for the whole transaction.
 */
export function beginInSession(tokenHash: Buffer, clock: Clock): string {
  const now = `'${clock.now().toISOString()}'`;
  // The user is a placeholder: the code below uses only the role and the names of the settings.
  const { role, settings } = personAccess({ uuid: '', customerUuid: '', level: 0, partnerAccount: false }, clock);
  const values: Record<string, string> = {
    'tocsin.now': now,
    'tocsin.lease_now': `'${settings['tocsin.lease_now']}'`,
    'tocsin.user_uuid': 'p.uuid::text',
    'tocsin.customer_uuid': 'p.customer_uuid::text',
    'tocsin.level': 'p.level::text',
    'tocsin.partner_account': 'p.partner_account::text',
  };
  const parts = Object.keys(settings).map((name) => {
    const value = values[name];
    if (value === undefined) throw new Error(`A session has no value for the setting ${name}.`);
    return `set_config('${name}', ${value}, true) as "${name}"`;
  });
  return `begin; select set_config('role', '${role}', true) as role, ${parts.join(', ')}
    from tocsin_definer.require_session('\\x${tokenHash.toString('hex')}', ${now}, ${SESSION_IDLE_MS}, ${SESSION_ABSOLUTE_MS}) p`;
}

/**
 * Returns the session's user, or null if the session has ended or its user or customer is disabled. Uses one prepared
 * statement, because many requests call this function. The statement also updates `last_seen_at`, once a minute.
 */
export async function findSession(db: Database, clock: Clock, tokenHash: Buffer): Promise<SignedIn | null> {
  const { rows } = await db.pool.query<Person>({
    name: 'find-session',
    text: `select uuid, customer_uuid as "customerUuid", level, partner_account as "partnerAccount"
      from tocsin_definer.find_session($1, $2, $3, $4)`,
    values: [tokenHash, clock.now(), SESSION_IDLE_MS, LAST_SEEN_EVERY_MS],
  });
  return rows[0] ? { person: rows[0], tokenHash } : null;
}

/**
 * Maps the token hash of each valid session, in hex, to the session's user. Uses one query and does not update
 * `last_seen_at`.
 */
export async function findSessions(
  db: Database,
  clock: Clock,
  tokenHashes: readonly Buffer[],
): Promise<Map<string, Person>> {
  if (tokenHashes.length === 0) return new Map();
  const { rows } = await db.pool.query<Person & { hash: string }>({
    name: 'find-sessions',
    text: `select encode(h.token_hash, 'hex') as hash, p.uuid, p.customer_uuid as "customerUuid", p.level,
        p.partner_account as "partnerAccount"
      from unnest($1::bytea[]) h (token_hash) cross join lateral tocsin_definer.find_session(h.token_hash, $2, $3, $4) p`,
    values: [tokenHashes, clock.now(), SESSION_IDLE_MS, SESSION_ABSOLUTE_MS],
  });
  return new Map(rows.map(({ hash, ...person }) => [hash, person]));
}
