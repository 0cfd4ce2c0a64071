import type { Transaction } from '../platform/database.ts';
import type { Account } from './account.ts';
import { customerOfHost, DEFAULT_CUSTOMER } from './customer.ts';

/** Host name of a customer's console. The default customer also has all unassigned host names. */
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
 * URL of the console for a customer. Sign-in depends on the host name, so links use the customer's own. On a local machine such
 * names often do not resolve; the default customer works without one.
 */
export function customerUrl(publicUrl: string, { host, isDefault }: CustomerHost): string {
  const url = new URL(publicUrl);
  const staysLocal = isDefault && isLocal(url.hostname);
  if (host !== '' && !staysLocal) url.host = /:\d+$/.test(host) || url.port === '' ? host : `${host}:${url.port}`;
  return url.href.replace(/\/+$/, '');
}

/**
 * Sign-in URL for a user who opened a link under the host name of another customer. Undefined when the host name is right; the
 * URL is null when none is known.
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
