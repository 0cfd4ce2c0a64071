/**
 * Inserts rows for tests with the rights of the server's role. Columns that a test does not set have default values.
 */
import { hash } from '@node-rs/argon2';
import type { Access, Database } from '../../../server/platform/database.ts';

const service: Access = { role: 'tocsin_service', settings: {} };

let count = 0;
/** Returns a number that is unique in this process. */
function next(): number {
  count += 1;
  return count;
}

/** Inserts one row and returns all its columns. Undefined values keep the column's default. */
export async function insertRow<R extends object = any>(
  db: Database,
  table: string,
  values: Readonly<Record<string, unknown>>,
): Promise<R> {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  const { rows } = await db.transaction(service, (tx) =>
    tx.query(
      `insert into ${table} (${given.map(([name]) => name).join(', ')})
       values (${given.map((_, index) => `$${index + 1}`).join(', ')}) returning *`,
      given.map(([, value]) => value),
    ),
  );
  return rows[0] as R;
}

export async function serviceQuery<R extends object = any>(
  db: Database,
  text: string,
  values: readonly unknown[] = [],
): Promise<R[]> {
  const { rows } = await db.transaction(service, (tx) => tx.query(text, values));
  return rows as R[];
}

export interface PartnerRow {
  uuid: string;
  id: number;
  name: string;
}

export function createPartner(db: Database, values: { id?: number; name?: string } = {}): Promise<PartnerRow> {
  return insertRow(db, 'tocsin.partner', { name: `Partner ${next()}`, ...values });
}

export interface CustomerRow {
  uuid: string;
  id: number;
  tocsin_partner_id: number;
  name: string;
  end_point: string;
}

export interface NewCustomer {
  partner?: PartnerRow;
  id?: number;
  name?: string;
  endPoint?: string;
  status?: 0 | 1;
  timeZone?: string;
}

export async function createCustomer(db: Database, values: NewCustomer = {}): Promise<CustomerRow> {
  const number = next();
  return insertRow(db, 'tocsin.customer', {
    id: values.id,
    tocsin_partner_id: (values.partner ?? (await createPartner(db))).id,
    name: values.name ?? `Customer ${number}`,
    end_point: values.endPoint,
    status: values.status,
    time_zone: values.timeZone,
    table_name: `customer_${number}`,
  });
}

/** Sets the customer for host names that are assigned to no customer. */
export async function setDefaultCustomer(db: Database, customer: { uuid: string }): Promise<void> {
  await serviceQuery(
    db,
    `insert into tocsin_private.installation (name, value) values ('default_customer', $1)
     on conflict (name) do update set value = excluded.value`,
    [JSON.stringify(customer.uuid)],
  );
}

export interface UserRow {
  uuid: string;
  tocsin_customer_uuid: string;
  username: string;
  display_name: string;
  email: string;
  level: number;
  status: boolean;
  varified: boolean;
  tocsin_partner_account: boolean;
}

export interface NewUser {
  customer: { uuid: string };
  level?: number;
  partnerAccount?: boolean;
  /**
   * Password of the user. Without a password, the user cannot sign in, like a user who has not accepted the invitation
   * yet.
   */
  password?: string;
  varified?: boolean;
  status?: boolean;
  email?: string;
  username?: string;
  displayName?: string;
}

/**
 * Argon2id parameters with the lowest cost, which make tests faster. Passwords can still be verified, because the
 * stored hash contains the parameters.
 */
const CHEAP = { algorithm: 2, memoryCost: 8, timeCost: 1, parallelism: 1 } as const;
const hashes = new Map<string, Promise<string>>();

export async function createUser(db: Database, values: NewUser): Promise<UserRow> {
  const number = next();
  const user = await insertRow<UserRow>(db, 'tocsin.user', {
    tocsin_customer_uuid: values.customer.uuid,
    username: values.username ?? `user-${number}`,
    display_name: values.displayName ?? `User ${number}`,
    email: values.email ?? `user-${number}@plant.example`,
    level: values.level ?? 20,
    status: values.status ?? true,
    varified: values.varified ?? true,
    tocsin_partner_account: values.partnerAccount ?? false,
  });
  if (values.password !== undefined) {
    const known = hashes.get(values.password) ?? hash(values.password.normalize('NFC'), CHEAP);
    hashes.set(values.password, known);
    await insertRow(db, 'tocsin_private.credential', { user_uuid: user.uuid, password_hash: await known });
  }
  return user;
}

export interface SiteRow {
  uuid: string;
  tocsin_customer_uuid: string;
  site_id: string;
  name: string;
}

export function createSite(
  db: Database,
  values: { customer: { uuid: string }; name?: string; siteId?: string },
): Promise<SiteRow> {
  const number = next();
  return insertRow(db, 'tocsin.site', {
    tocsin_customer_uuid: values.customer.uuid,
    site_id: values.siteId ?? `SITE-${number}`,
    name: values.name ?? `Site ${number}`,
  });
}

/** Gives an operator access to a site. */
export function linkUser(db: Database, user: UserRow, site: SiteRow): Promise<{ uuid: string }> {
  return insertRow(db, 'tocsin.site_user', {
    tocsin_customer_uuid: site.tocsin_customer_uuid,
    tocsin_site_uuid: site.uuid,
    tocsin_user_uuid: user.uuid,
  });
}
