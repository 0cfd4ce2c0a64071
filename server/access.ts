import type { Clock } from './platform/clock.ts';
import type { Access } from './platform/database.ts';

/** The user of a request, from the session. */
export interface Person {
  uuid: string;
  customerUuid: string;
  level: number;
  partnerAccount: boolean;
}

/** Access for the server's own work: all rows of all customers. Never for the queries of a request. */
export function serviceAccess(clock: Clock): Access {
  return { role: 'tocsin_service', settings: { 'tocsin.now': clock.now().toISOString() } };
}

/** Access for storing and evaluating readings. Its few fixed statements use generic plans. */
export function pipelineAccess(clock: Clock): Access {
  return { ...serviceAccess(clock), planOnce: true };
}

/** Access of a user. The policies of db/logic read only these settings. */
export function personAccess(person: Person, clock: Clock): Access {
  return {
    role: 'tocsin_request',
    settings: {
      'tocsin.now': clock.now().toISOString(),
      'tocsin.user_uuid': person.uuid,
      'tocsin.customer_uuid': person.customerUuid,
      'tocsin.level': String(person.level),
      'tocsin.partner_account': String(person.partnerAccount),
    },
  };
}
