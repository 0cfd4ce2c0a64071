import { hash, verify as verifyHash } from '@node-rs/argon2';
import { randomToken } from '../../platform/clock.ts';
import { HttpRefusal } from '../errors.ts';

/** argon2id, written as a number because the package declares its names as a constant enum. */
const ARGON2ID = 2;
const COST = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** For what happens away from requests, such as making the demo; requests go through the queue of `createPasswords`. */
export function hashPassword(password: string): Promise<string> {
  return hash(sameSpelling(password), COST);
}

/** More at once would take every core of a small machine while somebody floods the login. */
const AT_ONCE = 2;
const LONGEST_QUEUE = 100;

/** What no password fits, made once for as long as a process lives. */
let nobody: Promise<string> | undefined;

export interface Passwords {
  hash(password: string): Promise<string>;
  /** Without a hash it takes as long as with one and answers no, so that the time does not tell whether an account exists. */
  verify(stored: string | null, password: string, turn?: Turn): Promise<boolean>;
}

/** How an attempt waits for its turn. */
export interface Turn {
  /** Goes before those without it, and has room in the queue of its own: a flood does not keep known devices out. */
  first?: boolean;
  /** Called when the turn comes; what it throws refuses the attempt before any hashing. */
  check?(): void;
  /** Called before the next turn begins, so that a queue full of wrong passwords is not checked to its end. */
  failed?(): void;
}

export interface PasswordOptions {
  atOnce?: number;
  longestQueue?: number;
  /** Replaces the function of the argon2 package. */
  verify?: typeof verifyHash;
}

export function createPasswords(options: PasswordOptions = {}): Passwords {
  const { verify = verifyHash } = options;
  const queue = new BoundedQueue(options.atOnce ?? AT_ONCE, options.longestQueue ?? LONGEST_QUEUE);
  nobody ??= hashPassword(randomToken());
  const ofNobody = nobody;
  // Whoever needs it awaits it and sees the failure there.
  ofNobody.catch(() => {});
  return {
    hash: (password) => queue.run(() => hashPassword(password)),
    verify: (stored, password, turn = {}) =>
      queue.run(async () => {
        turn.check?.();
        const fits = await verify(stored ?? (await ofNobody), sameSpelling(password));
        const matches = fits && stored !== null;
        if (!matches) turn.failed?.();
        return matches;
      }, turn.first),
  };
}

/** One system types é as one character and another as two; both are the same password. */
function sameSpelling(password: string): string {
  return password.normalize('NFC');
}

/** Runs a few at once, lets a bounded number wait, and refuses the rest at once with a sentence. */
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
        throw new HttpRefusal(503, 'Too many people are signing in at this moment. Try again in a few seconds.', {
          retryAfterMs: 5000,
        });
      }
      // Whoever finishes hands its place on, so the number that runs stays the same.
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
