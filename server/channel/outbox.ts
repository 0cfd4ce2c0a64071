import { serviceAccess } from '../access.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';
import type { Channel, MethodType } from './channel.ts';
import { METHOD } from './channel.ts';

export interface OutboxOptions {
  db: Database;
  clock: Clock;
  log: Log;
  methodType?: MethodType;
}

/** Where messages go while no sender is configured: a table that the demo and an owner can read. */
export function createOutboxChannel({ db, clock, log, methodType = METHOD.email }: OutboxOptions): Channel {
  return {
    name: 'outbox',
    title: 'Outbox',
    methodType,
    leavesTheHouse: false,
    checkAddress: (address) => (address === '' ? 'There is no address to send this to.' : undefined),

    async send(message) {
      try {
        const { rows } = await db.transaction(serviceAccess(clock), (tx) =>
          tx.query<{ uuid: string }>(
            `insert into tocsin.outbox (tocsin_customer_uuid, method_type, address, subject, body)
             values ($1, $2, $3, $4, $5) returning uuid`,
            [message.customerUuid, methodType, message.address, message.subject, message.text],
          ),
        );
        return {
          outcome: 'sent',
          providerId: rows[0]?.uuid ?? '',
          answer: 'Kept in the outbox, because no sender is configured.',
        };
      } catch (error) {
        log.error('a message could not be kept in the outbox', { error });
        return { outcome: 'retry', because: 'The message could not be kept in the outbox.' };
      }
    },

    check: () => db.check(),
    close: async () => {},
  };
}
