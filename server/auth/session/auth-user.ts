import type { AuthUser } from '../../../domain/auth-user.ts';
import { userLevel } from '../../../domain/permission.ts';
import type { Transaction } from '../../platform/database.ts';

const organisation = ['id', 'name', 'email', 'end_point', 'phone', 'status', 'created_at', 'updated_at'] as const;
const levelNames = ['group2_name', 'group3_name', 'group4_name', 'group5_name'] as const;
const customer = [...organisation, 'tocsin_partner_id', 'table_name', 'time_zone', ...levelNames] as const;
const person = [
  'uuid',
  'display_name',
  'username',
  'email',
  'level',
  'email_notification',
  'whatsapp_notification',
  'sms_notification',
  'apps_notification',
  'varified',
  'status',
  'created_at',
  'updated_at',
  'reset_password',
  'tocsin_partner_account',
  'start_page',
  'locale',
] as const;

const COLUMNS = [
  ...person.map((name) => `u.${name} as u_${name}`),
  ...customer.map((name) => `c.${name} as c_${name}`),
  ...organisation.map((name) => `p.${name} as p_${name}`),
].join(', ');

type Row = Record<string, any>;

export async function readAuthUser(tx: Transaction, uuid: string): Promise<AuthUser | null> {
  const { rows } = await tx.query<Row>(
    `select ${COLUMNS} from tocsin.user u
     join tocsin.customer c on c.uuid = u.tocsin_customer_uuid
     join tocsin.partner p on p.id = c.tocsin_partner_id
     where u.uuid = $1`,
    [uuid],
  );
  return rows[0] ? authUserOf(rows[0]) : null;
}

function authUserOf(row: Row): AuthUser {
  const u = part(row, 'u', person);
  const c = part(row, 'c', customer);
  return {
    id: u.uuid,
    uuid: u.uuid,
    display_name: u.display_name,
    username: u.username,
    email: u.email,
    level: u.level,
    user_level: userLevel(u.level),
    otp: null,
    email_notification: u.email_notification,
    whatsapp_notification: u.whatsapp_notification,
    sms_notification: u.sms_notification,
    apps_notification: u.apps_notification,
    varified: u.varified,
    status: u.status ? 1 : 0,
    created_at: u.created_at,
    updated_at: u.updated_at,
    tocsin_partner_id: c.tocsin_partner_id,
    tocsin_customer_id: c.id,
    reset_password: u.reset_password,
    tocsin_partner_account: u.tocsin_partner_account,
    start_page: u.start_page,
    locale: u.locale,
    tocsin_partner: part(row, 'p', organisation),
    tocsin_customer: c,
  };
}

function part<K extends string>(row: Row, prefix: string, names: readonly K[]): Record<K, any> {
  return Object.fromEntries(
    names.map((name) => {
      const value = row[`${prefix}_${name}`];
      return [name, value instanceof Date ? value.toISOString() : value];
    }),
  ) as Record<K, any>;
}
