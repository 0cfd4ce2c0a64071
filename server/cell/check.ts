import { customerOfHost } from '../auth/customer.ts';
import type { Transaction } from '../platform/database.ts';
import { StartError } from '../platform/start-error.ts';
import type { Header, Partner } from './file.ts';
import { schemaOf } from './tables.ts';

/** Partner, host name and `table_name` that the customer has in this cell. */
export interface Place {
  partnerId: number;
  host: string;
  tableName: string;
}

interface Wanted {
  host?: string | undefined;
  sharedUids?: boolean;
  uids: readonly string[];
}

/** Maximum number of uids in the error message. */
const MOST_LISTED = 5;

/**
 * Throws if the schemas of the two cells differ, or if this cell already uses the name, host name or uids of the
 * customer. Returns the customer's place in this cell. Leaves the transaction in the role `tocsin_service`.
 */
export async function checkImport(tx: Transaction, header: Header, wanted: Wanted): Promise<Place> {
  const { customer, partner, schema, version } = header;
  const own = await schemaOf(tx);
  if (own.checksum !== schema.checksum) {
    throw new StartError(
      `The file was exported with another schema (Tocsin ${version}, ${schema.last}) than this cell has (${own.last}). Install the same version of Tocsin in both cells, then export again.`,
    );
  }
  await tx.query('set local role tocsin_service');
  const host = wanted.host ?? customer.host;
  const { rows: met } = await tx.query<{ uuid: string; name: string }>(
    `select uuid, name from tocsin.customer
     where uuid = $1 or lower(name) = lower($2) or end_point <> '' and lower(end_point) = lower($3)
     order by uuid = $1 desc, lower(name) = lower($2) desc`,
    [customer.uuid, customer.name, host],
  );
  const [other] = met;
  if (other?.uuid === customer.uuid) throw new StartError(`${other.name} is already in this cell.`);
  if (other?.name.toLowerCase() === customer.name.toLowerCase())
    throw new StartError(
      `This cell has another customer called ${other.name}. Rename one of them under Company first.`,
    );
  if (other)
    throw new StartError(`${host} is the host name of ${other.name} in this cell. Choose another with --host.`);
  if (host === '' && (await customerOfHost(tx, ''))) {
    throw new StartError(
      `${customer.name} needs a host name of its own, because this cell has other customers. Add --host, such as --host plant.example.`,
    );
  }
  if (!wanted.sharedUids) await refuseSharedUids(tx, wanted.uids);
  return {
    partnerId: await ensurePartner(tx, partner),
    host,
    tableName: await freeTableName(tx, customer.tableName),
  };
}

/**
 * Throws if another sensor of this cell has one of the uids. A broker identifies a device by its uid alone, so Tocsin
 * would have to refuse the frames of both devices.
 */
async function refuseSharedUids(tx: Transaction, uids: readonly string[]): Promise<void> {
  const { rows } = await tx.query<{ uid: string }>(
    'select distinct s.uid from tocsin.sensor s where s.uid in (select json_array_elements_text($1::json)) order by 1',
    [JSON.stringify(uids)],
  );
  if (rows.length === 0) return;
  const listed = rows.slice(0, MOST_LISTED).map(({ uid }) => uid);
  const more = rows.length > MOST_LISTED ? ` and ${rows.length - MOST_LISTED} more` : '';
  throw new StartError(
    `Sensors of other customers in this cell have the same uid: ${listed.join(', ')}${more}. Through a broker, devices with the same uid cannot send. Change these uids, or add --shared-uids if all these devices send with a token.`,
  );
}

async function ensurePartner(tx: Transaction, partner: Partner): Promise<number> {
  const { rows } = await tx.query<{ id: number }>(
    `with existing as (
       select id from tocsin.partner where uuid = $1 or lower(name) = lower($2) order by uuid = $1 desc, id limit 1),
     made as (
       insert into tocsin.partner (uuid, name, email, end_point, phone) select $1, $2, $3, $4, $5
       where not exists (select from existing) returning id)
     select id from existing union all select id from made`,
    [partner.uuid, partner.name, partner.email, partner.end_point, partner.phone],
  );
  return rows[0]!.id;
}

async function freeTableName(tx: Transaction, wanted: string): Promise<string> {
  const { rows } = await tx.query<{ name: string }>(
    `select name from (
       select 0 as nth, $1 as name union all select n, left($1, 58) || '_' || n from generate_series(2, 9999) n) t
     where not exists (select from tocsin.customer c where c.table_name = t.name) order by nth limit 1`,
    [wanted],
  );
  return rows[0]!.name;
}
