import type { FastifyRequest } from 'fastify';
import { deviceWords } from '../../domain/device-words.ts';
import { serviceAccess } from '../access.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Transaction } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';
import type { Background } from './background.ts';

export type AccessEvent = 'sign_in' | 'sign_in_failed' | 'sign_out';

const WINDOW_MS = 15 * 60_000;
/**
 * Maximum number of audit rows for one event and account in a time window. Further events are only counted. When the
 * window ends, one more row records their number.
 */
const ROWS_PER_WINDOW = 5;
const ADDRESSES_SHOWN = 3;

interface Row {
  event: AccessEvent;
  userUuid: string;
  detail: { address: string; device: string; attempts?: number };
}

interface Window {
  event: AccessEvent;
  userUuid: string;
  endsAt: number;
  rows: number;
  counted: number;
  addresses: Set<string>;
  device: string;
}

/**
 * Records sign-ins and sign-outs in the audit trail, with address and device. Writes at most six rows per event and
 * account in 15 minutes, so that a flood does not fill the table. Failed sign-ins to unknown accounts appear only as a
 * count in the log.
 */
export class AccessTrail {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #windows = new Map<string, Window>();
  #unknown = 0;

  constructor({ db, clock, log }: { db: Database; clock: Clock; log: Log }) {
    this.#db = db;
    this.#clock = clock;
    this.#log = log;
  }

  /** Writes the event in the transaction `tx`. Above the limit, only counts the event. */
  async record(tx: Transaction, event: AccessEvent, userUuid: string, request: FastifyRequest): Promise<void> {
    for (const row of this.#take(event, userUuid, request)) await write(tx, row);
  }

  /**
   * Records a failed sign-in after the response is sent, so that the response time does not reveal whether the account
   * exists.
   */
  recordFailure(background: Background, userUuid: string | undefined, request: FastifyRequest): void {
    if (userUuid === undefined) {
      this.#unknown += 1;
      return;
    }
    const rows = this.#take('sign_in_failed', userUuid, request);
    if (rows.length > 0) background.start('recording a failed sign-in', () => this.#writeAll(rows));
  }

  /**
   * Returns the rows to write for an event: the event itself unless the limit is reached, and the counts of the
   * previous window if that window has ended.
   */
  #take(event: AccessEvent, userUuid: string, request: FastifyRequest): Row[] {
    const now = this.#clock.now().getTime();
    const key = `${event} ${userUuid}`;
    const address = request.ip;
    const device = deviceWords(request.headers['user-agent'] ?? '');
    const before = this.#windows.get(key);
    const isOver = before !== undefined && before.endsAt <= now;
    const window =
      before && !isOver
        ? before
        : { event, userUuid, endsAt: now + WINDOW_MS, rows: 0, counted: 0, addresses: new Set<string>(), device };
    this.#windows.set(key, window);
    const rows = isOver ? countRows([before]) : [];
    if (window.rows < ROWS_PER_WINDOW) {
      window.rows += 1;
      return [...rows, { event, userUuid, detail: { address, device } }];
    }
    window.counted += 1;
    window.device = device;
    if (window.addresses.size <= ADDRESSES_SHOWN) window.addresses.add(address);
    return rows;
  }

  /** Writes the counts of ended windows to the audit trail. With `all`, also writes those of running windows. */
  async flush(which: 'ended' | 'all' = 'ended'): Promise<void> {
    if (this.#unknown > 0) this.#log.info('failed sign-ins to unknown accounts', { count: this.#unknown });
    this.#unknown = 0;
    const now = this.#clock.now().getTime();
    const due = [...this.#windows].filter(([, { endsAt }]) => which === 'all' || endsAt <= now);
    for (const [key] of due) this.#windows.delete(key);
    const rows = countRows(due.map(([, window]) => window));
    if (rows.length > 0) await this.#writeAll(rows);
  }

  #writeAll(rows: readonly Row[]): Promise<void> {
    return this.#db.transaction(serviceAccess(this.#clock), async (tx) => {
      for (const row of rows) await write(tx, row);
    });
  }
}

function countRows(windows: readonly Window[]): Row[] {
  return windows
    .filter(({ counted }) => counted > 0)
    .map(({ event, userUuid, counted, addresses, device }) => {
      const shown = [...addresses].slice(0, ADDRESSES_SHOWN).join(', ');
      const address = addresses.size > ADDRESSES_SHOWN ? `${shown} and others` : shown;
      return { event, userUuid, detail: { attempts: counted, address, device } };
    });
}

async function write(tx: Transaction, { event, userUuid, detail }: Row): Promise<void> {
  await tx.query('select tocsin_private.record_access($1, $2, $3)', [event, userUuid, JSON.stringify(detail)]);
}
