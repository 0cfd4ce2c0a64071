import { serviceAccess } from '../../access.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { accountByUuid } from '../account.ts';
import { customerUrl, hostOfCustomer } from '../customer-url.ts';
import { secretKey } from '../secrets.ts';
import { issueLink } from './codes.ts';

export interface InvitationDeps {
  db: Database;
  clock: Clock;
  /** URL of the console, without a trailing slash. */
  publicUrl: string;
}

export interface Invitation {
  link: string;
  expiresAt: Date;
  /** True if the user already has a password and is resetting it. */
  again: boolean;
  to: { email: string; displayName: string; customerName: string; customerUuid: string };
}

/**
 * Creates an activation link and revokes the user's earlier links. Returns null if the user does not exist or is
 * disabled.
 */
export async function createInvitation(deps: InvitationDeps, userUuid: string): Promise<Invitation | null> {
  const key = await secretKey(deps.db, deps.clock, 'one-time-code');
  return deps.db.transaction(serviceAccess(deps.clock), async (tx) => {
    const account = await accountByUuid(tx, userUuid);
    if (!account?.active) return null;
    const again = account.passwordHash !== null;
    const { code, expiresAt } = await issueLink(tx, key, userUuid);
    const baseUrl = customerUrl(deps.publicUrl, await hostOfCustomer(tx, account.customerUuid));
    return {
      link: activationLink(baseUrl, userUuid, code, again),
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
