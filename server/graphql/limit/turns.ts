import { setTimeout as pause, setImmediate as turnOfTheLoop } from 'node:timers/promises';

/** Minimum time between two long tasks, in which other work can run. */
const LEAST_PAUSE_MS = 10;
/** Number of event loop turns that a device's request may need. */
const TURNS = 5;

/**
 * Runs long synchronous tasks one at a time. After each task, the event loop serves other work for as long as the task
 * took, so a device waits for at most one task.
 */
export class Turns {
  #last: Promise<void> = Promise.resolve();

  /** Resolves when the task may start. The task must start immediately and end in the same turn of the event loop. */
  next(): Promise<void> {
    const turn = this.#last;
    this.#last = turn.then(async () => {
      const began = performance.now();
      await turnOfTheLoop();
      await pause(Math.max(LEAST_PAUSE_MS, performance.now() - began));
      // If the machine suspended the process, the pause can be over before other work had a turn.
      for (let turn = 0; turn < TURNS; turn += 1) await turnOfTheLoop();
    });
    return turn;
  }
}

/** Schedules the planning of large queries and the processing of large results. */
export const longWork = new Turns();
