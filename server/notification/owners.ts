import { METHOD } from '../../domain/notification/methods.ts';
import { addressesOf } from '../../domain/notification/recipients.ts';
import type { Transaction } from '../platform/database.ts';
import { recordset } from '../platform/recordset.ts';
import { loadPeople } from './people.ts';

/**
 * Queues one message for each address of an owner, even if several owners share the address. With `customerUuid`,
 * notifies only the owners of that customer, and uses SMS only for owners without another method.
 */
export async function notifyOwners(
  tx: Transaction,
  message: { subject: string; text: string },
  now: Date,
  customerUuid?: string,
): Promise<void> {
  const { rows: owners } = await tx.query<{ customerUuid: string; uuid: string }>(
    `select u.tocsin_customer_uuid as "customerUuid", u.uuid from tocsin.user u
     join tocsin.customer c on c.uuid = u.tocsin_customer_uuid
     where u.level = 0 and not u.tocsin_partner_account and u.status and c.status = 1
       and ($1::uuid is null or c.uuid = $1) order by u.created_at, u.uuid`,
    [customerUuid ?? null],
  );
  const people = await loadPeople(tx, owners);
  const queued = new Map<string, object>();
  for (const { customerUuid: customer, uuid } of owners) {
    const person = people.get(uuid);
    if (!person) continue;
    const usable = addressesOf(person).methods;
    const free = usable.filter(({ method }) => method !== METHOD.sms);
    const methods = customerUuid !== undefined && free.length > 0 ? free : usable;
    // Owners who turned off every method still receive an e-mail, because nobody else learns about a fault of the
    // installation.
    const reached = methods.length > 0 ? methods : [{ method: METHOD.email, address: person.email }];
    for (const { method, address } of reached) {
      const key = `${method} ${address.toLowerCase()}`;
      if (!queued.has(key)) queued.set(key, { customer, person: uuid, name: person.name, method, address });
    }
  }
  await tx.query(
    `insert into tocsin.notification (tocsin_customer_uuid, tocsin_user_uuid, recipient_name, address, method_type, message_type,
       kind, subject, notify_message, notify_time, next_attempt_at)
     select n.customer, n.person, n.name, n.address, n.method, 4, 'system', $2, $3, $4, $4
     from ${recordset('n', { customer: 'uuid', person: 'uuid', name: 'text', address: 'text', method: 'smallint' })}`,
    [JSON.stringify([...queued.values()]), message.subject, message.text, now],
  );
  await tx.query(`select pg_notify('tocsin_message', '')`);
}
