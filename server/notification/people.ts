import type { Person } from '../../domain/notification/recipients.ts';
import type { Transaction } from '../platform/database.ts';
import { recordset } from '../platform/recordset.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Loads people by uuid. Omits invalid uuids and people who do not belong to the given customer. */
export async function loadPeople(
  tx: Transaction,
  wanted: Iterable<{ customerUuid: string; uuid: string }>,
): Promise<Map<string, Person>> {
  const rows = [...wanted].filter(({ uuid }) => UUID.test(uuid));
  if (rows.length === 0) return new Map();
  const { rows: found } = await tx.query<Person>(
    `select distinct on (u.uuid) u.uuid, u.display_name as name, u.status as active, u.varified, u.email, u.phone_number as phone,
       coalesce((select json_agg(p.uuid order by p.created_at) from tocsin.push_subscription p
         where p.tocsin_user_uuid = u.uuid), '[]') as "pushAddresses",
       json_build_object('email', u.email_notification, 'sms', u.sms_notification, 'whatsapp', u.whatsapp_notification,
         'push', u.apps_notification) as wants
     from ${recordset('w', { uuid: 'uuid', customerUuid: 'uuid' })}
     join tocsin.user u on u.uuid = w.uuid and u.tocsin_customer_uuid = w."customerUuid"`,
    [JSON.stringify(rows)],
  );
  return new Map(found.map((person) => [person.uuid, person]));
}
