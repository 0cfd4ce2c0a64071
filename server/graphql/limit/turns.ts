import { setTimeout as pause, setImmediate as turnOfTheLoop } from 'node:timers/promises';

/** Shortest time for other work between two pieces of long work. */
const LEAST_PAUSE_MS = 10;

/**
 * Lets long synchronous work begin one at a time. Between two pieces the event loop serves other work for as long as the
 * piece before took, so that a device waits for one piece at most.
 */
export class Turns {
  #last: Promise<void> = Promise.resolve();

  /** Resolves when the work may begin. The work must begin at once, and end in the same turn of the event loop. */
  next(): Promise<void> {
    const turn = this.#last;
    this.#last = turn.then(async () => {
      const began = performance.now();
      await turnOfTheLoop();
      await pause(Math.max(LEAST_PAUSE_MS, performance.now() - began));
    });
    return turn;
  }
}

/** Planning large queries and handling large results. */
export const longWork = new Turns();
