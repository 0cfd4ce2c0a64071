import { serviceAccess } from '../access.ts';
import { createInvitation } from '../auth/password/invitation.ts';
import { invitationMail, newPasswordMail } from '../auth/password/mails.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';
import type { Sender, SendResult } from '../sender/sender.ts';
import type { EngineModule } from './engine.ts';

export interface InvitationsOptions {
  db: Database;
  clock: Clock;
  log: Log;
  mailer: Sender;
  /** Public address of the console. */
  publicUrl: string;
}

const MINUTE = 60_000;

/**
 * Delays after the first, second and each later failure. After the last attempt, the failed invitation stays in the
 * table with its error.
 */
export const BACK_OFF_MS = [1, 5, 30, 60, 120, 240, 480].map((minutes) => minutes * MINUTE);
const MOST_ATTEMPTS = BACK_OFF_MS.length + 1;

/**
 * Duration of the lease on a row. The mail is sent outside a transaction. If the process dies during the send, another
 * process sends the mail after the lease has expired.
 */
export const LEASE_MS = 2 * MINUTE;
/**
 * Maximum number of mails sent concurrently. It is small, so that even a slow mail server accepts all of them before
 * their leases expire.
 */
const AT_ONCE = 3;

interface Leased {
  user_uuid: string;
  requested_at: Date;
  attempts: number;
  /** End of the lease, in database time. The value also identifies the process that holds the lease. */
  next_attempt_at: Date;
}

/** Sends pending invitations and password reset links. */
export function invitations(options: InvitationsOptions): EngineModule {
  const { db, clock, log, mailer, publicUrl } = options;

  return {
    name: 'invitations',
    every: 5000,
    async tick() {
      for (;;) {
        const leased = await lease(db, clock);
        await Promise.all(leased.map(invite));
        if (leased.length < AT_ONCE) return;
      }
    },
  };

  async function invite(row: Leased): Promise<void> {
    const invitation = await createInvitation({ db, clock, publicUrl }, row.user_uuid);
    if (!invitation) {
      // The user has been disabled since. After being enabled again, the user needs a new invitation.
      await settle(row, undefined);
      return;
    }
    const { to, link, again } = invitation;
    const result = await mailer.send({
      ...(again ? newPasswordMail(to, link) : invitationMail(to, link)),
      customerUuid: to.customerUuid,
      address: to.email,
      idempotencyKey: `invitation-${row.user_uuid}-${row.requested_at.getTime()}-${row.attempts}`,
    });
    await settle(row, result);
  }

  /** Stores the result, unless the lease has ended and another process has leased the row. */
  async function settle(row: Leased, result: SendResult | undefined): Promise<void> {
    const mine = [row.user_uuid, row.next_attempt_at];
    await db.transaction(serviceAccess(clock), async (tx) => {
      if (!result || !('because' in result)) {
        await tx.query(
          'delete from tocsin_private.pending_invitation where user_uuid = $1 and next_attempt_at = $2',
          mine,
        );
        return;
      }
      const attempts = result.outcome === 'give-up' ? MOST_ATTEMPTS : row.attempts + 1;
      log.warn('an invitation was not sent', { user: row.user_uuid, attempts, because: result.because });
      await tx.query(
        `update tocsin_private.pending_invitation
         set attempts = $3, problem = $4, next_attempt_at = tocsin_private.lease_clock() + $5 * interval '1 millisecond'
         where user_uuid = $1 and next_attempt_at = $2`,
        [...mine, attempts, result.because, BACK_OFF_MS[attempts - 1] ?? 0],
      );
    });
  }
}

async function lease(db: Database, clock: Clock): Promise<Leased[]> {
  const { rows } = await db.transaction(serviceAccess(clock), (tx) =>
    tx.query<Leased>(
      `update tocsin_private.pending_invitation
       -- In milliseconds, because the server compares it and its dates have no microseconds.
       set next_attempt_at = date_trunc('milliseconds', tocsin_private.lease_clock()) + $1 * interval '1 millisecond'
       where user_uuid in (
         select p.user_uuid from tocsin_private.pending_invitation p
         join tocsin.user u on u.uuid = p.user_uuid
         -- Nothing is sent for a disabled customer: another cell may have it.
         join tocsin.customer c on c.uuid = u.tocsin_customer_uuid and c.status = 1
         where p.next_attempt_at <= tocsin_private.lease_clock() and p.attempts < $2
         order by p.next_attempt_at limit $3 for update of p skip locked)
       returning user_uuid, requested_at, attempts, next_attempt_at`,
      [LEASE_MS, MOST_ATTEMPTS, AT_ONCE],
    ),
  );
  return rows;
}
