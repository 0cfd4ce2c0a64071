import { type Attempts, type Limit, noAttempts, take, waitOfLimit } from '../../domain/attempts.ts';
import { tooMany } from '../auth/limits.ts';
import type { Clock } from '../platform/clock.ts';

/** Maximum number of keys, so that an attacker cannot use up the memory. */
const MOST_KEYS = 20_000;

/**
 * Counts calls by key, in the memory of this process, to protect the process and its log from a flood. A count in the
 * database would cause a write for each refused call.
 */
export class CallCounter {
  readonly #limit: Limit;
  readonly #clock: Clock;
  readonly #mostKeys: number;
  readonly #counts = new Map<string, Attempts>();

  constructor(limit: Limit, clock: Clock, mostKeys = MOST_KEYS) {
    this.#limit = limit;
    this.#clock = clock;
    this.#mostKeys = mostKeys;
  }

  get size(): number {
    return this.#counts.size;
  }

  /** Counts one call. Throws a refusal above the limit and does not count the refused call. */
  take(key: string): void {
    const now = this.#clock.now().getTime();
    const entry = this.#counts.get(key) ?? noAttempts;
    const wait = waitOfLimit(this.#limit, entry, now);
    if (wait > 0) throw tooMany(wait);
    if (!this.#counts.has(key) && this.#counts.size >= this.#mostKeys) this.#makeRoom(now);
    this.#counts.set(key, take(this.#limit, entry, now));
  }

  /** Deletes expired entries. If none has expired, deletes the oldest tenth. */
  #makeRoom(now: number): void {
    for (const [key, entry] of this.#counts) if (entry.endsAt <= now) this.#counts.delete(key);
    if (this.#counts.size < this.#mostKeys) return;
    const oldest = [...this.#counts.keys()].slice(0, Math.max(1, Math.floor(this.#mostKeys / 10)));
    for (const key of oldest) this.#counts.delete(key);
  }
}
