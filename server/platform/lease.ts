import { type Clock, randomUuid } from './clock.ts';
import { type Access, type Database, within } from './database.ts';
import type { Log } from './log.ts';

/** A right that at most one process has at a time, such as a lease. */
export interface Right {
  /** True while this process has the right. */
  readonly held: boolean;
  /** Asks the database whether this process has the right. Takes the right if nobody has it. */
  confirm(): Promise<boolean>;
  /** Calls `listener` when this process gains or loses the right. Returns a function that removes the listener. */
  onChange(listener: (held: boolean) => void): () => void;
}

export interface LeaseOptions {
  db: Database;
  /** Access with permission to write `tocsin_private.lease`. */
  access: () => Access;
  clock: Clock;
  log: Log;
  name: string;
  limits?: Partial<LeaseLimits>;
  /** False in tests, which renew the lease themselves. */
  timers?: boolean;
}

export interface LeaseLimits {
  /** Duration of the lease after each renewal, by the database's clock. */
  lengthMs: number;
  /**
   * Safety margin in milliseconds. The holder treats the lease as ended this long before its actual end, so that it has
   * time to stop its work.
   */
  marginMs: number;
  /** Interval at which the holder renews the lease and other processes try to take it. */
  renewMs: number;
}

/** If the holder fails, another process takes the lease after at most `lengthMs` plus `renewMs`: 8 s. */
export const leaseLimits: LeaseLimits = { lengthMs: 6000, marginMs: 1000, renewMs: 2000 };

const RELEASED = 'tocsin_lease';

/**
 * SQL that takes or renews the lease. PostgreSQL checks the condition after it has locked the row, so two processes
 * cannot both take a lease that has expired.
 */
const TAKE = `
  insert into tocsin_private.lease as l (name, holder, until, fence)
  values ($1, $2, clock_timestamp() + $3::float8 * interval '1 ms', 1)
  on conflict (name) do update set holder = excluded.holder, until = clock_timestamp() + $3::float8 * interval '1 ms',
    fence = l.fence + case when l.holder = excluded.holder then 0 else 1 end
  where l.holder = excluded.holder or l.until <= clock_timestamp()
  returning fence`;

/**
 * A lease in the database, which at most one process holds at any moment. The holder measures the duration from the
 * moment before it sends a renewal, so the lease ends earlier for the holder than in the database.
 */
export class Lease implements Right {
  readonly #options: LeaseOptions;
  readonly #limits: LeaseLimits;
  readonly #holder = randomUuid();
  readonly #listeners = new Set<(held: boolean) => void>();
  /** End of the lease by the clock of this process, in milliseconds. */
  #until = 0;
  #reported = false;
  #closed = false;
  #asking: Promise<void> = Promise.resolve();
  #next: NodeJS.Timeout | undefined;
  #end: NodeJS.Timeout | undefined;
  #stopListening: (() => Promise<void>) | undefined;

  private constructor(options: LeaseOptions) {
    this.#options = options;
    this.#limits = { ...leaseLimits, ...options.limits };
  }

  /** Starts to take and renew the lease, on a timer unless `timers` is false. */
  static async start(options: LeaseOptions): Promise<Lease> {
    const lease = new Lease(options);
    if (options.timers === false) return lease;
    const released = (name: string) => name === options.name && !lease.held && void lease.confirm();
    lease.#stopListening = await options.db.listen(RELEASED, released, () => {});
    lease.#renewAlways();
    return lease;
  }

  get held(): boolean {
    return !this.#closed && this.#until > this.#options.clock.now().getTime();
  }

  onChange(listener: (held: boolean) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async confirm(): Promise<boolean> {
    if (this.#closed) return false;
    const asked = this.#ask().catch((error: Error) => {
      this.#options.log.warn('a lease could not be renewed', { lease: this.#options.name, error });
      return false;
    });
    this.#asking = Promise.all([this.#asking, asked]).then(() => {});
    const confirmed = await within(asked, this.#limits.lengthMs, () => false);
    return confirmed && this.held;
  }

  async #ask(): Promise<boolean> {
    const { db, access, clock, name } = this.#options;
    const { lengthMs, marginMs } = this.#limits;
    const sentAt = clock.now().getTime();
    const { rows } = await db.transaction(access(), (tx) => tx.query(TAKE, [name, this.#holder, lengthMs]));
    if (rows.length === 0) this.#until = 0;
    // Responses can arrive out of order. A late response to an earlier request must not shorten the lease.
    else this.#until = Math.max(this.#until, sentAt + lengthMs - marginMs);
    this.#report();
    return rows.length > 0;
  }

  #report(): void {
    const { held } = this;
    clearTimeout(this.#end);
    if (held && this.#options.timers !== false) {
      const left = this.#until - this.#options.clock.now().getTime();
      this.#end = setTimeout(() => this.#report(), Math.max(left, 1));
    }
    if (held === this.#reported) return;
    this.#reported = held;
    for (const listener of this.#listeners) listener(held);
  }

  #renewAlways(): void {
    void this.confirm().then(() => {
      if (!this.#closed) this.#next = setTimeout(() => this.#renewAlways(), this.#limits.renewMs);
    });
  }

  /** Releases the lease, so that another process can take it immediately. Call it after the work has stopped. */
  async close(): Promise<void> {
    const { db, access, log, name } = this.#options;
    clearTimeout(this.#next);
    this.#closed = true;
    this.#report();
    await this.#stopListening?.();
    try {
      // A pending request could take the lease again after its release, so it must finish first.
      await within(this.#asking, this.#limits.lengthMs, () => {});
      await db.transaction(access(), async (tx) => {
        const mine = 'update tocsin_private.lease set until = clock_timestamp() where name = $1 and holder = $2';
        const { rowCount } = await tx.query(mine, [name, this.#holder]);
        if (rowCount > 0) await tx.query('select pg_notify($1, $2)', [RELEASED, name]);
      });
    } catch (error) {
      log.warn('a lease could not be released; it ends by itself', { lease: name, error });
    }
  }
}
