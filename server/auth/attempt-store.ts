import { createHmac, type KeyObject } from 'node:crypto';
import { type Attempts, FORGET_MS, isEmpty, noAttempts } from '../../domain/attempts.ts';
import type { Transaction } from '../platform/database.ts';
import { recordset } from '../platform/recordset.ts';

/** Identifies a counter: the kind of attempt, and the account, address or device whose attempts it counts. */
export interface AttemptKey {
  kind: string;
  of: string;
}

interface Row {
  kind: string;
  key: Buffer;
  count: number;
  wait_until: Date | null;
  ends_at: Date | null;
  running: string[];
  running_until: Date | null;
}

const COLUMNS = 'kind, key, count, wait_until, ends_at, running, running_until';

/**
 * Reads and changes the attempt counters, which all processes share. The database stores only keyed hashes of the
 * accounts, addresses and devices.
 */
export class AttemptStore {
  readonly #tx: Transaction;
  readonly #secret: KeyObject;

  constructor(tx: Transaction, secret: KeyObject) {
    this.#tx = tx;
    this.#secret = secret;
  }

  /** Returns the attempts of each key, in the order of the keys. */
  async read(keys: readonly AttemptKey[]): Promise<Attempts[]> {
    const { rows } = await this.#tx.query<Row>(
      `select ${COLUMNS} from tocsin_private.attempts a
       where (a.kind, a.key) in (select * from unnest($1::text[], $2::bytea[]))`,
      this.#parameters(keys),
    );
    return this.#inOrder(keys, rows);
  }

  /**
   * Reads the attempts and locks their rows until the transaction ends, so that only one process at a time checks these
   * limits. All processes lock the rows in the same order, which prevents deadlocks.
   */
  async lock(keys: readonly AttemptKey[]): Promise<Attempts[]> {
    const { rows } = await this.#tx.query<Row>(
      `insert into tocsin_private.attempts as a (kind, key)
       select * from unnest($1::text[], $2::bytea[]) order by 1, 2
       on conflict (kind, key) do update set count = a.count returning ${COLUMNS}`,
      this.#parameters(keys),
    );
    return this.#inOrder(keys, rows);
  }

  /** Writes the attempts of keys that this transaction has locked. */
  async write(keys: readonly AttemptKey[], entries: readonly Attempts[]): Promise<void> {
    const kept = keys.flatMap((key, index) => {
      const entry = entries[index]!;
      return isEmpty(entry) ? [] : [{ ...entry, kind: key.kind, key: this.#hash(key).toString('hex') }];
    });
    const empty = keys.filter((_, index) => isEmpty(entries[index]!));
    await Promise.all([
      kept.length > 0 &&
        this.#tx.query(
          `update tocsin_private.attempts a set count = e.count, running = e.running,
             wait_until = to_timestamp(nullif(e."waitUntil", 0) / 1000), ends_at = to_timestamp(nullif(e."endsAt", 0) / 1000),
             running_until = to_timestamp(nullif(e."runningUntil", 0) / 1000)
           from ${recordset('e', {
             kind: 'text',
             key: 'text',
             count: 'int',
             waitUntil: 'float8',
             endsAt: 'float8',
             running: 'uuid[]',
             runningUntil: 'float8',
           })} where a.kind = e.kind and a.key = decode(e.key, 'hex')`,
          [JSON.stringify(kept)],
        ),
      empty.length > 0 &&
        this.#tx.query(
          `delete from tocsin_private.attempts a
           where (a.kind, a.key) in (select * from unnest($1::text[], $2::bytea[]))`,
          this.#parameters(empty),
        ),
    ]);
  }

  #parameters(keys: readonly AttemptKey[]): [kinds: string[], hashes: Buffer[]] {
    return [keys.map(({ kind }) => kind), keys.map((key) => this.#hash(key))];
  }

  #hash({ kind, of }: AttemptKey): Buffer {
    return createHmac('sha256', this.#secret).update(`${kind} ${of}`).digest();
  }

  #inOrder(keys: readonly AttemptKey[], rows: readonly Row[]): Attempts[] {
    return keys.map((key) => {
      const hash = this.#hash(key);
      const row = rows.find((candidate) => candidate.kind === key.kind && hash.equals(candidate.key));
      if (!row) return noAttempts;
      return {
        count: row.count,
        running: row.running,
        waitUntil: row.wait_until?.getTime() ?? 0,
        endsAt: row.ends_at?.getTime() ?? 0,
        runningUntil: row.running_until?.getTime() ?? 0,
      };
    });
  }
}

/**
 * Maximum number of stored keys of each kind, so that an attacker cannot fill the disk. Above it, the keys that expire
 * first are deleted.
 */
const MOST_KEYS = 50_000;

/** Deletes expired attempts, and the attempts above the maximum of each kind. */
export async function deleteAttempts(tx: Transaction, now: Date, mostKeys = MOST_KEYS): Promise<void> {
  // If the process that checks an attempt dies, the attempt counts as a failure once `running_until` has passed. The
  // row stays until this failure has expired too.
  await tx.query(
    `delete from tocsin_private.attempts where coalesce(ends_at, $1) <= $1
       and coalesce(running_until <= $1::timestamptz - $2 * interval '1 millisecond', true)`,
    [now, FORGET_MS],
  );
  await tx.query(
    `delete from tocsin_private.attempts a
     using (select distinct kind from tocsin_private.attempts) k,
       lateral (select e.ends_at from tocsin_private.attempts e where e.kind = k.kind and e.ends_at is not null
         order by e.ends_at desc offset $1 limit 1) l
     where a.kind = k.kind and a.ends_at <= l.ends_at`,
    [mostKeys],
  );
}
