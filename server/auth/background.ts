import type { Log } from '../platform/log.ts';

/**
 * Maximum number of pending tasks. More tasks usually mean that the mail server hangs, so further tasks are dropped.
 */
const MOST_AT_ONCE = 200;

/** Runs work after the response is sent. Otherwise the response time would reveal whether an account exists. */
export class Background {
  readonly #log: Log;
  readonly #running = new Set<Promise<void>>();

  constructor(log: Log) {
    this.#log = log;
  }

  start(what: string, work: () => Promise<void>): void {
    if (this.#running.size >= MOST_AT_ONCE) {
      this.#log.warn(`${what}: skipped, because too many tasks are pending`);
      return;
    }
    const running: Promise<void> = work()
      .catch((error) => this.#log.error(`${what}: failed`, { error }))
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  /** Resolves when all work has ended. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }
}
