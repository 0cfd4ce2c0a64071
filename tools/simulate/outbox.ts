import { draw } from './chance.ts';
import type { Command, Outcome, Speaker } from './speaker.ts';

/** What was done with frames since the start. */
export interface Counts {
  /** Frames handed to a door, each time. */
  sent: number;
  accepted: number;
  /** The server said no, or could use none of its values, which only HTTP answers. */
  refused: number;
  /** Nobody took it; it is kept and sent again. */
  failed: number;
  /** Thrown away because too many waited. */
  dropped: number;
  confirmed: number;
}

export const noCounts = (): Counts => ({ sent: 0, accepted: 0, refused: 0, failed: 0, dropped: 0, confirmed: 0 });

export interface Letter {
  body: Uint8Array;
  /** The commands it confirms. */
  confirms: readonly number[];
}

/** Why a frame gave nothing. */
export interface NotTaken {
  because: string;
  /** The token is refused, which no waiting mends. */
  badToken: boolean;
  /** Whether it stays in line and is sent again. */
  again: boolean;
}

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 60_000;

/** How long the answer to the last frame is waited for at the end. */
const LAST_ANSWER_MS = 2000;

/** How long to wait after so many failures in a row. The key keeps devices that failed together from returning together. */
export function backoff(failures: number, key: number): number {
  const most = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(failures - 1, 10));
  return Math.round(most * (0.5 + 0.5 * draw(key, 'backoff', failures)));
}

export interface OutboxOptions {
  speaker: Speaker;
  counts: Counts;
  key: number;
  /** How many frames are kept for later; the oldest give way. */
  limit?: number;
  onCommand(command: Command): void;
  onRefusal?(notTaken: NotTaken): void;
}

/** Frames on their way to a door, in order, one at a time. What could not be delivered stays first in line. */
export class Outbox {
  readonly waiting: Letter[] = [];
  readonly #options: OutboxOptions;
  readonly #limit: number;
  #failures = 0;
  #running: Promise<void> | undefined;
  #wake: (() => void) | undefined;
  #stopped = false;

  constructor(options: OutboxOptions) {
    this.#options = options;
    this.#limit = options.limit ?? 500;
  }

  add(letter: Letter): void {
    this.waiting.push(letter);
    if (this.waiting.length > this.#limit) {
      // The first one may be on its way.
      this.waiting.splice(this.#running ? 1 : 0, 1);
      this.#options.counts.dropped += 1;
    }
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  /** When everything is delivered. */
  async drained(): Promise<void> {
    await this.#running;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#wake?.();
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, LAST_ANSWER_MS);
    });
    await Promise.race([this.#running, patience]);
    clearTimeout(timer);
    await this.#options.speaker.close();
    await this.#running;
  }

  async #run(): Promise<void> {
    for (let letter = this.waiting[0]; letter && !this.#stopped; letter = this.waiting[0]) {
      this.#options.counts.sent += 1;
      const outcome = await this.#options.speaker.send(letter.body);
      this.#count(outcome, letter);
      if (outcome.kind === 'accepted' || outcome.kind === 'refused') {
        this.#failures = 0;
        this.waiting.splice(this.waiting.indexOf(letter), 1);
      } else if (!this.#stopped) {
        this.#failures += 1;
        const asked = outcome.kind === 'failed' ? (outcome.waitMs ?? 0) : LONGEST_WAIT_MS;
        await this.#pause(Math.max(asked, backoff(this.#failures, this.#options.key)));
      }
    }
  }

  #count(outcome: Outcome, letter: Letter): void {
    const { counts, onCommand, onRefusal } = this.#options;
    if (outcome.kind === 'accepted') {
      counts[outcome.useless === undefined ? 'accepted' : 'refused'] += 1;
      if (outcome.useless !== undefined) onRefusal?.({ because: outcome.useless, badToken: false, again: false });
      counts.confirmed += letter.confirms.length;
      outcome.commands.forEach(onCommand);
      return;
    }
    if (!this.#stopped) {
      counts[outcome.kind === 'failed' ? 'failed' : 'refused'] += 1;
      onRefusal?.({
        because: outcome.because,
        badToken: outcome.kind === 'barred' && outcome.badToken,
        again: outcome.kind !== 'refused',
      });
    }
  }

  #pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
