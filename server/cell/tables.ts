import pg from 'pg';
import type { Transaction } from '../platform/database.ts';
import { StartError } from '../platform/start-error.ts';

export interface Column {
  name: string;
  type: string;
}

/** Describes how one table is exported and imported. */
export interface ExportTable {
  /** Name with its schema, such as `tocsin.alarm`. */
  name: string;
  /** Columns in the file, without generated columns and without numbers that the importing cell assigns. */
  columns: Column[];
  /** SQL `with` clause that `from` requires; empty if it requires none. */
  with: string;
  /** `from` and `where` clauses that select the customer's rows. The alias of the table is `t`. */
  from: string;
  /**
   * SQL `order by` clause. If rows of the table refer to other rows of the same table, each row comes after the row
   * that it refers to.
   */
  order: string;
  /** Time column by which the table is partitioned into weeks; undefined if it is not partitioned. */
  partitionKey: string | undefined;
  /**
   * True if the table has no foreign keys and no insert triggers except `own_customer`. Such tables, which include the
   * largest ones, are imported first and without a lock.
   */
  isFree: boolean;
}

/** Column with numeric keys to which other tables refer. The importing cell maps each key to a new key. */
export interface NumberedColumn {
  table: string;
  column: string;
}

/** Tables that are not exported, with the reason. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  'tocsin.partner': 'A partner can have several customers. The header of the file contains the partner.',
  'tocsin.push_subscription':
    'A subscription is bound to the key of one cell. The new cell asks each browser to subscribe again.',
  'tocsin_private.alarm_hour': 'Computed from alarms.',
  'tocsin_private.alarm_hour_change': 'Computed from alarms.',
  'tocsin_private.attempts': 'Counts of sign-ins and codes by hashed address. They expire within a day.',
  'tocsin_private.backup': 'Backups of the cell.',
  'tocsin_private.database_size': 'Sizes of the cell’s database.',
  'tocsin_private.device_change': 'Messages to the processes of the cell. The import writes new ones.',
  'tocsin_private.early_receipt':
    'Receipts that arrived before their notification was stored. Providers send them to the old cell.',
  'tocsin_private.evaluator_shard': 'Every cell has the same shards.',
  'tocsin_private.frame_minute': 'Frame counts for the whole cell.',
  'tocsin_private.inbound_message': 'Answers that providers can repeat. Providers send them to the old cell.',
  'tocsin_private.installation': 'Settings of the cell.',
  'tocsin_private.lease': 'Leases of the cell’s processes.',
  'tocsin_private.migration': 'Migrations of the cell. The header of the file contains the last one.',
  'tocsin_private.milestone': 'The milestones of this cell are in the header of the export file.',
  'tocsin_private.one_time_code': 'Codes and links in sent e-mails belong to the old cell.',
  'tocsin_private.process': 'Processes of the cell.',
  'tocsin_private.secret': 'Secret keys of the cell.',
  'tocsin_private.sensor_takeover':
    'Each row refers to a process of the cell. The first frame in the new cell triggers a takeover.',
  'tocsin_private.session': 'Users sign in again in the new cell.',
  'tocsin_private.system_alarm': 'System alarms of the cell.',
  'tocsin_private.write_behind': 'Write-behind progress of the cell’s processes. The import sets newest values itself.',
};

export const NUMBERED: readonly NumberedColumn[] = [
  { table: 'tocsin.sensor_channel', column: 'key' },
  { table: 'tocsin.reply_message', column: 'id' },
];

/** Name that every column with a key of `tocsin.sensor_channel` has. */
export const CHANNEL_KEY = 'channel_key';

interface CatalogueTable {
  name: string;
  columns: { name: string; type: string; identity: boolean }[];
  partition_key: string | null;
  insert_triggers: number;
  foreign_keys: { columns: string[]; target: string; target_columns: string[] }[];
}

