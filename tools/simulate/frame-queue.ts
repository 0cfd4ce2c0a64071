import { draw } from './chance.ts';
import type { Command, DeviceClient, Outcome } from './client.ts';

/** Counts of frames and attempts since the start. */
export interface Counts {
  /** Number of attempts to send a frame. */
  sent: number;
  accepted: number;
  /**
   * Number of frames that the server refused or that had no usable value, plus attempts while the device was barred.
   * Only HTTP reports unusable values.
   */
  refused: number;
  /** Number of failed attempts. The frame stays queued after a failed attempt. */
  failed: number;
  /** Number of frames that were dropped because the queue was full. */
  dropped: number;
  confirmed: number;
}

export const zeroCounts = (): Counts => ({ sent: 0, accepted: 0, refused: 0, failed: 0, dropped: 0, confirmed: 0 });

export interface QueuedFrame {
  body: Uint8Array;
  /** IDs of the commands that the frame confirms. */
  confirms: readonly number[];
}

/** Details of a frame that the server did not accept. */
export interface FailedFrame {
  because: string;
  /** True if the server refused the token, so retrying does not help. */
  badToken: boolean;
  /** True if the frame stays queued and is sent again. */
  again: boolean;
}

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 60_000;

/** Time to wait for the last response when the queue stops, in milliseconds. */
const LAST_ANSWER_MS = 2000;

/**
 * Returns the delay before the next attempt, in milliseconds, after a number of consecutive failures. The key gives
 * every device a different jitter.
 */
export function backoff(failures: number, key: number): number {
  const most = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(failures - 1, 10));
  return Math.round(most * (0.5 + 0.5 * draw(key, 'backoff', failures)));
}

export interface FrameQueueOptions {
  client: DeviceClient;
  counts: Counts;
  key: number;
  /** Maximum number of queued frames. When the queue is full, the oldest frame is dropped. */
  limit?: number;
  onCommand(command: Command): void;
  onRefusal?(failure: FailedFrame): void;
}

/** Sends frames in order, one at a time. A failed frame stays at the head of the queue. */
export class FrameQueue {
  readonly waiting: QueuedFrame[] = [];
  readonly #options: FrameQueueOptions;
  readonly #limit: number;
  #failures = 0;
  #running: Promise<void> | undefined;
  #wake: (() => void) | undefined;
  #stopped = false;

  constructor(options: FrameQueueOptions) {
    this.#options = options;
    this.#limit = options.limit ?? 500;
  }

  add(frame: QueuedFrame): void {
    this.waiting.push(frame);
    if (this.waiting.length > this.#limit) {
      // Drops the second frame instead of the first one while the first one is being sent.
      this.waiting.splice(this.#running ? 1 : 0, 1);
      this.#options.counts.dropped += 1;
    }
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  /** Resolves when the queue is empty. */
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
    await this.#options.client.close();
    await this.#running;
  }

  async #run(): Promise<void> {
    for (let frame = this.waiting[0]; frame && !this.#stopped; frame = this.waiting[0]) {
      this.#options.counts.sent += 1;
      const outcome = await this.#options.client.send(frame.body);
      this.#count(outcome, frame);
      if (outcome.kind === 'accepted' || outcome.kind === 'refused') {
        this.#failures = 0;
        this.waiting.splice(this.waiting.indexOf(frame), 1);
      } else if (!this.#stopped) {
        this.#failures += 1;
        const asked = outcome.kind === 'failed' ? (outcome.waitMs ?? 0) : LONGEST_WAIT_MS;
        await this.#pause(Math.max(asked, backoff(this.#failures, this.#options.key)));
      }
    }
  }

  #count(outcome: Outcome, frame: QueuedFrame): void {
    const { counts, onCommand, onRefusal } = this.#options;
    if (outcome.kind === 'accepted') {
      counts[outcome.useless === undefined ? 'accepted' : 'refused'] += 1;
      if (outcome.useless !== undefined) onRefusal?.({ because: outcome.useless, badToken: false, again: false });
      counts.confirmed += frame.confirms.length;
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
