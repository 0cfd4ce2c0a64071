import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { randomDigits, randomToken } from '../../platform/clock.ts';
import type { Transaction } from '../../platform/database.ts';

export type CodePurpose = 'invitation' | 'verification' | 'reset';

const MINUTE = 60_000;

/**
 * Duration for which a code is valid, by purpose. An invitation's code is a long token in a link. Users type the other
 * codes, so they are short.
 */
export const CODE_LIFE_MS: Record<CodePurpose, number> = {
  invitation: 7 * 24 * 60 * MINUTE,
  verification: 10 * MINUTE,
  reset: 10 * MINUTE,
};
export const CODE_TRIES = 5;
export const CODE_DIGITS = 6;
/**
 * Maximum number of verification and reset codes mailed to one account in a day. The limit keeps the chance of guessing
 * a code low (codes.test.ts).
 */
export const CODES_PER_DAY = 15;

export interface IssuedCode {
  code: string;
  expiresAt: Date;
}

/** Creates an invitation's link token and revokes the user's earlier ones. */
export function issueLink(tx: Transaction, key: KeyObject, userUuid: string): Promise<IssuedCode> {
  return issue(tx, key, userUuid, 'invitation', randomToken(32));
}

/**
 * Creates a code to send by mail and revokes earlier codes of the same purpose. Returns null if the daily limit is
 * reached.
 */
export async function issueCode(
  tx: Transaction,
  key: KeyObject,
  userUuid: string,
  purpose: 'verification' | 'reset',
): Promise<IssuedCode | null> {
  // Locks the user's row, so that two processes cannot both pass the limit.
  await tx.query('select from tocsin.user where uuid = $1 for update', [userUuid]);
  const { rows } = await tx.query<{ count: number }>(
    `select count(*)::int as count from tocsin_private.one_time_code where user_uuid = $1 and purpose in ('verification', 'reset')
     and created_at > tocsin_private.clock() - interval '1 day'`,
    [userUuid],
  );
  if (rows[0]!.count >= CODES_PER_DAY) return null;
  return issue(tx, key, userUuid, purpose, randomDigits(CODE_DIGITS));
}

async function issue(
  tx: Transaction,
  key: KeyObject,
  userUuid: string,
  purpose: CodePurpose,
  code: string,
): Promise<IssuedCode> {
  // Revokes earlier codes but keeps them for a day, because they count towards the daily limit.
  await tx.query(
    `update tocsin_private.one_time_code set expires_at = least(expires_at, tocsin_private.clock())
     where user_uuid = $1 and purpose = $2`,
    [userUuid, purpose],
  );
  const { rows } = await tx.query<{ expires_at: Date }>(
    `insert into tocsin_private.one_time_code (user_uuid, purpose, code_hash, created_at, expires_at, tries_left)
     select $1, $2, $3, t.now, t.now + $4 * interval '1 millisecond', $5 from (select tocsin_private.clock() as now) t
     returning expires_at`,
    [userUuid, purpose, codeHash(key, userUuid, purpose, code), CODE_LIFE_MS[purpose], CODE_TRIES],
  );
  return { code, expiresAt: rows[0]!.expires_at };
}

/**
 * Checks a code. A wrong code uses up one try. Returns the uuid for `useCode`, or null if the code is wrong. Locks the
 * row until the transaction ends, so that concurrent attempts cannot exceed the number of tries.
 */
export async function tryCode(
  tx: Transaction,
  key: KeyObject,
  userUuid: string,
  purpose: CodePurpose,
  code: string,
): Promise<string | null> {
  const { rows } = await tx.query<{ uuid: string; code_hash: Buffer }>(
    `select uuid, code_hash from tocsin_private.one_time_code
     where user_uuid = $1 and purpose = $2 and used_at is null and tries_left > 0 and expires_at > tocsin_private.clock()
     order by created_at desc limit 1 for update`,
    [userUuid, purpose],
  );
  const row = rows[0];
  if (!row) return null;
  const given = codeHash(key, userUuid, purpose, code);
  if (given.length === row.code_hash.length && timingSafeEqual(given, row.code_hash)) return row.uuid;
  await tx.query('update tocsin_private.one_time_code set tries_left = tries_left - 1 where uuid = $1', [row.uuid]);
  return null;
}

/**
 * Returns whether an invitation's code was used, or null if the code does not exist. The check does not use up a try,
 * which is safe only because these codes are too long to guess.
 */
export async function findCode(
  tx: Transaction,
  key: KeyObject,
  userUuid: string,
  purpose: CodePurpose,
  code: string,
): Promise<{ used: boolean } | null> {
  const { rows } = await tx.query<{ used: boolean }>(
    `select used_at is not null as used from tocsin_private.one_time_code
     where user_uuid = $1 and purpose = $2 and code_hash = $3`,
    [userUuid, purpose, codeHash(key, userUuid, purpose, code)],
  );
  return rows[0] ?? null;
}

/** Marks the code as used. Returns false if the code was used, revoked or expired since it was checked. */
export async function useCode(tx: Transaction, codeUuid: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update tocsin_private.one_time_code set used_at = tocsin_private.clock()
     where uuid = $1 and used_at is null and tries_left > 0 and expires_at > tocsin_private.clock()`,
    [codeUuid],
  );
  return rowCount === 1;
}

/** Returns the keyed hash of a code. Without a key, the hash of a six-digit code could be reversed within a second. */
function codeHash(key: KeyObject, userUuid: string, purpose: CodePurpose, code: string): Buffer {
  return createHmac('sha256', key).update(`${purpose} ${userUuid.toLowerCase()} ${code}`).digest();
}
