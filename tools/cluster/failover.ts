/**
 * Promotes the standby when the primary fails, as Patroni does in production. This works only on a single machine,
 * where a killed server is certainly down. On several machines, the nodes must vote.
 */
import { createServer, type Server } from 'node:http';
import { other, type PostgresPair, type ServerName } from '../../test/harness/database/postgres-pair.ts';

const TICK_MS = 500;
/** After this number of unanswered checks, the primary is considered hung and is killed. */
const UNANSWERED = 4;
/**
 * Number of checks before a failed server is rebuilt as a standby. In the meantime, a person can observe how the
 * cluster works without the server.
 */
const REBUILD_TICKS = 20;

export interface FailoverOptions {
  pair: PostgresPair;
  /** Ports on which the response to `OPTIONS /primary` states whether the server is the primary. */
  checkPorts: Record<ServerName, number>;
  say(text: string): void;
  /** False if failed servers are not rebuilt. */
  rebuild?: boolean;
}

export class Failover {
  primary: ServerName = 'one';
  /**
   * True while the standby has every confirmed commit, so that it may be promoted. Becomes false before commits stop
   * waiting for the standby, and true only after they wait for it again.
   */
  standbyIsComplete = false;
  readonly #options: FailoverOptions;
  readonly #servers: Server[] = [];
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #closed = false;
  #unanswered = 0;
  #deadTicks = 0;
  #commitsWait = false;
  #mustReach: string | undefined;

  constructor(options: FailoverOptions) {
    this.#options = options;
  }

  /** Starts the checks. Resolves when the standby is complete. */
  async start(): Promise<void> {
    const { checkPorts, pair } = this.#options;
    for (const name of ['one', 'two'] as const) {
      const server = createServer((request, response) => {
        const isPrimary = request.url === '/primary' && name === this.primary && pair.isRunning(name);
        response.writeHead(isPrimary ? 200 : 503).end();
      });
      await new Promise<void>((resolve) => server.listen(checkPorts[name], '127.0.0.1', resolve));
      this.#servers.push(server);
    }
    while (!this.standbyIsComplete) {
      await this.#tick();
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    this.#timer = setInterval(() => {
      this.#running ??= this.#tick()
        .catch((error: Error) => {
          if (!this.#closed) this.#options.say(`PostgreSQL: ${error.message}`);
        })
        .finally(() => {
          this.#running = undefined;
        });
    }, TICK_MS);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    await this.#running;
    for (const server of this.#servers) {
      server.closeAllConnections();
      server.close();
    }
  }

  async #tick(): Promise<void> {
    const { pair } = this.#options;
    if (!pair.isRunning(this.primary)) return this.#replacePrimary();
    if (!(await this.#answers())) return;
    const standby = other(this.primary);
    if (this.standbyIsComplete) {
      const attached = await pair.ask(
        this.primary,
        `select from pg_stat_replication where application_name = '${standby}' and sync_state = 'sync'`,
      );
      if (attached.length === 0) await this.#leaveStandby();
      return;
    }
    if (pair.isRunning(standby)) await this.#takeStandbyBack();
    else await this.#rebuild(standby);
  }

  /**
   * Returns whether the primary responds. After several unanswered checks, kills the primary and promotes the standby.
   */
  async #answers(): Promise<boolean> {
    try {
      await this.#options.pair.ask(this.primary, 'select 1', 1000);
      this.#unanswered = 0;
      return true;
    } catch (error) {
      this.#unanswered += 1;
      // Error 53300 means that all connections are in use, so the server is running.
      if ((error as { code?: string }).code === '53300') this.#unanswered = 0;
      if (this.#unanswered < UNANSWERED) return false;
      this.#options.say(`PostgreSQL ${this.primary} is not responding. It is killed before the standby replaces it.`);
      this.#unanswered = 0;
      await this.#options.pair.kill(this.primary);
      await this.#replacePrimary();
      return false;
    }
  }

  async #replacePrimary(): Promise<void> {
    const { pair, say } = this.#options;
    const standby = other(this.primary);
    if (!this.standbyIsComplete || !pair.isRunning(standby)) {
      say(`PostgreSQL ${this.primary} is being restarted, because only this server has every commit.`);
      await pair.begin(this.primary);
      return;
    }
    say(`PostgreSQL ${this.primary} is gone: ${standby} is promoted.`);
    await pair.promote(standby);
    this.#forgetStandby();
    await pair.setSynchronous(standby, false);
    this.primary = standby;
    say(`PostgreSQL ${standby} (pid ${pair.pid(standby)}) is the primary now.`);
  }

  #forgetStandby(): void {
    this.standbyIsComplete = false;
    this.#commitsWait = false;
    this.#mustReach = undefined;
    this.#deadTicks = 0;
  }

  async #leaveStandby(): Promise<void> {
    const { pair, say } = this.#options;
    this.#forgetStandby();
    await pair.setSynchronous(this.primary, false);
    say(`PostgreSQL ${other(this.primary)} is gone: ${this.primary} continues alone.`);
  }

  /**
   * Makes commits wait for the standby as soon as it streams changes. The standby is complete when it has reached a WAL
   * position that the primary wrote after commits had begun to wait.
   */
  async #takeStandbyBack(): Promise<void> {
    const { pair, say } = this.#options;
    const standby = other(this.primary);
    const [row] = await pair.ask<{ sync: boolean; now: string; reached: boolean }>(
      this.primary,
      `select sync_state = 'sync' as sync, pg_current_wal_flush_lsn()::text as now,
         coalesce(flush_lsn >= '${this.#mustReach ?? 'FFFFFFFF/FFFFFFFF'}'::pg_lsn, false) as reached
       from pg_stat_replication where application_name = '${standby}' and state = 'streaming'`,
    );
    if (!row) {
      if (this.#commitsWait) await pair.setSynchronous(this.primary, false);
      this.#commitsWait = false;
      this.#mustReach = undefined;
      return this.#rebuild(standby);
    }
    this.#deadTicks = 0;
    if (!this.#commitsWait) {
      await pair.setSynchronous(this.primary, true);
      this.#commitsWait = true;
    } else if (!row.sync) {
      this.#mustReach = undefined;
    } else if (row.reached) {
      this.standbyIsComplete = true;
      say(`PostgreSQL ${standby} (pid ${pair.pid(standby)}) is a synchronous standby of ${this.primary}.`);
    } else {
      this.#mustReach ??= row.now;
    }
  }

  async #rebuild(standby: ServerName): Promise<void> {
    const { pair, say, rebuild = true } = this.#options;
    this.#deadTicks += 1;
    if (!rebuild || this.#deadTicks < REBUILD_TICKS) return;
    this.#deadTicks = 0;
    say(`PostgreSQL ${standby} is being rebuilt from a copy of ${this.primary}.`);
    await pair.makeStandby(standby);
  }
}
