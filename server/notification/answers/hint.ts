import type { MethodType } from '../../../domain/notification/methods.ts';
import { readPhoneNumber } from '../../../domain/notification/phone-number.ts';
import { type Person, serviceAccess } from '../../access.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { allowedReasons } from './alarms.ts';
import { asPerson } from './as-person.ts';
import { storeOffer } from './offers.ts';

export interface AnswerableNotification {
  uuid: string;
  customer: string;
  alarm: string;
  address: string;
  method: MethodType;
}

/**
 * Returns the reasons from which the recipient of a notification can choose, and stores them as its offer. Undefined if
 * the recipient cannot answer, because the user is gone or the address is no phone number.
 */
export function offerReasons(
  { db, clock }: { db: Database; clock: Clock },
  { uuid, customer, alarm, address, method }: AnswerableNotification,
): Promise<string[] | undefined> {
  const phone = readPhoneNumber(address);
  if (phone === undefined) return Promise.resolve(undefined);
  return db.transaction(serviceAccess(clock), async (tx) => {
    const { rows } = await tx.query<Person>(
      `select u.uuid, u.tocsin_customer_uuid as "customerUuid", u.level, u.tocsin_partner_account as "partnerAccount"
       from tocsin.notification n join tocsin.user u on u.uuid = n.tocsin_user_uuid and u.status where n.uuid = $1`,
      [uuid],
    );
    const [person] = rows;
    if (!person) return undefined;
    const found = await asPerson(tx, person, { clock }, () => allowedReasons(tx, alarm));
    const reasons = found.ok ? found.value : [];
    if (reasons.length > 0) await storeOffer(tx, { notification: uuid, customer, method, phone, alarm, reasons });
    return reasons;
  });
}
