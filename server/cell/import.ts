import pg from 'pg';
import type { Transaction } from '../platform/database.ts';
import { StartError } from '../platform/start-error.ts';
import { checkImport, type Place } from './check.ts';
import { EXACT_TEXTS } from './export.ts';
import { checkExport, type Header, readExport, readLine, type Section } from './file.ts';
import { ImportLocks } from './locks.ts';
import { Numbers, type TextRow } from './numbers.ts';
import { type ExportTable, exportTables, NUMBERED, type NumberedColumn } from './tables.ts';

/** Default value of the option `bytesAtOnce`. */
const BYTES_AT_ONCE = 1_000_000;

export interface ImportOptions {
  /** Database connection that uses the login role and has no open transaction. */
  tx: Transaction;
  path: string;
  now: Date;
  /** Host name of the customer in this cell; undefined keeps the host name in the file. */
  host?: string | undefined;
  /** Allows uids that sensors of other customers in this cell also have. */
  sharedUids?: boolean;
  /** True to leave the customer disabled after the import. */
  disabled?: boolean;
  /** Approximate number of bytes that one statement stores. */
  bytesAtOnce?: number;
  onProgress?: (done: number, total: number, label: string) => void;
}

/**
 * Imports a customer in one transaction, so that an error leaves no rows behind. Refuses a damaged file, a file with
 * another schema, and rows that conflict with rows of this cell.
 */
export async function importCustomer(options: ImportOptions): Promise<Header> {
  const { tx, path, now } = options;
  const { header, uids } = await checkExport(path);
  await ensureWeeks(tx, header);
  await tx.query('begin');
  try {
    await tx.query(EXACT_TEXTS);
    await tx.query(`select set_config('tocsin.now', $1, true), set_config('tocsin.user_uuid', '', true)`, [
      now.toISOString(),
    ]);
    const place = await checkImport(tx, header, { ...options, uids });
    await new Import(tx, header, options, place).run();
    await tx.query('commit');
    return header;
  } catch (error) {
    // A failed rollback only means that the connection is lost. The first error is more useful, so it is thrown below.
    await tx.query('rollback').catch(() => {});
    throw explain(error as Error & { code?: string; table?: string; constraint?: string });
  }
}

/**
 * Creates the partitions before the import's transaction, because creating a partition locks the whole table until the
 * transaction ends.
 */
async function ensureWeeks(tx: Transaction, { tables }: Header): Promise<void> {
  const weeks = new Set(Object.values(tables).flatMap(({ weeks = [] }) => weeks));
  for (const week of [...weeks].sort())
    await tx.query('call tocsin_private.ensure_partitions($1, $1)', [`${week}T00:00:00Z`]);
}

function explain(error: Error & { code?: string; table?: string; constraint?: string }): Error {
  if (error instanceof StartError) return error;
  if (error.code === '23505') {
    return new StartError(
      `The customer was not imported: in this cell, a row of ${error.table} already has the same key (${error.constraint}).`,
      { cause: error },
    );
  }
  return error;
}

/**
 * Sets the newest values from the imported readings. The newest values in the file can be outdated, because
 * write-behind stores them some seconds after the readings.
 */
const NEWEST_VALUES = `
  update tocsin.asset_datapoint d set latest_value = n.value, last_updated = n.device_time,
    status = case when d.status in (0, 3) then 1 else d.status end
  from tocsin.sensor_channel c cross join lateral (
    select r.device_time, r.value from tocsin.reading r where r.channel_key = c.key order by r.device_time desc limit 1) n
  where d.tocsin_customer_uuid = $1 and c.uuid = d.tocsin_sensor_channel_uuid
    and (d.last_updated is null or d.last_updated < n.device_time)`;

class Import {
  readonly #tx: Transaction;
  readonly #header: Header;
  readonly #options: ImportOptions;
  readonly #place: Place;
  readonly #locks: ImportLocks;
  readonly #numbers = new Numbers();
  readonly #total: number;
  #done = 0;
  /** Current section of the file: either the numbers in a column or the rows of a table. */
  #numbered: NumberedColumn | undefined;
  #table: ExportTable | undefined;
  #rows = 0;
  #replace: ((row: TextRow) => void) | undefined;
  #lines: string[] = [];
  #bytes = 0;

  constructor(tx: Transaction, header: Header, options: ImportOptions, place: Place) {
    this.#tx = tx;
    this.#header = header;
    this.#options = options;
    this.#place = place;
    this.#locks = new ImportLocks(tx);
    this.#total = Object.values(header.tables).reduce((sum, { rows }) => sum + rows, 0);
  }

