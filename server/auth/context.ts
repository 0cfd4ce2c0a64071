import type { FastifyRequest } from 'fastify';
import { emailKey } from '../../domain/email-key.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';
import type { Sender } from '../sender/sender.ts';
import type { AccessTrail } from './access-trail.ts';
import type { Background } from './background.ts';
import type { Limits } from './limits.ts';
import { addressKey } from './limits.ts';
import type { Passwords } from './password/password.ts';
import type { SecureCookies } from './session/cookies.ts';

/** Dependencies of the auth calls. */
export interface AuthContext {
  db: Database;
  clock: Clock;
  log: Log;
  mailer: Sender;
  publicUrl(request: FastifyRequest): string;
  demo: boolean;
  secureCookies: SecureCookies;
  passwords: Passwords;
  limits: Limits;
  background: Background;
  trail: AccessTrail;
}

export function addressOf(request: FastifyRequest): string {
  return addressKey(request.ip);
}

/**
 * Returns the key of an account's attempt counter. The key contains the typed e-mail address, whether or not the
 * account exists.
 */
export function accountKey(customerUuid: string | undefined, email: string): string {
  return `${customerUuid ?? 'nobody'} ${emailKey(email)}`;
}
