import { isClockApart } from '../../domain/process/clock-agreement.ts';
import { serviceAccess } from '../access.ts';
import type { Clock } from '../platform/clock.ts';
import { type Database, within } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';
import type { LoadMeter } from './load.ts';
import type { Readiness } from './readiness.ts';
import {
  MISSING_AFTER_MS,
  type ProcessIdentity,
  type ProcessState,
  runningProcesses,
  writeHeartbeat,
} from './record.ts';

/** Interval between two heartbeats. */
const EVERY_MS = 2000;
/** Maximum wait for the last heartbeat when the process stops. */
const CLOSE_MS = 1000;

export interface HeartbeatOptions {
  db: Database;
  clock: Clock;
  log: Log;
  identity: ProcessIdentity;
  readiness: Readiness;
  load: LoadMeter;
}

/** Reports to the other processes that this process is running, and checks whether its clock agrees with theirs. */
export class ProcessHeartbeat {
  readonly #options: HeartbeatOptions;
  #timer: NodeJS.Timeout | undefined;
  #state: ProcessState = 'starting';
  #name: string;
  #httpAddress = '';
  #offsetMs = 0;
  /** Number of consecutive heartbeats at which this process's clock differed from the clocks of the other processes. */
  #apartTimes = 0;
  #isClockApart = false;
  #beating: Promise<void> | undefined;
  #wroteAt = 0;
  /** Start of the time in which this process has written heartbeats without interruption. */
  #steadySince = 0;
  #schemaProblem: string | undefined;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
    this.#name = options.identity.name;
    options.readiness.require('clock', () => this.#clockProblem());
    options.readiness.require('heartbeat', () => this.#heartbeatProblem());
    options.readiness.require('schema', () => this.#schemaProblem);
  }

  /** Begins to write heartbeats on a timer. With `timers` false, tests call `beat` instead. */
  start(timers: boolean): void {
    this.#wroteAt = this.#options.clock.now().getTime();
    this.#steadySince = this.#wroteAt;
    if (timers) this.#timer = setInterval(() => void this.beat(), EVERY_MS).unref();
  }

  get state(): ProcessState {
    return this.#state;
  }

  /** Number of seconds for which this process has written heartbeats without interruption. */
  get steadySeconds(): number {
    return (this.#wroteAt - this.#steadySince) / 1000;
  }

  /** True while this process must not do work that depends on the clock, because its clock differs from the others. */
  get isClockApart(): boolean {
    return this.#isClockApart;
  }

  /** Marks the process as ready, and stores its name and address. */
  async ready(address: { name: string; httpAddress: string }): Promise<void> {
    this.#state = 'ready';
    this.#name = address.name;
    this.#httpAddress = address.httpAddress;
    await this.beat();
  }

  /** Marks the process as draining. Does not wait for the database. */
  drain(): void {
    this.#state = 'draining';
    void this.beat();
  }

  /** Writes a heartbeat. If another heartbeat is being written, waits for it first. Never throws. */
  async beat(): Promise<void> {
    await this.#beating;
    this.#beating ??= this.#write()
      .catch((error: Error) => {
        // If heartbeats have failed for `MISSING_AFTER_MS`, the readiness check already reports it, so it is not logged
        // again.
        if (this.#heartbeatProblem()) return;
        this.#options.log.warn('a heartbeat could not be written', { error });
      })
      .finally(() => {
        this.#beating = undefined;
      });
    await this.#beating;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#options.load.close();
    this.#state = 'stopped';
    await within(this.beat(), CLOSE_MS, () => undefined);
  }

  async #write(): Promise<void> {
    const { db, clock, identity, readiness, load } = this.#options;
    const [checks, measured] = [await readiness.check(), await load.measure()];
    await db.transaction(serviceAccess(clock), async (tx) => {
      const asked = clock.now().getTime();
      const { rows } = await tx.query<{ time: Date; schema: string }>(
        `select tocsin_private.lease_clock() as time,
           (select i.value #>> '{}' from tocsin_private.installation i where i.name = 'schema') as schema`,
      );
      const answered = clock.now().getTime();
      const { time, schema } = rows[0] as { time: Date; schema: string };
      const database = time.getTime();
      this.#schemaProblem =
        schema >= identity.schemaVersion
          ? undefined
          : `The database has the schema ${schema}, and this version needs ${identity.schemaVersion}. Restart Tocsin to migrate it.`;
      // The offset is 0 if the database's time lies between the times of the request and the response.
      this.#offsetMs = Math.min(Math.max(database, asked), answered) - database;
      this.#compare((await runningProcesses(tx, identity.uuid)).map(({ clockOffsetMs }) => clockOffsetMs));
      await writeHeartbeat(tx, identity, {
        ...{ name: this.#name, httpAddress: this.#httpAddress, state: this.#state },
        ...{ clockOffsetMs: this.#offsetMs, isClockApart: this.#isClockApart, checks, load: measured },
      });
    });
    const now = clock.now().getTime();
    if (now - this.#wroteAt > MISSING_AFTER_MS) this.#steadySince = now;
    this.#wroteAt = now;
  }

  /**
   * Compares this process's clock with those of the other processes. Clock-driven work stops only if the clocks differ
   * at two consecutive heartbeats: after a step of the database's clock, the stored offsets of other processes are
   * wrong until their next heartbeat.
   */
  #compare(others: readonly number[]): void {
    const wasApart = this.#isClockApart;
    const isApart = isClockApart({ own: this.#offsetMs, others, wasApart });
    this.#apartTimes = isApart ? this.#apartTimes + 1 : 0;
    this.#isClockApart = wasApart ? isApart : this.#apartTimes >= 2;
    if (this.#isClockApart === wasApart) return;
    const seconds = this.#offsetMs / 1000;
    const { log } = this.#options;
    if (wasApart)
      log.warn("this process's clock agrees with the others again: clock-driven work continues", { seconds });
    else log.error(`${CLOCK_APART}. Check the time synchronisation of this machine`, { seconds });
  }

  #clockProblem(): string | undefined {
    if (!this.#isClockApart) return undefined;
    return `${CLOCK_APART}. The clock is ${Math.abs(this.#offsetMs / 1000)} s ${this.#offsetMs > 0 ? 'ahead of' : 'behind'} the database.`;
  }

  #heartbeatProblem(): string | undefined {
    const silentMs = this.#options.clock.now().getTime() - this.#wroteAt;
    if (!this.#timer || silentMs <= MISSING_AFTER_MS) return undefined;
    return `No heartbeat has been stored for ${Math.round(silentMs / 1000)} s.`;
  }
}

const CLOCK_APART =
  'The clock of this process differs from the clocks of the database and other processes, so the process sends nothing and evaluates no deadlines';
