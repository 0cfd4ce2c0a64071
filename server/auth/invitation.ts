import { serviceAccess } from '../access.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { accountByUuid } from './account.ts';
import { issueCode } from './codes.ts';
import { secretKey } from './secrets.ts';

export interface InvitationDeps {
  db: Database;
  clock: Clock;
  /** The address people reach the console at, without a slash at the end. */
  publicUrl: string;
}

export interface Invitation {
  link: string;
  expiresAt: Date;
  /** The person has a password, and this is to choose a new one. */
  again: boolean;
  to: { email: string; displayName: string; customerName: string; customerUuid: string };
}

/** Makes a new activation link for a person and withdraws every earlier one. Null when there is no such active person. */
export async function createInvitation(deps: InvitationDeps, userUuid: string): Promise<Invitation | null> {
  const key = await secretKey(deps.db, deps.clock, 'one-time-code');
  return deps.db.transaction(serviceAccess(deps.clock), async (tx) => {
    const account = await accountByUuid(tx, userUuid);
    if (!account?.active) return null;
    const again = account.passwordHash !== null;
    const { code, expiresAt } = await issueCode(tx, key, userUuid, 'invitation');
    const { rows } = await tx.query<{ end_point: string }>('select end_point from tocsin.customer where uuid = $1', [
      account.customerUuid,
    ]);
    return {
      link: activationLink(customerUrl(deps.publicUrl, rows[0]?.end_point ?? ''), userUuid, code, again),
      expiresAt,
      again,
      to: account,
    };
  });
}

export function activationLink(baseUrl: string, userUuid: string, code: string, again = false): string {
  const link = `${baseUrl}/auth/activation?uuid=${encodeURIComponent(userUuid)}&code=${encodeURIComponent(code)}`;
  return again ? `${link}&again=yes` : link;
}

/**
 * The console's address for one customer. The sign-in after an activation goes by host name, so a customer with one of its
 * own gets links to it; on a local machine those names lead nowhere, and the local address stays.
 */
export function customerUrl(publicUrl: string, endPoint: string): string {
  const url = new URL(publicUrl);
  const isLocal = /^(localhost|.*\.localhost|127\.[\d.]+|\[::1\])$/.test(url.hostname);
  if (endPoint !== '' && !isLocal)
    url.host = /:\d+$/.test(endPoint) || url.port === '' ? endPoint : `${endPoint}:${url.port}`;
  return url.href.replace(/\/+$/, '');
}
