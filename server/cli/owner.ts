import { emailKey } from '../../domain/email-key.ts';
import { customerUrl, hostOfCustomer } from '../auth/customer-url.ts';
import type { Transaction } from '../platform/database.ts';
import { StartError } from '../platform/start-error.ts';

/** Arguments of `npm run admin`. */
export interface AdminArguments {
  name: string | undefined;
  customer: string | undefined;
  host: string | undefined;
  partner: string;
  timeZone: string;
}

interface Customer {
  uuid: string;
  name: string;
}

interface Owner {
  uuid: string;
  customer: string;
  made: boolean;
}

/** Checks a host name, with or without a port, and returns it in lower case. */
export function readHost(text: string): string {
  const host = text.trim().toLowerCase();
  const label = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?';
  if (host.length > 253 || !new RegExp(`^${label}(\\.${label})*(:\\d{1,5})?$`).test(host))
    throw new StartError(`--host needs a host name such as plant.example, without https:// and without a path.`);
  return host;
}

/** Sets the host name of an existing customer. Returns the URL where its users sign in. */
export async function setHost(
  tx: Transaction,
  wanted: AdminArguments,
  publicUrl: string,
): Promise<{ name: string; url: string }> {
  const { found, all } = await findCustomer(tx, wanted.customer);
  if (!found)
    throw new StartError(`There is no customer called ${wanted.customer}. The customers are ${namesOf(all)}.`);
  await assignHost(tx, found, wanted.host, publicUrl);
  return { name: found.name, url: customerUrl(publicUrl, await hostOfCustomer(tx, found.uuid)) };
}

export async function ensureOwner(
  tx: Transaction,
  wanted: AdminArguments & { email: string },
  publicUrl: string,
): Promise<Owner> {
  const customer = await ensureCustomer(tx, wanted);
  await assignHost(tx, customer, wanted.host, publicUrl);
  const { rows: found } = await tx.query<{ uuid: string; level: number; status: boolean }>(
    'select uuid, level, status from tocsin.user where tocsin_customer_uuid = $1 and tocsin_private.email_key(email) = $2',
    [customer.uuid, emailKey(wanted.email)],
  );
  const existing = found[0];
  if (existing && existing.level !== 0) {
    throw new StartError(
      `${wanted.email} is a user of ${customer.name} with level ${existing.level}, not an owner. Use another e-mail address.`,
    );
  }
  if (existing) {
    await tx.query('update tocsin.user set status = true where uuid = $1', [existing.uuid]);
    return { uuid: existing.uuid, customer: customer.name, made: false };
  }
  const { rows: owners } = await tx.query<{ email: string }>(
    'select email from tocsin.user where tocsin_customer_uuid = $1 and level = 0 order by created_at',
    [customer.uuid],
  );
  if (owners[0] && wanted.name === undefined) {
    throw new StartError(
      `${customer.name} already has an owner: ${owners.map(({ email }) => email).join(', ')}. Use that address, or add --name "Full Name" to create another owner.`,
    );
  }
  const { rows } = await tx.query<{ uuid: string }>(
    `insert into tocsin.user (tocsin_customer_uuid, username, display_name, email, level) values ($1, $2, $3, $2, 0) returning uuid`,
    [customer.uuid, wanted.email, wanted.name ?? wanted.email.split('@')[0]],
  );
  return { uuid: rows[0]!.uuid, customer: customer.name, made: true };
}

/** Finds the customer by name, or creates it if there is none. Without a name, returns the only customer. */
async function ensureCustomer(tx: Transaction, { customer, partner, timeZone }: AdminArguments): Promise<Customer> {
  const { found } = await findCustomer(tx, customer);
  if (found || customer === undefined) return found!;
  const { rows: partners } = await tx.query<{ id: number }>(
    `with existing as (select id from tocsin.partner where lower(name) = lower($1) limit 1),
      made as (insert into tocsin.partner (name) select $1 where not exists (select from existing) returning id)
     select id from existing union all select id from made`,
    [partner],
  );
  const tableName =
    customer
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '_')
      .slice(0, 63) || 'customer';
  const { rows } = await tx.query<Customer>(
    'insert into tocsin.customer (tocsin_partner_id, name, table_name, time_zone) values ($1, $2, $3, $4) returning uuid, name',
    [partners[0]!.id, customer, tableName, timeZone],
  );
  return rows[0]!;
}

/** Finds a customer by name or uuid. Without either, returns the only customer. */
export async function findCustomer(
  tx: Transaction,
  customer: string | undefined,
): Promise<{ found: Customer | undefined; all: Customer[] }> {
  const { rows: all } = await tx.query<Customer>('select uuid, name from tocsin.customer order by id');
  if (customer) {
    const wanted = customer.toLowerCase();
    return { found: all.find(({ uuid, name }) => uuid === wanted || name.toLowerCase() === wanted), all };
  }
  if (all.length === 1) return { found: all[0], all };
  throw new StartError(
    all.length === 0
      ? 'There is no customer yet. Create the first one: npm run admin -- --email … --customer "Company"'
      : `There are ${all.length} customers. Specify one of them with --customer: ${namesOf(all)}`,
  );
}

/**
 * Sets the customer's host name. Users sign in to the customer whose host name is in the browser's address, so every
 * customer except the first needs its own.
 */
async function assignHost(
  tx: Transaction,
  customer: Customer,
  host: string | undefined,
  publicUrl: string,
): Promise<void> {
  const { host: before, isDefault } = await hostOfCustomer(tx, customer.uuid);
  if (host === undefined) {
    if (before !== '' || isDefault) return;
    throw new StartError(
      `${customer.name} needs a host name of its own, because there are other customers. Users sign in to the customer whose host name they open. Add --host, such as --host plant.example. See "More than one customer" in docs/operating.md.`,
    );
  }
  const { rows } = await tx.query<Customer>(
    'select uuid, name from tocsin.customer where lower(end_point) = $1 and uuid <> $2',
    [host, customer.uuid],
  );
  if (rows[0]) throw new StartError(`--host: ${host} is already the host name of ${rows[0].name}.`);
  const { host: shared, hostname } = new URL(publicUrl);
  if (!isDefault && (host === shared || host === hostname)) {
    throw new StartError(
      `--host: ${host} is the console's own address (TOCSIN_PUBLIC_URL), where people sign in to the first customer. Use another name.`,
    );
  }
  await tx.query('update tocsin.customer set end_point = $2 where uuid = $1 and end_point <> $2', [
    customer.uuid,
    host,
  ]);
}

export function namesOf(customers: readonly Customer[]): string {
  return customers.map(({ name }) => name).join(', ');
}
