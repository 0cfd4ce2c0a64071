import type { Clock } from './clock.ts';

const AGAIN_MS = 60_000;

/** Limits log entries: one per minute for each kind of entry, and at most `most` kinds per minute for each group. */
export class OnceAMinute {
  readonly #clock: Clock;
  readonly #most: number;
  readonly #passed = new Map<string, Set<string>>();
  #since = 0;

  constructor(clock: Clock, most: number) {
    this.#clock = clock;
    this.#most = most;
  }

  passes(kind: string, group = ''): boolean {
    const now = this.#clock.now().getTime();
    if (Math.abs(now - this.#since) >= AGAIN_MS) {
      this.#passed.clear();
      this.#since = now;
    }
    const passed = this.#passed.get(group) ?? new Set();
    if (passed.has(kind) || passed.size >= this.#most) return false;
    this.#passed.set(group, passed.add(kind));
    return true;
  }
}
