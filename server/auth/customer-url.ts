import type { Transaction } from '../platform/database.ts';
import type { Account } from './account.ts';
import { customerOfHost, DEFAULT_CUSTOMER } from './customer.ts';

/** Where a customer's people find the console: its own host name, and whether every other host name is its as well. */
export interface CustomerHost {
  host: string;
  isDefault: boolean;
}

/** For a query whose `c` is the customer. */
export const CUSTOMER_HOST = `c.end_point as host, c.uuid = ${DEFAULT_CUSTOMER} as "isDefault"`;

export async function hostOfCustomer(tx: Transaction, customerUuid: string): Promise<CustomerHost> {
  const { rows } = await tx.query<CustomerHost>(`select ${CUSTOMER_HOST} from tocsin.customer c where c.uuid = $1`, [
    customerUuid,
  ]);
  return rows[0]!;
}

/**
 * The console's address for one customer. A sign-in goes by host name, so a customer with one of its own gets links to it. On a
 * local machine such a name often leads nowhere, and the default customer is found there without it.
 */
export function customerUrl(publicUrl: string, { host, isDefault }: CustomerHost): string {
  const url = new URL(publicUrl);
  const staysLocal = isDefault && isLocal(url.hostname);
  if (host !== '' && !staysLocal) url.host = /:\d+$/.test(host) || url.port === '' ? host : `${host}:${url.port}`;
  return url.href.replace(/\/+$/, '');
}

/**
 * Where somebody signs in who has followed their link under a host name of another customer, where their password is wrong.
 * Undefined where the host name is right; the address is null where none can be named.
 */
export async function signInElsewhere(
  tx: Transaction,
  { account, host, publicUrl }: { account: Account; host: string; publicUrl: string },
): Promise<{ sentence: string; url: string | null } | undefined> {
  const name = account.customerName;
  if ((await customerOfHost(tx, host))?.uuid === account.customerUuid) return undefined;
  const own = await hostOfCustomer(tx, account.customerUuid);
  if (own.host === '' && !own.isDefault) {
    const sentence = `${name} has no host name of its own yet, and nobody can sign in to it until whoever runs Tocsin gives it one.`;
    return { sentence, url: null };
  }
  const url = customerUrl(publicUrl, own);
  if (new URL(url).host === host.toLowerCase()) return { sentence: `Sign in at the address of ${name}.`, url: null };
  return { sentence: `Sign in to ${name} at ${url}.`, url };
}

function isLocal(hostname: string): boolean {
  return /^(localhost|.*\.localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
}
