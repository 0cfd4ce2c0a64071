import type { PoolClient } from 'pg';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';

/**
 * Settings for checkpoints and vacuuming. A PostgreSQL server runs them in background processes, which the embedded
 * database does not have.
 */
export interface MaintenanceSettings {
  /** Interval between two checks for due maintenance. */
  everyMs: number;
  /** Longest time between a write and the next checkpoint. */
  checkpointMs: number;
  /** Amount of log data since the last checkpoint above which the next checkpoint runs immediately. */
  checkpointBytes: number;
  /**
   * Interval between two runs that vacuum and analyse tables with many changes. A run is postponed while the database
   * is busy.
   */
  vacuumMs: number;
}

export const defaultMaintenance: MaintenanceSettings = {
  everyMs: 5_000,
  checkpointMs: 60_000,
  checkpointBytes: 64 * 1024 * 1024,
  vacuumMs: 30 * 60_000,
};

export interface MaintenanceFacts {
  /** Number of bytes written to the log since the last checkpoint, without the checkpoint's own record. */
  logBytes: number;
  sinceCheckpointMs: number;
  sinceVacuumMs: number;
  busy: boolean;
}

export type Due =
  | { task: 'nothing'; because: 'not-due' | 'busy' }
  | { task: 'checkpoint'; because: 'log-is-long' | 'time-passed' }
  | { task: 'vacuum'; because: 'time-passed' };

export function whatIsDue(facts: MaintenanceFacts, settings: MaintenanceSettings): Due {
  if (facts.logBytes >= settings.checkpointBytes) return { task: 'checkpoint', because: 'log-is-long' };
  if (facts.logBytes > 0 && facts.sinceCheckpointMs >= settings.checkpointMs) {
    return { task: 'checkpoint', because: 'time-passed' };
  }
  if (facts.sinceVacuumMs < settings.vacuumMs) return { task: 'nothing', because: 'not-due' };
  return facts.busy ? { task: 'nothing', because: 'busy' } : { task: 'vacuum', because: 'time-passed' };
}

export interface MaintenanceOptions {
  settings: MaintenanceSettings;
  clock: Clock;
  log: Log;
  /** Runs `work` on the single connection of the database, with the time limit for maintenance. */
  exclusive: <T>(work: (client: PoolClient) => Promise<T>) => Promise<T>;
  busy: () => boolean;
}

const LOG_BYTES = `
  select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::float8 as bytes from pg_control_checkpoint()`;

/**
 * SQL that selects the tables to vacuum. The thresholds are those of a server's autovacuum, except that rows are frozen
 * earlier.
 */
const TABLES_DUE = `
  select format('%I.%I', s.schemaname, s.relname) as name, age(c.relfrozenxid) > 100000000 as freeze
    from pg_stat_all_tables s
    join pg_class c on c.oid = s.relid
   where c.relkind in ('r', 'm')
     and c.relpersistence <> 't'
     and (s.n_dead_tup > 50 + 0.2 * s.n_live_tup
       or s.n_mod_since_analyze > 50 + 0.1 * s.n_live_tup
       or s.n_ins_since_vacuum > 1000 + 0.2 * s.n_live_tup
       or age(c.relfrozenxid) > 100000000)
   order by 1`;

export class Maintenance {
  readonly #options: MaintenanceOptions;
  #timer: NodeJS.Timeout | undefined;
  #running = false;
  #stopped = false;
  #lastFailure: string | undefined;
  #checkpointAt: number;
  #vacuumAt: number;
  /** Size of the checkpoint's own log record, which must not trigger the next checkpoint. */
  #ownBytes = 0;

  constructor(options: MaintenanceOptions) {
    this.#options = options;
    this.#checkpointAt = this.#now();
    this.#vacuumAt = this.#now();
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.tick().then(
        () => this.#report(undefined),
        (error: Error) => this.#report(error),
      );
    }, this.#options.settings.everyMs);
    this.#timer.unref();
  }

  stop(): void {
    this.#stopped = true;
    clearInterval(this.#timer);
  }

  /** Logs a failed maintenance task. If it fails again with the same message, does not log it again. */
  #report(error: Error | undefined): void {
    if (error && !this.#stopped && error.message !== this.#lastFailure) {
      this.#options.log.warn('maintenance of the embedded database failed', { error });
    }
    this.#lastFailure = error?.message;
  }

  /** Runs the due maintenance task and returns which task it was. */
  async tick(): Promise<Due> {
    if (this.#running || this.#stopped) return { task: 'nothing', because: 'busy' };
    this.#running = true;
    try {
      const due = whatIsDue(await this.#facts(), this.#options.settings);
      if (due.task === 'checkpoint') await this.checkpoint();
      if (due.task === 'vacuum') await this.vacuum('leave-the-rest');
      return due;
    } finally {
      this.#running = false;
    }
  }

  async checkpoint(): Promise<void> {
    this.#checkpointAt = this.#now();
    await this.#options.exclusive(async (client) => {
      await client.query('checkpoint');
      this.#ownBytes = await logBytes(client);
    });
  }

  /**
   * Vacuums one table at a time, so that a request waits for one table at most. Returns the number of vacuumed tables.
   */
  async vacuum(whenOthersWait: 'go-on' | 'leave-the-rest' = 'go-on'): Promise<number> {
    let done = 0;
    try {
      const { rows } = await this.#options.exclusive(async (client) => {
        await client.query('select pg_stat_force_next_flush()');
        return client.query<{ name: string; freeze: boolean }>(TABLES_DUE);
      });
      for (const { name, freeze } of rows) {
        // The remaining tables are vacuumed at the next check.
        if (this.#stopped || (whenOthersWait === 'leave-the-rest' && done > 0 && this.#options.busy())) return done;
        await this.#options.exclusive((client) => client.query(`vacuum (analyze${freeze ? ', freeze' : ''}) ${name}`));
        done += 1;
      }
    } catch (error) {
      this.#vacuumAt = this.#now();
      throw error;
    }
    this.#vacuumAt = this.#now();
    return done;
  }

  async #facts(): Promise<MaintenanceFacts> {
    const busy = this.#options.busy();
    const bytes = await this.#options.exclusive(logBytes);
    return {
      logBytes: Math.max(0, bytes - this.#ownBytes),
      sinceCheckpointMs: this.#now() - this.#checkpointAt,
      sinceVacuumMs: this.#now() - this.#vacuumAt,
      busy,
    };
  }

  #now(): number {
    return this.#options.clock.now().getTime();
  }
}

async function logBytes(client: PoolClient): Promise<number> {
  const { rows } = await client.query<{ bytes: number }>(LOG_BYTES);
  return rows[0]?.bytes ?? 0;
}
