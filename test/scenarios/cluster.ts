/** Several processes that receive readings and share one database. */
import { randomUUID } from 'node:crypto';
import { alarmWork } from '../../server/engine/alarm-work.ts';
import { debounce } from '../../server/engine/debounce.ts';
import { LiveHub } from '../../server/live/hub.ts';
import { Evaluator } from '../../server/pipeline/evaluator.ts';
import type { Answer } from '../../server/pipeline/intake.ts';
import { Pipeline, type PipelineOptions } from '../../server/pipeline/pipeline.ts';
import { type Clock, HandClock } from '../../server/platform/clock.ts';
import type { Database } from '../../server/platform/database.ts';
import { silentLog } from '../../server/platform/log.ts';
import { openAgain, openTestDatabase } from '../harness/database/database.ts';
import { TEST_BEGINS } from '../harness/database/embedded.ts';
import { serviceQuery } from '../harness/database/factories.ts';
import type { TestSensor } from '../harness/device/devices.ts';

export const SECOND = 1000;

export interface Process {
  db: Database;
  evaluator: Evaluator;
  pipeline: Pipeline;
}

/** Processes with the roles `gateway` and `evaluator`. No timers run; the test starts all periodic work. */
export class Cluster {
  readonly db: Database;
  readonly clock: HandClock;
  readonly processes: Process[] = [];
  readonly #more: Partial<PipelineOptions>;

  private constructor(db: Database, more: Partial<PipelineOptions>) {
    this.db = db;
    this.clock = new HandClock(TEST_BEGINS);
    this.#more = more;
  }

  static async start(count: number, more: Partial<PipelineOptions> = {}): Promise<Cluster> {
    const cluster = new Cluster(await openTestDatabase(), more);
    for (let number = 0; number < count; number += 1) {
      cluster.processes.push(await cluster.#start(await openAgain(cluster.db)));
    }
    return cluster;
  }

  /** Returns a process by its number. Numbers beyond the last process start again at the first one. */
  process(number: number): Process {
    return this.processes[number % this.processes.length] as Process;
  }

  /**
   * Replaces a process with a new one. The old process never flushes its write-behind. Other processes may immediately
   * write the values that it left unwritten.
   */
  async kill(number: number): Promise<void> {
    const index = number % this.processes.length;
    const { db, pipeline } = this.process(index);
    await serviceQuery(
      this.db,
      "update tocsin_private.write_behind set touched_at = touched_at - interval '1 minute' where process = $1",
      [pipeline.process],
    );
    this.processes[index] = await this.#start(db);
  }

  async #start(db: Database, clock: Clock = this.clock): Promise<Process> {
    const evaluator = new Evaluator();
    const pipeline = await Pipeline.start({
      db,
      clock,
      evaluator,
      log: silentLog,
      live: new LiveHub(),
      flood: { perSecond: 1000, burst: 10_000 },
      commandRetryMs: 60 * SECOND,
      keepReadingsMs: 400 * 86_400_000,
      timers: false,
      ...this.#more,
    });
    return { db, evaluator, pipeline };
  }

  /** Adds a process with its own clock. */
  async add(clock: Clock): Promise<Process> {
    const process = await this.#start(await openAgain(this.db), clock);
    this.processes.push(process);
    return process;
  }

  /** Runs all work of a process that is due, because a debounce has ended or a rule has changed. */
  async tick(number: number): Promise<void> {
    const { db, evaluator } = this.process(number);
    for (const module of [debounce, alarmWork]) {
      await module({ db, clock: this.clock, evaluator }).tick(this.clock.now());
    }
  }

  /** Waits until every process has received the notifications of all committed changes to sensors. */
  async notified(): Promise<void> {
    const marker = randomUUID();
    const received = this.processes.map(({ pipeline }) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const stop = pipeline.onDeviceChange((uuid) => uuid === marker && resolve());
      return promise.finally(stop);
    });
    // The database delivers notifications in the order of their commits, so the marker arrives after all earlier
    // notifications.
    await serviceQuery(this.db, "select pg_notify('tocsin_device', $1)", [marker]);
    await Promise.all(received);
  }

  async flush(): Promise<void> {
    for (const { pipeline } of this.processes) await pipeline.behind.flush();
  }

  async close(): Promise<void> {
    for (const { pipeline } of this.processes) await pipeline.close();
    for (const { db } of this.processes) await db.close();
    await this.db.close();
  }
}

/** Sends a frame through a process and returns the process's response. */
export async function send({ pipeline }: Process, sensor: TestSensor, frame: unknown): Promise<Answer> {
  const device = await pipeline.identify(sensor.uid, sensor.token);
  if (!device.ok) throw new Error(device.sentence);
  return pipeline.receive(device, { protocol: 'http', body: Buffer.from(JSON.stringify(frame)) });
}
