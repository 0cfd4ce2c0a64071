import { serviceAccess } from '../access.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';
import { checkAddress as checkMailAddress } from './email.ts';
import { checkPhoneNumber } from './phone-number.ts';
import { checkSubscription } from './push.ts';
import type { MethodType, Sender } from './sender.ts';
import { METHOD, withLink } from './sender.ts';

export interface OutboxOptions {
  db: Database;
  clock: Clock;
  log: Log;
  methodType?: MethodType;
}

/**
 * Title and address check for each method. The checks are those of the real senders, so every address that the outbox
 * accepts also works with a sender.
 */
const kinds: Readonly<Record<MethodType, { title: string; check: Sender['checkAddress'] }>> = {
  [METHOD.email]: { title: 'E-mail outbox', check: checkMailAddress },
  [METHOD.whatsapp]: { title: 'WhatsApp outbox', check: checkPhoneNumber },
  [METHOD.sms]: { title: 'SMS outbox', check: checkPhoneNumber },
  [METHOD.push]: { title: 'App push outbox', check: checkSubscription },
};

/**
 * Creates a sender that stores messages in a table that owners can read. Used for methods without a configured sender.
 */
export function createOutboxSender({ db, clock, log, methodType = METHOD.email }: OutboxOptions): Sender {
  const { title, check } = kinds[methodType];
  return {
    name: 'outbox',
    title,
    methodType,
    isExternal: false,
    atOnce: 8,
    checkAddress: check,

    async send(message) {
      const fault = check(message.address);
      if (fault) return { outcome: 'give-up', because: fault };
      const body = methodType === METHOD.sms ? message.text : withLink(message);
      try {
        const { rows } = await db.transaction(serviceAccess(clock), (tx) =>
          tx.query<{ uuid: string }>(
            `insert into tocsin.outbox (tocsin_customer_uuid, method_type, address, subject, body)
             values ($1, $2, $3, $4, $5) returning uuid`,
            [message.customerUuid, methodType, message.address, message.subject, body],
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
