import type { Clock } from '../platform/clock.ts';
import { Refusal } from './errors.ts';

export interface Limit {
  most: number;
  perMs: number;
}

export interface LimitSettings {
  /** Failed sign-ins and wrong current passwords of one account. */
  failuresPerAccount: Limit;
  /** Failed sign-ins and wrong codes from one address. */
  failuresPerAddress: Limit;
  codesPerAccount: Limit;
  codesPerAddress: Limit;
}

const MINUTE = 60_000;

export const defaultLimits: LimitSettings = {
  failuresPerAccount: { most: 10, perMs: 15 * MINUTE },
  failuresPerAddress: { most: 100, perMs: 15 * MINUTE },
  codesPerAccount: { most: 5, perMs: 60 * MINUTE },
  codesPerAddress: { most: 20, perMs: 60 * MINUTE },
};

/** An attacker with many names or addresses must not fill the memory. */
const MOST_KEYS = 20_000;

/** Counts by key over a stretch of time that begins with the first count. */
export class Counter {
  readonly #limit: Limit;
  readonly #clock: Clock;
  readonly #mostKeys: number;
  readonly #counts = new Map<string, { count: number; endsAt: number }>();

  constructor(limit: Limit, clock: Clock, mostKeys = MOST_KEYS) {
    this.#limit = limit;
    this.#clock = clock;
    this.#mostKeys = mostKeys;
  }

  get size(): number {
    return this.#counts.size;
  }

  /** Counts one and throws a refusal when that is one too many. A refused attempt is not counted. */
  take(key: string): void {
    const now = this.#clock.now().getTime();
    let entry = this.#counts.get(key);
    if (entry && entry.endsAt <= now) {
      this.#counts.delete(key);
      entry = undefined;
    }
    if (!entry) {
      if (this.#counts.size >= this.#mostKeys) this.#makeRoom(now);
      entry = { count: 0, endsAt: now + this.#limit.perMs };
      this.#counts.set(key, entry);
    }
    if (entry.count >= this.#limit.most) throw tooMany(entry.endsAt - now);
    entry.count += 1;
  }

  /** Takes one count back: the attempt turned out to be a good one. */
  giveBack(key: string): void {
    const entry = this.#counts.get(key);
    if (!entry) return;
    entry.count -= 1;
    if (entry.count <= 0) this.#counts.delete(key);
  }

  forget(key: string): void {
    this.#counts.delete(key);
  }

  /** Drops what has ended, and when that is nothing, the oldest tenth. */
  #makeRoom(now: number): void {
    for (const [key, entry] of this.#counts) if (entry.endsAt <= now) this.#counts.delete(key);
    if (this.#counts.size < this.#mostKeys) return;
    let left = Math.max(1, Math.floor(this.#mostKeys / 10));
    for (const key of this.#counts.keys()) {
      this.#counts.delete(key);
      left -= 1;
      if (left === 0) break;
    }
  }
}

function tooMany(leftMs: number): Refusal {
  const minutes = Math.ceil(leftMs / MINUTE);
  const wait = minutes <= 1 ? 'a minute' : `${minutes} minutes`;
  return new Refusal(429, `Too many attempts. Try again in ${wait}.`, { retryAfterMs: leftMs });
}

export class Limits {
  readonly failuresPerAccount: Counter;
  readonly failuresPerAddress: Counter;
  readonly codesPerAccount: Counter;
  readonly codesPerAddress: Counter;

  constructor(clock: Clock, settings: Partial<LimitSettings> = {}) {
    const all = { ...defaultLimits, ...settings };
    this.failuresPerAccount = new Counter(all.failuresPerAccount, clock);
    this.failuresPerAddress = new Counter(all.failuresPerAddress, clock);
    this.codesPerAccount = new Counter(all.codesPerAccount, clock);
    this.codesPerAddress = new Counter(all.codesPerAddress, clock);
  }
}

/** One household or attacker holds a whole /64 of IPv6, so that is what counts as one address. */
export function addressKey(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped?.[1]) return mapped[1];
  if (!address.includes(':')) return address;
  const [front = '', back] = address.split('%')[0]!.toLowerCase().split('::');
  const groups = front === '' ? [] : front.split(':');
  if (back !== undefined) {
    const last = back === '' ? [] : back.split(':');
    while (groups.length + last.length < 8) groups.push('0');
    groups.push(...last);
  }
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`;
}
