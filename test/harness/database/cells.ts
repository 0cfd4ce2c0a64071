/** Moves customers between test databases, and compares the rows of a customer in two cells. */
import { join } from 'node:path';
import { exportCustomer } from '../../../server/cell/export.ts';
import { freezeCustomer } from '../../../server/cell/freeze.ts';
import { type ImportOptions, importCustomer } from '../../../server/cell/import.ts';
import type { Clock } from '../../../server/platform/clock.ts';
import type { Database } from '../../../server/platform/database.ts';
import { scratchFolder } from '../machine/scratch.ts';
import { serviceQuery } from './factories.ts';

let count = 0;

/** Freezes and exports a customer. Returns the path of the file. */
export async function exportTo(db: Database, clock: Clock, customer: { uuid: string }): Promise<string> {
  count += 1;
  const path = join(scratchFolder('cell'), `${count}.gz`);
  await freezeCustomer(db, clock, customer.uuid);
  await db.migration((tx) =>
    exportCustomer({ tx, customerUuid: customer.uuid, path, version: 'test', now: clock.now() }),
  );
  return path;
}

export function importFrom(db: Database, clock: Clock, path: string, more: Partial<ImportOptions> = {}) {
  return db.migration((tx) => importCustomer({ tx, path, now: clock.now(), ...more }));
}

/** Columns with numbers that each cell assigns independently. */
const NUMBERS = ['id', 'auto_id', 'sequence_number', 'key', 'channel_key'];

/**
 * For each table without a customer column, the condition that selects the rows of a customer. `$1` is the customer's
 * uuid.
 */
const BY: Record<string, string> = {
  'tocsin.customer': 't.uuid = $1',
  'tocsin_private.credential': 't.user_uuid in (select uuid from tocsin.user where tocsin_customer_uuid = $1)',
  'tocsin_private.pending_invitation': 't.user_uuid in (select uuid from tocsin.user where tocsin_customer_uuid = $1)',
  'tocsin_private.last_notified': 't.alarm_uuid in (select uuid from tocsin.alarm where tocsin_customer_uuid = $1)',
  'tocsin_private.rule_state': `t.watch_uuid in (select uuid from tocsin.rule where tocsin_customer_uuid = $1
    union all select uuid from tocsin.rules_json where tocsin_customer_uuid = $1
    union all select uuid from tocsin.asset_datapoint where tocsin_customer_uuid = $1)`,
};

/**
 * Returns all rows of a customer as sorted strings, grouped by table. Omits numbers that each cell assigns
 * independently, and replaces channel keys with channel uuids.
 */
export async function rowsOfCustomer(db: Database, { uuid }: { uuid: string }): Promise<Record<string, string[]>> {
  const tables = await serviceQuery<{ name: string; tenant: boolean; channel: boolean }>(
    db,
    `select n.nspname || '.' || c.relname as name,
       exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tocsin_customer_uuid') as tenant,
       exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'channel_key') as channel
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('tocsin', 'tocsin_private') and c.relkind in ('r', 'p') and not c.relispartition
       and c.relname not in ('migration', 'push_subscription') order by 1`,
  );
  const found: Record<string, string[]> = {};
  for (const { name, tenant, channel } of tables) {
    const condition =
      BY[name] ?? (tenant ? 't.tocsin_customer_uuid = $1' : channel ? 'c.tocsin_customer_uuid = $1' : null);
    if (condition === null) continue;
    const rows = await serviceQuery<{ line: string }>(
      db,
      `select ((to_jsonb(t) - $2::text[])${channel ? " || jsonb_build_object('channel', c.uuid)" : ''})::text as line
       from ${name} t ${channel ? 'join tocsin.sensor_channel c on c.key = t.channel_key' : ''} where ${condition}`,
      [uuid, NUMBERS],
    );
    if (rows.length > 0) found[name] = rows.map(({ line }) => line).sort();
  }
  return found;
}
