import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Transaction } from '../platform/database.ts';
import { StartError } from '../platform/start-error.ts';
import type { ExportTable } from './tables.ts';

const MOST_TRIES = 30;
const PAUSE_MS = 1000;
const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK = '40P01';

/**
 * Locks the tables with triggers, the evaluator shards and the milestones, until the import's transaction ends. Other
 * transactions can read these tables, but not write to them. The import writes them last, to keep this time short.
 * Disables the triggers, because imported rows must not be audited, corrected or announced again.
 */
export class ImportLocks {
  readonly #tx: Transaction;
  #asleep: string[] = [];
  held = false;

  constructor(tx: Transaction) {
    this.#tx = tx;
  }

  /**
   * Acquires all locks at once. If another transaction holds one of them, rolls back to a savepoint and tries again, so
   * that the rows stored so far are kept.
   */
  async take(tables: readonly ExportTable[]): Promise<void> {
    const { rows } = await this.#tx.query<{ name: string }>(
      `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.oid = any ($1::regclass[]) and exists (select from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal)
       order by 1`,
      [tables.filter(({ isFree }) => !isFree).map(({ name }) => quoted(name))],
    );
    this.#asleep = rows.map(({ name }) => name);
    for (let attempt = 1; !(await this.#try()); attempt += 1) {
      if (attempt === MOST_TRIES)
        throw new StartError(
          'The tables could not be locked, because the cell is busy. Import the customer at a quieter time.',
        );
      await delay(PAUSE_MS);
    }
    this.held = true;
    await this.#turnTriggers('disable');
  }

  async #try(): Promise<boolean> {
    const tx = this.#tx;
    await tx.query(`savepoint before_locks; set local lock_timeout = '2s'`);
    try {
      await this.asLogin(() => tx.query(`lock table ${this.#asleep.join(', ')} in share row exclusive mode`));
      await tx.query('select from tocsin_private.evaluator_shard order by shard for update');
      await tx.query('select from tocsin_private.milestone order by name for update');
      await tx.query(`set local lock_timeout = 0; release savepoint before_locks`);
      return true;
    } catch (error) {
      const { code } = error as { code?: string };
      if (code !== LOCK_NOT_AVAILABLE && code !== DEADLOCK) throw error;
      // Rolling back also restores the role and the lock timeout.
      await tx.query('rollback to savepoint before_locks');
      return false;
    }
  }

  enableTriggers(): Promise<void> {
    return this.#turnTriggers('enable');
  }

  async #turnTriggers(to: 'enable' | 'disable'): Promise<void> {
    await this.asLogin(async () => {
      for (const table of this.#asleep) await this.#tx.query(`alter table ${table} ${to} trigger user`);
    });
  }

  /** Runs `work` as the login role, which owns the tables. */
  async asLogin<T>(work: () => Promise<T>): Promise<T> {
    await this.#tx.query('reset role');
    const result = await work();
    await this.#tx.query('set local role tocsin_service');
    return result;
  }
}

function quoted(name: string): string {
  return name
    .split('.')
    .map((part) => pg.escapeIdentifier(part))
    .join('.');
}
