import type { Log } from '../platform/log.ts';

/**
 * Maximum number of pending tasks. Above it, new tasks are dropped: so many tasks usually mean that the mail server
 * hangs.
 */
const MOST_AT_ONCE = 200;

/** Runs work after the response is sent, so that the response time does not reveal whether an account exists. */
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

  /** Resolves when all tasks have ended. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }
}
