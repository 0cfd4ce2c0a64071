import { readPhoneNumber } from '../../../domain/notification/phone-number.ts';
import type { Person } from '../../access.ts';
import type { Transaction } from '../../platform/database.ts';

/** A user with the phone number that sent an answer. */
export interface Answerer extends Person {
  name: string;
  /** False if the user or the customer is disabled. */
  active: boolean;
}

/** Returns the users with a phone number, however it is written in their profile. */
export async function loadAnswerers(tx: Transaction, phone: string): Promise<Answerer[]> {
  const { rows } = await tx.query<Answerer & { phone: string }>(
    // The first condition is the index user_phone_idx.
    `select u.uuid, u.tocsin_customer_uuid as "customerUuid", u.level, u.tocsin_partner_account as "partnerAccount",
       u.display_name as name, u.status and c.status = 1 as active, u.phone_number as phone
     from tocsin.user u join tocsin.customer c on c.uuid = u.tocsin_customer_uuid
     where right(regexp_replace(u.phone_number, '[^0-9]', '', 'g'), 8) = right($1, 8) and u.phone_number <> ''
     order by u.display_name, u.uuid`,
    [phone],
  );
  return rows.filter((row) => readPhoneNumber(row.phone) === phone).map(({ phone: _, ...person }) => person);
}
