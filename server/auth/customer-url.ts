import type { Transaction } from '../platform/database.ts';
import type { Account } from './account.ts';
import { customerOfHost, DEFAULT_CUSTOMER } from './customer.ts';

/** Host name of a customer's console. All unassigned host names belong to the default customer. */
export interface CustomerHost {
  host: string;
  isDefault: boolean;
}

/** Columns of `CustomerHost`, for a query in which `c` is the customer. */
export const CUSTOMER_HOST = `c.end_point as host, c.uuid = ${DEFAULT_CUSTOMER} as "isDefault"`;

export async function hostOfCustomer(tx: Transaction, customerUuid: string): Promise<CustomerHost> {
  const { rows } = await tx.query<CustomerHost>(`select ${CUSTOMER_HOST} from tocsin.customer c where c.uuid = $1`, [
    customerUuid,
  ]);
  return rows[0]!;
}

/**
 * Returns the console's URL for a customer. Links use the customer's own host name, because its users sign in there. On
 * a local machine this name often does not resolve, so there the default customer keeps the public URL.
 */
export function customerUrl(publicUrl: string, { host, isDefault }: CustomerHost): string {
  const url = new URL(publicUrl);
  const staysLocal = isDefault && isLocal(url.hostname);
  if (host !== '' && !staysLocal) url.host = /:\d+$/.test(host) || url.port === '' ? host : `${host}:${url.port}`;
  return url.href.replace(/\/+$/, '');
}

/**
 * Returns the URL at which the account's user must sign in, with a message. Returns undefined if the request already
 * used the host name of the user's customer. The URL in the result is null if the customer has no other known address.
 */
export async function signInElsewhere(
  tx: Transaction,
  { account, host, publicUrl }: { account: Account; host: string; publicUrl: string },
): Promise<{ sentence: string; url: string | null } | undefined> {
  const name = account.customerName;
  if ((await customerOfHost(tx, host))?.uuid === account.customerUuid) return undefined;
  const own = await hostOfCustomer(tx, account.customerUuid);
  if (own.host === '' && !own.isDefault) {
    const sentence = `${name} has no host name of its own yet, so nobody can sign in. The administrator must set one.`;
    return { sentence, url: null };
  }
  const url = customerUrl(publicUrl, own);
  if (new URL(url).host === host.toLowerCase()) return { sentence: `Sign in at the address of ${name}.`, url: null };
  return { sentence: `Sign in to ${name} at ${url}.`, url };
}

function isLocal(hostname: string): boolean {
  return /^(localhost|.*\.localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
}