  async run(): Promise<void> {
    const { path } = this.#options;
    const { uuid } = this.#header.customer;
    const tables = new Map((await exportTables(this.#tx, uuid)).map((table) => [table.name, table]));
    let isFirst = true;
    for await (const lines of readExport(path)) {
      for (const line of lines) {
        if (isFirst) isFirst = false;
        else if (line.startsWith('{')) await this.#begin(readLine<Section>(line, path), tables);
        else await this.#add(line);
      }
    }
    await this.#endSection();
    if (!this.#locks.held) await this.#locks.take([...tables.values()]);
    await this.#finish();
  }

  async #begin(section: Section, tables: ReadonlyMap<string, ExportTable>): Promise<void> {
    await this.#endSection();
    this.#table = undefined;
    this.#numbered = undefined;
    if (section.column !== undefined) {
      this.#numbered = NUMBERED.find(({ table, column }) => table === section.table && column === section.column);
      if (!this.#numbered)
        throw new StartError(
          `The file contains numeric keys for ${section.table}, but that table has none in this cell. Use the same Tocsin version in both cells.`,
        );
      return;
    }
    const table = tables.get(section.table);
    const columns = table?.columns.map(({ name }) => name).join();
    if (!table || columns !== section.columns?.join())
      throw new StartError(
        `The columns of ${section.table} in the file differ from this schema. Use the same Tocsin version in both cells.`,
      );
    if (!table.isFree && !this.#locks.held) await this.#locks.take([...tables.values()]);
    this.#table = table;
    this.#rows = 0;
    this.#replace =
      table.name === 'tocsin.customer'
        ? (row) => this.#placeCustomer(row, table)
        : this.#numbers.replacerOf(table.name, table.columns);
  }

  #placeCustomer(row: TextRow, { columns }: ExportTable): void {
    const { partnerId, host, tableName } = this.#place;
    const placed = { tocsin_partner_id: String(partnerId), end_point: host, table_name: tableName, status: '0' };
    for (const [name, value] of Object.entries(placed)) row[columns.findIndex((one) => one.name === name)] = value;
  }

  async #add(line: string): Promise<void> {
    let text = line;
    if (this.#table && this.#replace) {
      const row = readLine<TextRow>(line, this.#options.path);
      this.#replace(row);
      text = JSON.stringify(row);
    }
    this.#lines.push(text);
    this.#bytes += text.length;
    if (this.#bytes >= (this.#options.bytesAtOnce ?? BYTES_AT_ONCE)) await this.#store();
  }

  async #store(): Promise<void> {
    const lines = this.#lines;
    this.#lines = [];
    this.#bytes = 0;
    if (lines.length === 0) return;
    if (this.#numbered) return this.#number(this.#numbered, lines);
    const table = this.#table as ExportTable;
    const names = table.columns.map(({ name }) => pg.escapeIdentifier(name)).join(', ');
    const values = table.columns.map(({ type }, index) => `(r ->> ${index})::${type}`).join(', ');
    await this.#tx.query(
      `insert into ${table.name} (${names}) overriding system value select ${values} from json_array_elements($1::json) r`,
      [`[${lines.join(',')}]`],
    );
    this.#rows += lines.length;
    this.#done += lines.length;
    this.#options.onProgress?.(this.#done, this.#total, table.name);
  }

  /** Assigns new keys from the column's sequence, in the order of the keys in the file. */
  async #number(numbered: NumberedColumn, old: readonly string[]): Promise<void> {
    await this.#tx.query('reset role');
    const { rows } = await this.#tx.query<{ number: string }>(
      'select nextval(pg_get_serial_sequence($1, $2))::text as number from generate_series(1, $3)',
      [numbered.table, numbered.column, old.length],
    );
    await this.#tx.query('set local role tocsin_service');
    this.#numbers.add(
      numbered,
      old,
      rows.map(({ number }) => number),
    );
  }

  async #endSection(): Promise<void> {
    await this.#store();
    const table = this.#table;
    if (!table) return;
    const wanted = this.#header.tables[table.name]?.rows;
    if (this.#rows !== wanted)
      throw new StartError(
        `The file has ${this.#rows} rows of ${table.name} instead of ${wanted}. Export the customer again.`,
      );
    // Without statistics the planner assumes an empty table. Foreign key checks would then scan the whole table for
    // each row.
    if (!table.isFree && this.#rows > 0) await this.#locks.asLogin(() => this.#tx.query(`analyze ${table.name}`));
  }

  /** Finishes the import, so that the processes of this cell use the imported rows. */
  async #finish(): Promise<void> {
    const { uuid } = this.#header.customer;
    await this.#tx.query(NEWEST_VALUES, [uuid]);
    // A new version makes every process reload the rule states of that shard.
    await this.#tx.query(
      `update tocsin_private.evaluator_shard set version = version + 1
       where shard in (select s.shard from tocsin_private.rule_state s)`,
    );
    await this.#mergeMilestones();
    await this.#locks.enableTriggers();
    if (this.#options.disabled) return;
    // This update makes all processes reload the customer's sensors, and adds an entry to the audit trail.
    await this.#tx.query('update tocsin.customer set status = 1 where uuid = $1', [uuid]);
  }

  /**
   * Merges the milestones of both cells. `rolled-up` gets the earlier time, because repeating roll-ups gives the same
   * result. The other milestones mark where stored data begins. They get the later time, because both cells have
   * complete data only from then on.
   */
  async #mergeMilestones(): Promise<void> {
    for (const [name, at] of Object.entries(this.#header.milestones)) {
      await this.#tx.query(
        `insert into tocsin_private.milestone as m (name, at) values ($1, $2)
         on conflict (name) do update set at = ${name === 'rolled-up' ? 'least' : 'greatest'}(m.at, excluded.at)`,
        [name, at],
      );
    }
  }
}
