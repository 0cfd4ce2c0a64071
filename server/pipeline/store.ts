import type { CopyTransaction, Transaction } from '../platform/database.ts';
import { recordset } from '../platform/recordset.ts';
import { BinaryRows } from './binary-rows.ts';
import type { Protocol } from './intake.ts';
import { partitionName, weekOf } from './partitions.ts';

export interface LogRow {
  customerUuid: string;
  uid: string;
  raw: string;
  /** `none` marks a refused connection, for which no frame is stored. */
  encoding: 'text' | 'base64' | 'none';
  protocol: Protocol;
  at: number;
  problem: string | null;
  note: string | null;
}

/** Readings as parallel arrays, in order of arrival. */
export interface ReadingRows {
  keys: number[];
  times: number[];
  values: number[];
}

/** Writes frames and readings. Both implementations write the same rows. */
export interface Store {
  addFrames(rows: readonly LogRow[]): Promise<void>;
  /** Adds readings that are newer than all earlier readings of their channel, so they cannot be duplicates. */
  addNew(rows: ReadingRows, now: number): Promise<void>;
  /** Adds possible duplicates. Returns for each reading whether it was added. */
  addUnlessThere(rows: ReadingRows, now: number): Promise<boolean[]>;
}

const list = (values: readonly unknown[]) => `{${values.join(',')}}`;

const INSERT_READINGS = `insert into tocsin.reading (channel_key, device_time, server_time, value)
  select key, to_timestamp(ms / 1000), to_timestamp($4::float8 / 1000), value
  from unnest($1::int[], $2::float8[], $3::float8[]) as r (key, ms, value)`;

async function insertUnlessThere(tx: Transaction, rows: ReadingRows, now: number): Promise<boolean[]> {
  const { rows: added } = await tx.query<{ key: number; ms: number }>(
    `${INSERT_READINGS}
     on conflict do nothing
     returning channel_key as key, round(extract(epoch from device_time) * 1000)::float8 as ms`,
    [list(rows.keys), list(rows.times), list(rows.values), now],
  );
  const there = new Set(added.map(({ key, ms }) => `${key} ${ms}`));
  // If two readings in one batch are equal, the second one is the duplicate.
  return rows.keys.map((key, index) => there.delete(`${key} ${rows.times[index]}`));
}

/** Inserts rows into the parent tables. Used for the embedded database. */
export class InsertStore implements Store {
  readonly #tx: Transaction;

  constructor(tx: Transaction) {
    this.#tx = tx;
  }

  async addFrames(rows: readonly LogRow[]): Promise<void> {
    await this.#tx.query(
      `insert into tocsin.incoming_sensor_log (tocsin_customer_uuid, uid, raw_data, encoding, protocol, date_time, problem, note)
       select r."customerUuid", r.uid, r.raw, r.encoding, r.protocol, to_timestamp(r.at / 1000), r.problem, r.note
       from ${recordset('r', { customerUuid: 'uuid', uid: 'text', raw: 'text', encoding: 'text', protocol: 'text', at: 'float8', problem: 'text', note: 'text' })}`,
      [JSON.stringify(rows)],
    );
  }

  async addNew(rows: ReadingRows, now: number): Promise<void> {
    await this.#tx.query(INSERT_READINGS, [list(rows.keys), list(rows.times), list(rows.values), now]);
  }

  addUnlessThere(rows: ReadingRows, now: number): Promise<boolean[]> {
    return insertUnlessThere(this.#tx, rows, now);
  }
}

/** Reserves ids for frames in blocks of a thousand, because COPY does not assign them. */
export class FrameNumbers {
  #left: string[] = [];

  /**
   * Discards the reserved ids after a failed transaction. PostgreSQL saves the progress of a sequence only with a
   * commit, so after a crash the database server could assign the same ids to another process.
   */
  forget(): void {
    this.#left = [];
  }

  async take(tx: Transaction, count: number): Promise<string[]> {
    while (this.#left.length < count) {
      const { rows } = await tx.query<{ number: string }>(
        `select nextval('tocsin.incoming_sensor_log_auto_id_seq')::text as number from generate_series(1, 1000)`,
      );
      this.#left.push(...rows.map(({ number }) => number));
    }
    return this.#left.splice(0, count);
  }
}

/** Copies rows directly into the weekly partitions, which is several times faster than inserting them. */
export class CopyStore implements Store {
  readonly #tx: CopyTransaction;
  readonly #numbers: FrameNumbers;

  constructor(tx: CopyTransaction, numbers: FrameNumbers) {
    this.#tx = tx;
    this.#numbers = numbers;
  }

  async addFrames(rows: readonly LogRow[]): Promise<void> {
    const numbers = await this.#numbers.take(this.#tx, rows.length);
    for (const [week, indexes] of byWeek(rows.map(({ at }) => at))) {
      const binary = new BinaryRows();
      for (const index of indexes) {
        const row = rows[index] as LogRow;
        binary.row(9);
        binary.int8(Number(numbers[index]));
        binary.uuid(row.customerUuid);
        binary.text(row.uid);
        binary.text(row.raw);
        binary.text(row.encoding);
        binary.text(row.protocol);
        binary.time(row.at);
        binary.text(row.problem);
        binary.text(row.note);
      }
      await this.#tx.copy(
        `copy tocsin.${partitionName('incoming_sensor_log', week)}
         (auto_id, tocsin_customer_uuid, uid, raw_data, encoding, protocol, date_time, problem, note) from stdin binary`,
        binary.end(),
      );
    }
  }

  async addNew(rows: ReadingRows, now: number): Promise<void> {
    for (const [week, indexes] of byWeek(rows.times)) {
      const binary = new BinaryRows(indexes.length * 46 + 32);
      for (const index of indexes) {
        binary.row(4);
        binary.int4(rows.keys[index] as number);
        binary.time(rows.times[index] as number);
        binary.time(now);
        binary.float8(rows.values[index] as number);
      }
      await this.#tx.copy(
        `copy tocsin.${partitionName('reading', week)} (channel_key, device_time, server_time, value) from stdin binary`,
        binary.end(),
      );
    }
  }

  addUnlessThere(rows: ReadingRows, now: number): Promise<boolean[]> {
    return insertUnlessThere(this.#tx, rows, now);
  }
}

function byWeek(times: readonly number[]): Map<number, number[]> {
  const weeks = new Map<number, number[]>();
  let week = Number.NaN;
  let indexes: number[] = [];
  times.forEach((time, index) => {
    // Consecutive times are nearly always in the same week, so the map is rarely searched.
    if (weekOf(time) !== week) {
      week = weekOf(time);
      indexes = weeks.get(week) ?? [];
      weeks.set(week, indexes);
    }
    indexes.push(index);
  });
  return weeks;
}
