import { setImmediate as immediate } from 'node:timers/promises';
import type { Log } from '../platform/log.ts';
import type { Job } from './job.ts';
import { cannotStore } from './refusals.ts';

export interface BatchQueueOptions {
  log: Log;
  /** Maximum number of parallel batches: several on PostgreSQL, one on the embedded database. */
  atOnce: number;
  /** Stores one batch. Rejects if the batch was not stored. */
  carry(jobs: readonly Job[]): Promise<void>;
}

/** Maximum number of deliveries in one batch. */
const MOST_JOBS = 2000;
/** Number of readings in a batch above which the batch accepts no further deliveries. */
const MOST_READINGS = 25_000;
/** Time that the first frame of a batch waits for further frames. */
const GATHER_MS = 3;
/** Minimum number of waiting readings for which another parallel batch is worth its cost. */
const WORTH_ANOTHER = 4000;
/** Maximum number of waiting deliveries. Beyond it, devices get the refusal `busy`. */
const MOST_WAITING = 20_000;
/**
 * SQLSTATEs after which a batch is retried once: class 40 (deadlock or serialization failure) and 0A000 (a cached query
 * plan that a migration has invalidated).
 */
const ROLLED_BACK = /^(40|0A000)/;
/** SQLSTATE classes 22 and 23, which mean that the data caused the error and not the database. */
const BAD_DATA = /^(22|23)/;

/** Groups deliveries into batches, runs them, and retries after failures. */
export class BatchQueue {
  readonly #options: BatchQueueOptions;
  readonly #running = new Set<Promise<void>>();
  /**
   * Sensors in running batches. Further frames of these sensors wait, because rules evaluate readings in order of
   * arrival.
   */
  readonly #busy = new Set<string>();
  #waiting: Job[] = [];
  #waitingReadings = 0;
  #beginning = false;

  constructor(options: BatchQueueOptions) {
    this.#options = options;
  }

  /** Number of deliveries that are not in a batch yet. */
  get waiting(): number {
    return this.#waiting.length;
  }

  get full(): boolean {
    return this.#waiting.length >= MOST_WAITING;
  }

  add(job: Job): void {
    this.#waiting.push(job);
    this.#waitingReadings += readingsOf(job);
    this.#begin();
  }

  /** Resolves when all added deliveries have been stored or refused. */
  async empty(): Promise<void> {
    while (this.#waiting.length + this.#running.size > 0) await Promise.race([...this.#running, immediate()]);
  }

  /**
   * Starts a batch after a short wait for more deliveries: a large batch needs no more round trips than a small one.
   * While a batch is running, starts another one only if enough readings are waiting.
   */
  #begin(): void {
    if (this.#beginning || this.#running.size >= this.#options.atOnce) return;
    if (this.#waiting.length === 0) return;
    const much = this.#waitingReadings >= WORTH_ANOTHER;
    if (this.#running.size > 0 && !much) return;
    this.#beginning = true;
    setTimeout(
      () => {
        this.#beginning = false;
        const jobs = this.#next();
        if (jobs.length === 0) return;
        const sensors = new Set(jobs.flatMap(sensorsOf));
        for (const uuid of sensors) this.#busy.add(uuid);
        const batch = this.#carry(jobs).finally(() => {
          this.#running.delete(batch);
          for (const uuid of sensors) this.#busy.delete(uuid);
          this.#begin();
        });
        this.#running.add(batch);
        this.#begin();
      },
      much ? 0 : GATHER_MS,
    );
  }

  #next(): Job[] {
    const taken: Job[] = [];
    const left: Job[] = [];
    const held = new Set(this.#busy);
    let readings = 0;
    for (const job of this.#waiting) {
      if (job.sequence?.stoppedBy) {
        this.#waitingReadings -= readingsOf(job);
        job.fail(job.sequence.stoppedBy);
        continue;
      }
      if (taken.length >= MOST_JOBS || readings >= MOST_READINGS) {
        left.push(job);
        continue;
      }
      const sensors = held.size > 0 ? sensorsOf(job) : [];
      if (sensors.some((uuid) => held.has(uuid))) {
        // Later deliveries of these sensors also wait, so that the deliveries of a sensor stay in order.
        for (const uuid of sensors) held.add(uuid);
        left.push(job);
        continue;
      }
      taken.push(job);
      readings += readingsOf(job);
    }
    this.#waiting = left;
    this.#waitingReadings -= readings;
    return taken;
  }

  async #carry(jobs: Job[], again = true): Promise<void> {
    try {
      await this.#options.carry(jobs);
      for (const job of jobs) job.settle();
    } catch (error) {
      await this.#afterFailure(jobs, error as Error & { code?: string }, again);
    }
  }

  /**
   * Retries a failed batch once if it was rolled back. If the data caused the error, stores each delivery separately,
   * so that one invalid frame does not block the others.
   */
  async #afterFailure(jobs: Job[], error: Error & { code?: string }, again: boolean): Promise<void> {
    const code = error.code ?? '';
    if (again && ROLLED_BACK.test(code)) return this.#carry(jobs, false);
    if (BAD_DATA.test(code) && jobs.length > 1) {
      for (const job of jobs) {
        if (job.sequence?.stoppedBy) job.fail(job.sequence.stoppedBy);
        else await this.#carry([job]);
      }
      return;
    }
    this.#options.log.error('frames could not be stored', { frames: jobs.length, error, stack: error.stack });
    for (const job of jobs) job.fail(cannotStore);
  }
}

function sensorsOf({ sensorDeliveries }: Job): string[] {
  return sensorDeliveries.map(({ sensor }) => sensor.uuid);
}

function readingsOf({ sensorDeliveries }: Job): number {
  let count = 0;
  for (const { mapped } of sensorDeliveries) count += mapped?.readings.keys.length ?? 0;
  return count;
}
