import { plural } from '../../domain/plural.ts';
import type { Clock } from '../platform/clock.ts';
import { HttpRefusal } from './errors.ts';
import { CODES_PER_DAY } from './password/codes.ts';

export interface Limit {
  most: number;
  perMs: number;
}

/**
 * After `free` failures each further attempt must wait. The wait doubles with each failure, from `firstMs` up to
 * `mostMs`.
 */
export interface Slowdown {
  free: number;
  firstMs: number;
  mostMs: number;
}

export interface LimitSettings {
  /** Failed sign-ins to one account from one address, without a known device. */
  failuresPerAccountAndAddress: Slowdown;
  /** Failed sign-ins to one account from all addresses, without a known device. Limits a distributed attack. */
  failuresPerAccount: Slowdown;
  /** Failed sign-ins and wrong codes from one address, for all accounts. */
  failuresPerAddress: Slowdown;
  /** Wrong passwords from one known device, or from one signed-in user who changes the password. */
  failuresPerDevice: Slowdown;
  codesPerAccount: Limit;
  codesPerAccountAndDay: Limit;
  codesPerAddress: Limit;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** Time after the last failure until all failures expire. It is longer than every wait. */
const FORGET_MS = HOUR;

export const defaultLimits: LimitSettings = {
  failuresPerAccountAndAddress: { free: 5, firstMs: 2 * SECOND, mostMs: 5 * MINUTE },
  failuresPerAccount: { free: 50, firstMs: SECOND, mostMs: MINUTE },
  failuresPerAddress: { free: 100, firstMs: SECOND, mostMs: MINUTE },
  failuresPerDevice: { free: 5, firstMs: 2 * SECOND, mostMs: 30 * SECOND },
  codesPerAccount: { most: 5, perMs: HOUR },
  codesPerAccountAndDay: { most: CODES_PER_DAY, perMs: 24 * HOUR },
  codesPerAddress: { most: 20, perMs: HOUR },
};

/** Maximum number of keys, so that an attacker cannot exhaust the memory. */
const MOST_KEYS = 20_000;

/** A map of limited size with expiring entries. */
class Entries<V extends { endsAt: number }> {
  readonly #most: number;
  readonly #entries = new Map<string, V>();

  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string, now: number): V | undefined {
    const entry = this.#entries.get(key);
    if (!entry || entry.endsAt > now) return entry;
    this.#entries.delete(key);
    return undefined;
  }

