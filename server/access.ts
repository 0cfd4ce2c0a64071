import type { Clock } from './platform/clock.ts';
import type { Access } from './platform/database.ts';

/** Signed-in user who sent a request. */
export interface Person {
  uuid: string;
  customerUuid: string;
  level: number;
  partnerAccount: boolean;
}

/**
 * Returns access to all rows of all customers, for the server's own work. Never use it for the queries of a request.
 */
export function serviceAccess(clock: Clock): Access {
  return { role: 'tocsin_service', settings: timeSettings(clock) };
}

/**
 * Returns access for storing and evaluating readings. `planOnce` makes PostgreSQL use generic plans for these
 * statements.
 */
export function pipelineAccess(clock: Clock): Access {
  return { ...serviceAccess(clock), planOnce: true };
}

/**
 * Returns the database role and the session settings for a user's requests. The row policies in db/logic read only
 * these settings.
 */
export function personAccess(person: Person, clock: Clock): Access {
  return {
    role: 'tocsin_request',
    settings: {
      ...timeSettings(clock),
      'tocsin.user_uuid': person.uuid,
      'tocsin.customer_uuid': person.customerUuid,
      'tocsin.level': String(person.level),
      'tocsin.partner_account': String(person.partnerAccount),
    },
  };
}

/** Returns the database settings that `tocsin_private.clock()` and, in tests, `tocsin_private.lease_clock()` read. */
function timeSettings(clock: Clock): Record<string, string> {
  const database = clock.databaseNow?.();
  return {
    'tocsin.now': clock.now().toISOString(),
    ...(database && { 'tocsin.lease_now': database.toISOString() }),
  };
}