const CATALOGUE = `
  select n.nspname || '.' || c.relname as name,
    (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod), 'identity', a.attidentity <> '')
        order by a.attnum)
      from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
    (select a.attname from pg_partitioned_table p join pg_attribute a on a.attrelid = p.partrelid and a.attnum = p.partattrs[0]
      where p.partrelid = c.oid) as partition_key,
    -- Bit 2 of tgtype is INSERT. own_customer only concerns requests.
    (select count(*)::int from pg_trigger t
      where t.tgrelid = c.oid and not t.tgisinternal and t.tgtype & 4 <> 0 and t.tgname <> 'own_customer') as insert_triggers,
    coalesce((select json_agg(json_build_object(
        'target', (select tn.nspname || '.' || tc.relname from pg_class tc join pg_namespace tn on tn.oid = tc.relnamespace where tc.oid = k.confrelid),
        'columns', (select json_agg(a.attname order by u.nth) from unnest(k.conkey) with ordinality u (num, nth)
          join pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.num),
        'target_columns', (select json_agg(a.attname order by u.nth) from unnest(k.confkey) with ordinality u (num, nth)
          join pg_attribute a on a.attrelid = k.confrelid and a.attnum = u.num)) order by k.conname)
      from pg_constraint k where k.conrelid = c.oid and k.contype = 'f'), '[]') as foreign_keys
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname in ('tocsin', 'tocsin_private') and c.relkind in ('r', 'p') and not c.relispartition
  order by 1`;

/**
 * Reads the tables of an export from the database's catalogue, in import order. Throws if a table is not in `LEFT_OUT`
 * and its rows cannot be assigned to a customer, so that no new table is forgotten.
 */
export async function exportTables(tx: Transaction, customerUuid: string): Promise<ExportTable[]> {
  const { rows } = await tx.query<CatalogueTable>(CATALOGUE);
  const wanted = rows.filter(({ name }) => !Object.hasOwn(LEFT_OUT, name));
  const scopes = new Scopes(wanted, customerUuid);
  const unknown = wanted.filter(({ name }) => scopes.of(name) === undefined).map(({ name }) => name);
  if (unknown.length > 0) {
    throw new StartError(
      `The export cannot determine which rows of ${unknown.join(', ')} belong to the customer. Add each table to server/cell/tables.ts.`,
    );
  }
  return inOrder(wanted).map((table) => exportTable(table, scopes.of(table.name) as string));
}

/** Builds the SQL condition that selects the customer's rows of each table. */
class Scopes {
  readonly #tables: Map<string, CatalogueTable>;
  readonly #own: string;
  readonly #special: Record<string, string>;

  constructor(tables: readonly CatalogueTable[], customerUuid: string) {
    this.#tables = new Map(tables.map((table) => [table.name, table]));
    const own = `tocsin_customer_uuid = ${pg.escapeLiteral(customerUuid)}`;
    const alarms = `select a.uuid from tocsin.alarm a where a.${own}`;
    // Uuids of rules, multi-condition rules and data points, including deleted ones.
    const watches = `select uuid from tocsin.rule where ${own} union select uuid from tocsin.rules_json where ${own}
      union select uuid from tocsin.asset_datapoint where ${own} union select rule_uuid from tocsin.rule_version where ${own}
      union select watch_uuid from tocsin.rule_transition where ${own}`;
    this.#own = own;
    // These tables have no column or foreign key that leads to the customer, so each needs its own condition.
    this.#special = {
      'tocsin.customer': `t.uuid = ${pg.escapeLiteral(customerUuid)}`,
      'tocsin_private.rule_state': `(t.watch_uuid in (${watches}) or t.alarm_uuid in (${alarms}))`,
      'tocsin_private.alarm_work': `(t.uuid in (${watches}) or t.uuid in (${alarms}))`,
      'tocsin_private.last_notified': `t.alarm_uuid in (${alarms})`,
    };
  }

  of(name: string): string | undefined {
    const special = this.#special[name];
    const table = this.#tables.get(name);
    if (special || !table) return special;
    const has = (column: string) => table.columns.some((one) => one.name === column);
    if (has('tocsin_customer_uuid')) return `t.${this.#own}`;
    if (has(CHANNEL_KEY)) return `t.${CHANNEL_KEY} in (select c.key from tocsin.sensor_channel c where c.${this.#own})`;
    for (const { columns, target, target_columns } of table.foreign_keys) {
      const scope = target === name ? undefined : this.of(target);
      if (scope)
        return `(${list(columns, 't.')}) in (select ${list(target_columns, 't.')} from ${target} t where ${scope})`;
    }
    return undefined;
  }
}

