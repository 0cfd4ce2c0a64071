import type { Transaction } from '../platform/database.ts';
import { isUuid } from './bodies.ts';

export interface CustomerOfHost {
  uuid: string;
  id: number;
  name: string;
  email: string;
  phone: string;
  endPoint: string;
  timeZone: string;
  partnerEmail: string;
  partnerPhone: string;
  /** A disabled customer keeps its host name, but sign-in is refused. */
  active: boolean;
  /** True if the request used the customer's own host name. */
  byHost: boolean;
}

const CUSTOMER = `select c.uuid, c.id, c.name, c.email, c.phone, c.end_point as "endPoint", c.time_zone as "timeZone",
    p.email as "partnerEmail", p.phone as "partnerPhone", c.status = 1 as active
  from tocsin.customer c join tocsin.partner p on p.id = c.tocsin_partner_id`;

/**
 * SQL for the uuid of the default customer, to which all unassigned host names belong. If no default customer is
 * configured, the oldest customer is used.
 */
export const DEFAULT_CUSTOMER = `(select d.uuid from tocsin.customer d
  order by d.uuid::text = (select value #>> '{}' from tocsin_private.installation where name = 'default_customer')
    desc nulls last, d.id limit 1)`;

/** Returns the customer with the request's host name, otherwise the default customer. */
export async function customerOfHost(tx: Transaction, host: string): Promise<CustomerOfHost | undefined> {
  const withPort = host.toLowerCase();
  const withoutPort = withPort.replace(/:\d+$/, '');
  const own = await tx.query(
    `${CUSTOMER} where c.end_point <> '' and lower(c.end_point) in ($1, $2) order by lower(c.end_point) = $2 limit 1`,
    [withPort, withoutPort],
  );
  if (own.rows[0]) return { ...own.rows[0], byHost: true };
  const fallback = await tx.query(`${CUSTOMER} where c.uuid = ${DEFAULT_CUSTOMER}`);
  return fallback.rows[0] && { ...fallback.rows[0], byHost: false };
}

/**
 * Returns the customer of a sign-in request. On a customer's own host name, the request is for that customer; another
 * customer's id is refused. On any other host name, the client can select the customer by id.
 */
export async function customerOfLogin(
  tx: Transaction,
  host: string,
  sentId: string | number | null | undefined,
): Promise<CustomerOfHost | undefined> {
  const customer = await customerOfHost(tx, host);
  const sent = String(sentId ?? '')
    .trim()
    .toLowerCase();
  if (!customer || sent === '' || sent === String(customer.id) || sent === customer.uuid) return customer;
  if (customer.byHost || !(isUuid(sent) || /^\d{1,9}$/.test(sent))) return undefined;
  const { rows } = await tx.query(`${CUSTOMER} where ${isUuid(sent) ? 'c.uuid' : 'c.id'} = $1`, [sent]);
  return rows[0] && { ...rows[0], byHost: false };
}
