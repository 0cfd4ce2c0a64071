import { emailKey } from '../../domain/email-key.ts';
import { serviceAccess } from '../access.ts';
import type { Clock } from '../platform/clock.ts';
import type { Access, Transaction } from '../platform/database.ts';
import { endSessionsOf } from './session/session.ts';

export interface Account {
  uuid: string;
  customerUuid: string;
  customerName: string;
  email: string;
  username: string;
  displayName: string;
  /** True if both the user and the customer are enabled. */
  active: boolean;
  varified: boolean;
  passwordHash: string | null;
}

const ACCOUNT = `select u.uuid, u.tocsin_customer_uuid as "customerUuid", c.name as "customerName", u.email, u.username,
    u.display_name as "displayName", u.status and c.status = 1 as active, u.varified, k.password_hash as "passwordHash"
  from tocsin.user u
  join tocsin.customer c on c.uuid = u.tocsin_customer_uuid
  left join tocsin_private.credential k on k.user_uuid = u.uuid`;

export async function accountByEmail(tx: Transaction, customerUuid: string, email: string): Promise<Account | null> {
  const { rows } = await tx.query<Account>(
    `${ACCOUNT} where u.tocsin_customer_uuid = $1 and tocsin_private.email_key(u.email) = $2`,
    [customerUuid, emailKey(email)],
  );
  return rows[0] ?? null;
}

export async function accountByUuid(tx: Transaction, uuid: string): Promise<Account | null> {
  const { rows } = await tx.query<Account>(`${ACCOUNT} where u.uuid = $1`, [uuid]);
  return rows[0] ?? null;
}

/** Returns service access for work that the server does on behalf of a user. The audit trail then records that user. */
export function onBehalfOf(userUuid: string, clock: Clock): Access {
  const service = serviceAccess(clock);
  return { ...service, settings: { ...service.settings, 'tocsin.user_uuid': userUuid } };
}

/** Sets the password and deletes all sessions and codes of the user. */
export async function setPassword(tx: Transaction, userUuid: string, passwordHash: string): Promise<void> {
  await tx.query(
    `insert into tocsin_private.credential (user_uuid, password_hash, changed_at) values ($1, $2, tocsin_private.clock())
     on conflict (user_uuid) do update set password_hash = excluded.password_hash, changed_at = excluded.changed_at`,
    [userUuid, passwordHash],
  );
  await tx.query('update tocsin.user set reset_password = 0 where uuid = $1 and reset_password <> 0', [userUuid]);
  await tx.query('delete from tocsin_private.one_time_code where user_uuid = $1 and used_at is null', [userUuid]);
  await endSessionsOf(tx, userUuid);
}

/** Marks the e-mail address as verified and deletes a pending invitation. */
export async function markVerified(tx: Transaction, userUuid: string): Promise<void> {
  await tx.query('update tocsin.user set varified = true where uuid = $1 and not varified', [userUuid]);
  await tx.query('delete from tocsin_private.pending_invitation where user_uuid = $1', [userUuid]);
}