function exportTable(table: CatalogueTable, scope: string): ExportTable {
  const { name, columns, foreign_keys, partition_key } = table;
  const isNumbered = (column: string) => NUMBERED.some((one) => one.table === name && one.column === column);
  const assigned = columns.find((column) => column.identity && !isNumbered(column.name));
  const numbered = columns.find((column) => isNumbered(column.name));
  const self = foreign_keys.find(({ target }) => target === name);
  const sorted = assigned ?? numbered;
  return {
    name,
    columns: columns.filter((column) => column !== assigned).map(({ name, type }) => ({ name, type })),
    with: '',
    from: `${name} t where ${scope}`,
    order: sorted ? `order by t.${pg.escapeIdentifier(sorted.name)}` : '',
    partitionKey: partition_key ?? undefined,
    isFree: isFree(table),
    ...(self && levelsOf(name, scope, self)),
  };
}

/**
 * Returns SQL that sorts a table whose rows refer to rows of the same table. A row without a reference has level 0. Any
 * other row is one level above the row that it refers to.
 */
function levelsOf(
  name: string,
  scope: string,
  key: CatalogueTable['foreign_keys'][number],
): Pick<ExportTable, 'with' | 'from' | 'order'> {
  const from = pg.escapeIdentifier(key.columns.at(-1) as string);
  const to = pg.escapeIdentifier(key.target_columns.at(-1) as string);
  return {
    with: `with recursive l (target, level) as (
      select t.${to}, 0 from ${name} t where ${scope} and t.${from} is null
      union all
      select t.${to}, l.level + 1 from ${name} t join l on t.${from} = l.target where ${scope})`,
    from: `${name} t join l on l.target = t.${to} where ${scope}`,
    order: 'order by l.level',
  };
}

function isFree({ foreign_keys, insert_triggers }: CatalogueTable): boolean {
  return foreign_keys.length === 0 && insert_triggers === 0;
}

/** Sorts the tables: first the tables that need no lock, then the others, each after the tables to which it refers. */
function inOrder(tables: readonly CatalogueTable[]): CatalogueTable[] {
  const sorted = tables.filter(isFree);
  let waiting = tables.filter((table) => !isFree(table));
  while (waiting.length > 0) {
    const blocked = (table: CatalogueTable) =>
      table.foreign_keys.some(({ target }) => target !== table.name && waiting.some((other) => other.name === target));
    const next = waiting.filter((table) => !blocked(table));
    if (next.length === 0)
      throw new Error(`These tables refer to each other in a circle: ${waiting.map(({ name }) => name).join(', ')}.`);
    sorted.push(...next);
    waiting = waiting.filter(blocked);
  }
  return sorted;
}

function list(columns: readonly string[], prefix = ''): string {
  return columns.map((column) => prefix + pg.escapeIdentifier(column)).join(', ');
}

export interface Schema {
  /** Name of the newest migration. */
  last: string;
  /** Checksum of the names and contents of all migrations. */
  checksum: string;
}

/** Returns the newest migration and the checksum of all migrations. Only the login role may read them. */
export async function schemaOf(tx: Transaction): Promise<Schema> {
  const { rows } = await tx.query<Schema>(
    `select max(name) as last, encode(sha256(convert_to(string_agg(name || ' ' || checksum, e'\\n' order by name collate "C"), 'UTF8')), 'hex') as checksum
     from tocsin_private.migration where name <> 'logic'`,
  );
  return rows[0] as Schema;
}
