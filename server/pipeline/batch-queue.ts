import { setImmediate as immediate } from 'node:timers/promises';
import type { Log } from '../platform/log.ts';
import type { Job } from './job.ts';
import { cannotStore } from './refusals.ts';

export interface BatchQueueOptions {
  log: Log;
  /** How many batches may be under way: a server has several hands, the embedded database has one. */
  atOnce: number;
  /** Carries one batch; rejects when nothing of it was kept. */
  carry(jobs: readonly Job[]): Promise<void>;
}

/** A batch takes what has come in while the one before it was carried out, up to so much. */
const MOST_JOBS = 2000;
const MOST_READINGS = 25_000;
/** How long the first frame of a batch waits for others. */
const GATHER_MS = 3;
/** A second batch beside the first is worth its cost only for this many readings. */
const WORTH_ANOTHER = 4000;
/** Beyond this much waiting, devices are told to come back. */
const MOST_WAITING = 20_000;
/** Two batches that waited for each other: the one that gave way is carried again. */
const GAVE_WAY = /^40/;
/** What the database cannot take because of what it is, not because of how the database is. */
const OF_THE_DATA = /^(22|23)/;

/** Makes batches of what comes in, and sees each of them through. */
export class BatchQueue {
  readonly #options: BatchQueueOptions;
  readonly #running = new Set<Promise<void>>();
  /** Sensors whose frames are under way. Readings are judged in the order they came, so the next ones of theirs wait. */
  readonly #busy = new Set<string>();
  #waiting: Job[] = [];
  #waitingReadings = 0;
  #beginning = false;

  constructor(options: BatchQueueOptions) {
    this.#options = options;
  }

  get full(): boolean {
    return this.#waiting.length >= MOST_WAITING;
  }

  add(job: Job): void {
    this.#waiting.push(job);
    this.#waitingReadings += readingsOf(job);
    this.#begin();
  }

  /** Resolves when everything that was added has been carried out. */
  async empty(): Promise<void> {
    while (this.#waiting.length + this.#running.size > 0) await Promise.race([...this.#running, immediate()]);
  }

  /**
   * What comes in within a moment goes together: a batch costs the same few messages to the database however much is in
   * it. What comes while batches are under way waits for one to end, unless it is worth another one beside it.
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
      if (taken.length >= MOST_JOBS || readings >= MOST_READINGS) {
        left.push(job);
        continue;
      }
      const sensors = held.size > 0 ? sensorsOf(job) : [];
      if (sensors.some((uuid) => held.has(uuid))) {
        // Whatever comes after it from the same sensors stays behind it.
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

  /** One frame that the database refuses must not keep the others out, so each is then tried by itself. */
  async #afterFailure(jobs: Job[], error: Error & { code?: string }, again: boolean): Promise<void> {
    const code = error.code ?? '';
    if (again && GAVE_WAY.test(code)) return this.#carry(jobs, false);
    if (OF_THE_DATA.test(code) && jobs.length > 1) {
      for (const job of jobs) await this.#carry([job]);
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
