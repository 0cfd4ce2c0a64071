import { Worker } from 'node:worker_threads';
import type { Log } from '../log.ts';
import type { DumpCompression, FromWorker, ToWorker, WorkerSettings } from './wire.ts';

/** Callbacks of a request to the database thread. */
export interface Pending {
  settle(reply: Uint8Array<ArrayBuffer>): void;
  fail(error: Error): void;
}

export interface EngineOptions {
  settings: WorkerSettings;
  /** Time limit for one query. If a query exceeds it, the thread is stopped and started again. */
  limitMs: number;
  log: Log;
  /** Called before every start of the thread, to prepare the folder. */
  beforeStart(): unknown;
  /** Called when the thread has opened the database. */
  afterStart(): unknown;
  /** Called after `afterStart`, except at the first start. */
  afterRestart(): void;
}

/**
 * Time limit for a start, in case the disk does not respond. After a kill, recovery takes about ten seconds if the
 * write-ahead log is long.
 */
const START_LIMIT_MS = 300_000;

/** Creates an error in PostgreSQL's format, for failures of the whole database. */
function databaseError(code: string, message: string): Error {
  return Object.assign(new Error(message), { code, severity: 'FATAL' });
}

/**
 * Manages the database thread: starts it on demand, sends messages in order, and stops it if a query exceeds the time
 * limit. A stop loses no committed data.
 */
export class EmbeddedEngine {
  readonly #options: EngineOptions;
  #worker: Worker | undefined;
  #starting: Promise<void> | undefined;
  #stopping: Promise<unknown> = Promise.resolve();
  #pending: Pending[] = [];
  #timer: NodeJS.Timeout | undefined;
  #end: Error | undefined;
  /** Number of times the thread was started. If the number has changed, the database session was lost. */
  starts = 0;
  limitMs: number;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.limitMs = options.limitMs;
  }

  /**
   * Waits until the thread accepts requests. Concurrent calls share one start. After a failed start, the next call
   * tries again.
   */
  ready(): Promise<void> {
    if (this.#end) return Promise.reject(this.#end);
    if (this.#worker && !this.#starting) return Promise.resolve();
    this.#starting ??= this.#start().finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  exchange(bytes: Uint8Array<ArrayBuffer>, pending: Pending): void {
    this.#ask({ kind: 'wire', bytes }, pending);
  }

  dump(compression: DumpCompression): Promise<Uint8Array<ArrayBuffer>> {
    return new Promise((settle, fail) => this.#ask({ kind: 'dump', compression }, { settle, fail }));
  }

  /** Closes the database and ends the thread. Later requests fail. */
  async close(): Promise<void> {
    if (this.#worker && !this.#starting) {
      // If the database fails to close, the thread is killed. No committed data is lost.
      await new Promise<unknown>((settle) => this.#ask({ kind: 'close' }, { settle, fail: settle }));
    }
    this.destroy(databaseError('57P01', 'The embedded database is closed.'));
    await this.#stopping;
  }

  /** Stops the thread permanently. All current and later queries fail with this error. */
  destroy(error: Error): void {
    this.#end ??= error;
    this.#stop(error);
  }

  async #start(): Promise<void> {
    // The previous thread must end first: two threads that use the same folder would corrupt the database.
    await this.#stopping;
    if (this.#end) throw this.#end;
    this.#options.beforeStart();
    const worker = new Worker(new URL('./worker.ts', import.meta.url), {
      workerData: this.#options.settings,
      execArgv: [],
    });
    this.#worker = worker;
    await new Promise<void>((resolve, reject) => {
      const fail = (error: Error) => {
        reject(error);
        if (this.#worker === worker) this.#stop(error);
      };
      const timer = setTimeout(() => fail(new Error('it did not open in time')), START_LIMIT_MS);
      worker.on('message', (message: FromWorker) => {
        if (message.kind === 'ready') {
          clearTimeout(timer);
          resolve();
        } else if (message.kind === 'failed') {
          fail(databaseError('57P02', message.message));
        } else {
          this.#settle('bytes' in message ? message.bytes : new Uint8Array(0));
        }
      });
      worker.on('error', (error) => fail(databaseError('57P02', `The embedded database crashed: ${error.message}`)));
      worker.on('exit', () => {
        clearTimeout(timer);
        fail(databaseError('57P02', 'The embedded database stopped unexpectedly.'));
      });
    });
    this.starts += 1;
    this.#options.afterStart();
    if (this.starts > 1) this.#options.afterRestart();
  }

  #ask(message: ToWorker, pending: Pending): void {
    if (!this.#worker) {
      pending.fail(this.#end ?? databaseError('08006', 'The connection to the embedded database was lost.'));
      return;
    }
    this.#pending.push(pending);
    if (this.#pending.length === 1) this.#watch();
    this.#worker.postMessage(message, 'bytes' in message ? [message.bytes.buffer] : []);
  }

  #settle(reply: Uint8Array<ArrayBuffer>): void {
    clearTimeout(this.#timer);
    const pending = this.#pending.shift();
    if (this.#pending.length > 0) this.#watch();
    pending?.settle(reply);
  }

  /** Starts a timer for the current message, because the embedded database has no statement timeout. */
  #watch(): void {
    const limit = this.limitMs;
    this.#timer = setTimeout(() => {
      this.#options.log.warn('a query ran too long; the embedded database restarts', { limitMs: limit });
      this.#stop(databaseError('57014', `The query was stopped because it ran longer than ${limit / 1000} s.`));
    }, limit);
  }

  #stop(error: Error): void {
    clearTimeout(this.#timer);
    const worker = this.#worker;
    this.#worker = undefined;
    if (worker) this.#stopping = worker.terminate();
    for (const pending of this.#pending.splice(0)) pending.fail(error);
    if (this.#options.settings.folder === null && worker) {
      this.#end ??= databaseError(
        '57P02',
        'The embedded database was stopped. It was in memory only, so its data is lost.',
      );
    }
    // Restarts the thread immediately, so that the next query does not have to wait. If the restart fails, the next
    // query reports the error.
    if (worker && !this.#end && !this.#starting) this.ready().catch(() => {});
  }
}
