import pg from 'pg';
import type { Transaction } from '../platform/database.ts';
import { StartError } from '../platform/start-error.ts';
import { ExportWriter, FORMAT, type Header, type Partner } from './file.ts';
import { type ExportTable, exportTables, NUMBERED, schemaOf } from './tables.ts';

/** Approximate number of bytes that one query fetches. */
const BYTES_AT_ONCE = 1_000_000;
const MOST_ROWS_AT_ONCE = 10_000;

export interface ExportOptions {
  /** Database connection that uses the login role and has no open transaction. */
  tx: Transaction;
  customerUuid: string;
  path: string;
  version: string;
  now: Date;
  onProgress?: (done: number, total: number, label: string) => void;
}

/**
 * Writes all rows of a customer to a file. Reads one snapshot of the database, so that all tables are consistent. The
 * customer must be frozen (freeze.ts), because rows stored after the snapshot are not exported.
 */
export async function exportCustomer(options: ExportOptions): Promise<Header> {
  const { tx, customerUuid, path } = options;
  const schema = await schemaOf(tx);
  const writer = new ExportWriter(path);
  await tx.query('begin isolation level repeatable read read only');
  try {
    await tx.query(EXACT_TEXTS);
    await tx.query('set local role tocsin_service; set local cursor_tuple_fraction = 1');
    const tables = await exportTables(tx, customerUuid);
    const header = await headerOf(options, schema, tables);
    await writer.line(header);
    const total = Object.values(header.tables).reduce((sum, { rows }) => sum + rows, 0);
    let done = 0;
    const add = (label: string) => (rows: number) => {
      done += rows;
      options.onProgress?.(done, total, label);
    };
    for (const { table, column } of NUMBERED) {
      const { from } = tables.find(({ name }) => name === table) as ExportTable;
      await writer.line({ table, column });
      const number = `t.${pg.escapeIdentifier(column)}`;
      await copyRows(tx, writer, `select ${number}::text as line from ${from} order by ${number}`);
    }
    for (const table of tables) {
      await writer.line({ table: table.name, columns: table.columns.map(({ name }) => name) });
      const texts = table.columns.map(({ name }) => `t.${pg.escapeIdentifier(name)}::text`).join(', ');
      const { with: clause, from, order } = table;
      const query = `${clause} select json_build_array(${texts})::text as line from ${from} ${order}`;
      const rows = await copyRows(tx, writer, query, add(table.name));
      const counted = header.tables[table.name]?.rows;
      if (rows !== counted) throw new Error(`${table.name} has ${rows} rows in the file instead of ${counted}.`);
    }
    await tx.query('commit');
    await writer.finish();
    return header;
  } catch (error) {
    // A failed rollback only means that the connection is lost. The first error is more useful, so it is thrown below.
    await tx.query('rollback').catch(() => {});
    await writer.discard();
    throw error;
  }
}

/** Output settings that make the text of a value the same in every cell. */
export const EXACT_TEXTS = `set local time zone 'UTC'; set local datestyle = 'ISO'; set local intervalstyle = 'postgres';
  set local bytea_output = 'hex'; set local extra_float_digits = 1`;

/** Copies the rows of a query to the file, in blocks from a cursor. */
async function copyRows(
  tx: Transaction,
  writer: ExportWriter,
  query: string,
  onRows: (rows: number) => void = () => {},
): Promise<number> {
  await tx.query(`declare exported no scroll cursor for ${query}`);
  let total = 0;
  let atOnce = 500;
  for (;;) {
    const { rows } = await tx.query<{ line: string }>(`fetch ${atOnce} from exported`);
    if (rows.length === 0) break;
    const lines = rows.map(({ line }) => line);
    await writer.lines(lines);
    total += rows.length;
    onRows(rows.length);
    const bytes = lines.reduce((sum, line) => sum + line.length, 0);
    atOnce = Math.max(1, Math.min(MOST_ROWS_AT_ONCE, Math.floor((BYTES_AT_ONCE * rows.length) / bytes)));
  }
  await tx.query('close exported');
  return total;
}

async function headerOf(
  { tx, customerUuid, version, now }: ExportOptions,
  schema: Header['schema'],
  tables: readonly ExportTable[],
): Promise<Header> {
  const { rows: customers } = await tx.query<Header['customer'] & { partner: Partner; active: boolean }>(
    `select c.uuid, c.name, c.end_point as host, c.table_name as "tableName", c.status = 1 as active,
       json_build_object('uuid', p.uuid, 'name', p.name, 'email', p.email, 'end_point', p.end_point, 'phone', p.phone) as partner
     from tocsin.customer c join tocsin.partner p on p.id = c.tocsin_partner_id where c.uuid = $1`,
    [customerUuid],
  );
  const { partner, active, ...customer } = customers[0]!;
  if (active) throw new StartError(`${customer.name} is active. Freeze the customer first, or add --freeze.`);
  const { rows: milestones } = await tx.query<{ name: string; at: string }>(
    'select name, at::text as at from tocsin_private.milestone order by name',
  );
  const counts: Header['tables'] = {};
  for (const table of tables) counts[table.name] = await countRows(tx, table);
  return {
    product: 'Tocsin',
    format: FORMAT,
    version,
    schema,
    customer,
    partner,
    at: now.toISOString(),
    milestones: Object.fromEntries(milestones.map(({ name, at }) => [name, at])),
    tables: counts,
  };
}

async function countRows(tx: Transaction, table: ExportTable): Promise<Header['tables'][string]> {
  const { with: clause, from, partitionKey } = table;
  if (partitionKey === undefined) {
    const { rows } = await tx.query<{ rows: number }>(`${clause} select count(*)::float8 as rows from ${from}`);
    return { rows: rows[0]!.rows };
  }
  const { rows } = await tx.query<{ week: string; rows: number }>(
    `select date_trunc('week', t.${pg.escapeIdentifier(partitionKey)} at time zone 'UTC')::date::text as week, count(*)::float8 as rows
     from ${from} group by 1 order by 1`,
  );
  return { rows: rows.reduce((sum, week) => sum + week.rows, 0), weeks: rows.map(({ week }) => week) };
}