  set(key: string, entry: V, now: number): void {
    if (!this.#entries.has(key) && this.#entries.size >= this.#most) this.#makeRoom(now);
    this.#entries.set(key, entry);
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  /** Deletes expired entries. If none has expired, deletes the oldest tenth. */
  #makeRoom(now: number): void {
    for (const [key, entry] of this.#entries) if (entry.endsAt <= now) this.#entries.delete(key);
    if (this.#entries.size < this.#most) return;
    let left = Math.max(1, Math.floor(this.#most / 10));
    for (const key of this.#entries.keys()) {
      this.#entries.delete(key);
      left -= 1;
      if (left === 0) break;
    }
  }
}

/** Counts attempts by key. The time window of a key starts with its first attempt. */
export class Counter {
  readonly #limit: Limit;
  readonly #clock: Clock;
  readonly #counts: Entries<{ count: number; endsAt: number }>;

  constructor(limit: Limit, clock: Clock, mostKeys = MOST_KEYS) {
    this.#limit = limit;
    this.#clock = clock;
    this.#counts = new Entries(mostKeys);
  }

  get size(): number {
    return this.#counts.size;
  }

  /** Counts one attempt. Throws a refusal above the limit and does not count the refused attempt. */
  take(key: string): void {
    const now = this.#clock.now().getTime();
    const entry = this.#counts.get(key, now) ?? { count: 0, endsAt: now + this.#limit.perMs };
    if (entry.count >= this.#limit.most) throw tooMany(entry.endsAt - now);
    entry.count += 1;
    this.#counts.set(key, entry, now);
  }
}

/** Slows down repeated failures by key. It never locks a key out: the wait is at most `mostMs`. */
export class Backoff {
  readonly #slowdown: Slowdown;
  readonly #clock: Clock;
  readonly #failures: Entries<{ count: number; waitUntil: number; endsAt: number }>;

  constructor(slowdown: Slowdown, clock: Clock, mostKeys = MOST_KEYS) {
    this.#slowdown = slowdown;
    this.#clock = clock;
    this.#failures = new Entries(mostKeys);
  }

  /** Returns the milliseconds until the next attempt is allowed; 0 or less if it is allowed now. */
  waitMs(key: string): number {
    const now = this.#clock.now().getTime();
    return (this.#failures.get(key, now)?.waitUntil ?? now) - now;
  }

  /** Throws a refusal while the key must wait. Does not count the refused attempt. */
  check(key: string): void {
    const wait = this.waitMs(key);
    if (wait > 0) throw tooMany(wait);
  }

  fail(key: string): void {
    const now = this.#clock.now().getTime();
    const count = (this.#failures.get(key, now)?.count ?? 0) + 1;
    const { free, firstMs, mostMs } = this.#slowdown;
    const wait = count < free ? 0 : Math.min(mostMs, firstMs * 2 ** Math.min(count - free, 30));
    this.#failures.set(key, { count, waitUntil: now + wait, endsAt: now + FORGET_MS }, now);
  }

  /** Counts a failure in advance, so that concurrent attempts cannot bypass the limit. */
  take(key: string): void {
    this.check(key);
    this.fail(key);
  }

  /** Reverts `take` if the attempt succeeds. */
  giveBack(key: string): void {
    const entry = this.#failures.get(key, this.#clock.now().getTime());
    if (!entry) return;
    entry.count -= 1;
    entry.waitUntil = 0;
    if (entry.count <= 0) this.#failures.delete(key);
  }

  forget(key: string): void {
    this.#failures.delete(key);
  }
}

export function tooMany(leftMs: number): HttpRefusal {
  const seconds = Math.max(1, Math.ceil(leftMs / SECOND));
  const minutes = Math.ceil(seconds / 60);
  const wait = seconds < 60 ? `${seconds} ${plural(seconds, 'second')}` : `${minutes} ${plural(minutes, 'minute')}`;
  return new HttpRefusal(429, `Too many attempts. Try again in ${wait}.`, { retryAfterMs: leftMs });
}

/** A sign-in attempt. `device` is null if the device is not known for the account. */
export interface SignInAttempt {
  account: string;
  address: string;
  device: string | null;
}

export class Limits {
  readonly failuresPerAddress: Backoff;
  readonly failuresPerDevice: Backoff;
  readonly codesPerAccount: Counter;
  readonly codesPerAccountAndDay: Counter;
  readonly codesPerAddress: Counter;
  readonly #failuresPerAccount: Backoff;
  readonly #failuresPerPair: Backoff;

  constructor(clock: Clock, settings: Partial<LimitSettings> = {}) {
    const all = { ...defaultLimits, ...settings };
    this.#failuresPerPair = new Backoff(all.failuresPerAccountAndAddress, clock);
    this.#failuresPerAccount = new Backoff(all.failuresPerAccount, clock);
    this.failuresPerAddress = new Backoff(all.failuresPerAddress, clock);
    this.failuresPerDevice = new Backoff(all.failuresPerDevice, clock);
    this.codesPerAccount = new Counter(all.codesPerAccount, clock);
    this.codesPerAccountAndDay = new Counter(all.codesPerAccountAndDay, clock);
    this.codesPerAddress = new Counter(all.codesPerAddress, clock);
  }

  /** Throws a refusal while the attempt must wait. Failures from elsewhere never slow down a known device. */
  checkSignIn(attempt: SignInAttempt): void {
    const wait = Math.max(...this.#ofSignIn(attempt).map(([backoff, key]) => backoff.waitMs(key)));
    if (wait > 0) throw tooMany(wait);
  }

  failSignIn(attempt: SignInAttempt): void {
    for (const [backoff, key] of this.#ofSignIn(attempt)) backoff.fail(key);
  }

  /** Clears the failures of the attempt's device or address after a success. Other failures still count. */
  clearSignIn({ account, address, device }: SignInAttempt): void {
    if (device !== null) this.failuresPerDevice.forget(device);
    this.#failuresPerPair.forget(`${account} ${address}`);
  }

  /** Clears the account's failures after a password change, because they were guesses at the old password. */
  forgetAccount(account: string): void {
    this.#failuresPerAccount.forget(account);
  }

  #ofSignIn({ account, address, device }: SignInAttempt): [Backoff, string][] {
    if (device !== null) return [[this.failuresPerDevice, device]];
    return [
      [this.#failuresPerPair, `${account} ${address}`],
      [this.#failuresPerAccount, account],
      [this.failuresPerAddress, address],
    ];
  }
}

/**
 * Returns the counter key of an address. All addresses of an IPv6 /64 share one key, because the whole block usually
 * belongs to one household.
 */
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
