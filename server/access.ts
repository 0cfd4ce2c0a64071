import type { Clock } from './platform/clock.ts';
import type { Access } from './platform/database.ts';

/** The person behind a request, as the session knows them. */
export interface Person {
  uuid: string;
  customerUuid: string;
  level: number;
  partnerAccount: boolean;
}

/** The server's own work: every row of every customer. Never used for what a request asks. */
export function serviceAccess(clock: Clock): Access {
  return { role: 'tocsin_service', settings: { 'tocsin.now': clock.now().toISOString() } };
}

/** What carries readings and judges them: the same statements with every batch. */
export function pipelineAccess(clock: Clock): Access {
  return { ...serviceAccess(clock), planOnce: true };
}

/** A person's eyes. The policies of db/logic read these settings and nothing else. */
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
