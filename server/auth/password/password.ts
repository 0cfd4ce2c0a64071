import { setTimeout as delay } from 'node:timers/promises';
import { hash, verify as verifyHash } from '@node-rs/argon2';
import { randomToken } from '../../platform/clock.ts';
import { HttpRefusal } from '../errors.ts';

/** Number of the algorithm argon2id. The package exports it only in a const enum, which cannot be imported. */
const ARGON2ID = 2;
const COST = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Hashes a password outside of requests, for example for the demo. Requests use the queue of `createPasswords`. */
export function hashPassword(password: string): Promise<string> {
  return hash(sameSpelling(password), COST);
}

/** Maximum number of concurrent hashes, so that a flood of sign-ins does not use all cores. */
const AT_ONCE = 2;
const LONGEST_QUEUE = 100;
/**
 * An attempt that must wait for running attempts joins the queue again after this delay. A password check takes about
 * as long.
 */
const TURN_AGAIN_MS = 50;

/** Hash that no password matches. Verified instead of a missing hash, so that the check takes the same time. */
let unmatchedHash: Promise<string> | undefined;

export interface Passwords {
  hash(password: string): Promise<string>;
  /**
   * Verifies a password. A null hash takes the same time and returns false, so that the response time does not reveal
   * whether an account exists.
   */
  verify(stored: string | null, password: string, turn?: Turn): Promise<boolean>;
}

/** Options of an attempt in the password queue. */
export interface Turn {
  /**
   * True to give the attempt priority and a reserved part of the queue, so that a flood of attempts does not block
   * known devices.
   */
  first?: boolean;
  /**
   * Called when the attempt leaves the queue. Throws to refuse the attempt before the expensive password check. Returns
   * false if running attempts must end first; the attempt then joins the queue again.
   */
  begin?(): Promise<boolean>;
  /**
   * Called with the outcome before the next attempt starts, so that a failed attempt already slows down the next one.
   */
  end?(matches: boolean): Promise<void>;
}

export interface PasswordOptions {
  atOnce?: number;
  longestQueue?: number;
  /** Replaces the argon2 package's `verify` in tests. */
  verify?: typeof verifyHash;
}

export function createPasswords(options: PasswordOptions = {}): Passwords {
  const { verify = verifyHash } = options;
  const queue = new BoundedQueue(options.atOnce ?? AT_ONCE, options.longestQueue ?? LONGEST_QUEUE);
  unmatchedHash ??= hashPassword(randomToken());
  const unmatched = unmatchedHash;
  // Prevents an unhandled rejection. `verify` awaits this promise later and reports the error.
  unmatched.catch(() => {});
  return {
    hash: (password) => queue.run(() => hashPassword(password)),
    async verify(stored, password, turn = {}) {
      for (;;) {
        const matches = await queue.run(async () => {
          if (turn.begin && !(await turn.begin())) return undefined;
          const fits = await verify(stored ?? (await unmatched), sameSpelling(password));
          const matches = fits && stored !== null;
          await turn.end?.(matches);
          return matches;
        }, turn.first);
        if (matches !== undefined) return matches;
        // This attempt waits outside the queue, so that sign-ins to other accounts go first.
        await delay(TURN_AGAIN_MS);
      }
    },
  };
}

/** Normalises Unicode, because some systems encode é as one code point and others as two. */
function sameSpelling(password: string): string {
  return password.normalize('NFC');
}

/** Runs a few jobs at once, queues a limited number of jobs and refuses the rest. */
export class BoundedQueue {
  readonly #atOnce: number;
  readonly #longest: number;
  readonly #waiting: Record<'first' | 'rest', (() => void)[]> = { first: [], rest: [] };
  #running = 0;

  constructor(atOnce: number, longest: number) {
    this.#atOnce = atOnce;
    this.#longest = longest;
  }

  async run<T>(work: () => Promise<T>, first = false): Promise<T> {
    if (this.#running < this.#atOnce) {
      this.#running += 1;
    } else {
      const line = this.#waiting[first ? 'first' : 'rest'];
      if (line.length >= this.#longest) {
        throw new HttpRefusal(503, 'Too many people are signing in right now. Try again in a few seconds.', {
          retryAfterMs: 5000,
        });
      }
      // A finished job hands its slot to the next job, so the number of running jobs stays the same.
      await new Promise<void>((resolve) => line.push(resolve));
    }
    try {
      return await work();
    } finally {
      const next = this.#waiting.first.shift() ?? this.#waiting.rest.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}
