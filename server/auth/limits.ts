import type { Attempts, Limit, Slowdown } from '../../domain/attempts.ts';
import * as attempts from '../../domain/attempts.ts';
import { plural } from '../../domain/plural.ts';
import { serviceAccess } from '../access.ts';
import { type Clock, randomUuid } from '../platform/clock.ts';
import type { Database, Transaction } from '../platform/database.ts';
import { type AttemptKey, AttemptStore } from './attempt-store.ts';
import { HttpRefusal } from './errors.ts';
import { CODES_PER_DAY } from './password/codes.ts';
import type { Turn } from './password/password.ts';
import { secretKey } from './secrets.ts';

interface SlowdownSettings {
  /** Slowdown after failed sign-ins to one account from one address, without a known device. */
  failuresPerAccountAndAddress: Slowdown;
  /**
   * Slowdown after failed sign-ins to one account from all addresses, without a known device. Limits distributed
   * attacks.
   */
  failuresPerAccount: Slowdown;
  /** Slowdown after failed sign-ins and wrong codes from one address, counted across all accounts. */
  failuresPerAddress: Slowdown;
  /** Slowdown after wrong passwords from one known device, or from one signed-in user who changes the password. */
  failuresPerDevice: Slowdown;
}

interface CodeSettings {
  codesPerAccount: Limit;
  codesPerAccountAndDay: Limit;
  codesPerAddress: Limit;
}

export type LimitSettings = SlowdownSettings & CodeSettings;

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

export const defaultLimits: LimitSettings = {
  failuresPerAccountAndAddress: { free: 5, firstMs: 2 * SECOND, mostMs: 5 * MINUTE },
  failuresPerAccount: { free: 50, firstMs: SECOND, mostMs: MINUTE },
  failuresPerAddress: { free: 100, firstMs: SECOND, mostMs: MINUTE },
  failuresPerDevice: { free: 5, firstMs: 2 * SECOND, mostMs: 30 * SECOND },
  codesPerAccount: { most: 5, perMs: HOUR },
  codesPerAccountAndDay: { most: CODES_PER_DAY, perMs: 24 * HOUR },
  codesPerAddress: { most: 20, perMs: HOUR },
};

/**
 * Maximum number of times that an attempt waits for running attempts. Each wait takes 50 ms, so the total is at most
 * ten seconds.
 */
const MOST_TURNS = 200;

/** A sign-in attempt. `device` is null if the device is not known for the account. */
export interface SignInAttempt {
  account: string;
  address: string;
  device: string | null;
}

interface FailureKey extends AttemptKey {
  kind: keyof SlowdownSettings;
}

/**
 * Limits sign-ins and codes. All processes of a database share the counts, which survive restarts. Each method uses its
 * own transaction.
 */
export class Limits {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #settings: LimitSettings;

  constructor({ db, clock }: { db: Database; clock: Clock }, settings: Partial<LimitSettings> = {}) {
    this.#db = db;
    this.#clock = clock;
    this.#settings = { ...defaultLimits, ...settings };
  }

  /**
   * Throws a refusal if the sign-in attempt must still wait. Failures on other devices never slow down a known device.
   */
  async checkSignIn(attempt: SignInAttempt): Promise<void> {
    const keys = keysOfSignIn(attempt);
    const entries = await this.#inTransaction((store) => store.read(keys));
    refuseUntil(this.#waitOf(keys, entries, this.#now()));
  }

  /** Returns the options with which a sign-in joins the password queue. */
  turnOfSignIn(attempt: SignInAttempt): Turn {
    return this.#turn(keysOfSignIn(attempt), attempt.device !== null);
  }

  /** Returns the options with which a signed-in user's password change joins the password queue. */
  turnOfUser(uuid: string): Turn {
    return this.#turn([{ kind: 'failuresPerDevice', of: uuid }], true);
  }

  /** Clears the account's failures after a password change, because they were guesses at the old password. */
  async forgetAccount(account: string): Promise<void> {
    const keys: FailureKey[] = [{ kind: 'failuresPerAccount', of: account }];
    await this.#inTransaction(async (store) => store.write(keys, (await store.lock(keys)).map(attempts.forget)));
  }

  /**
   * Runs `find` in a transaction and returns its result. If the result is null, counts a failed attempt from the
   * address. Throws a refusal while the address must wait.
   */
  async findFromAddress<T>(address: string, find: (tx: Transaction) => Promise<T | null>): Promise<T | null> {
    const keys: FailureKey[] = [{ kind: 'failuresPerAddress', of: address }];
    const { wait, found } = await this.#inTransaction(async (store, tx) => {
      // Reads the counter without a lock first, so that a flood of refused attempts causes no writes.
      const refused = this.#waitOf(keys, await store.read(keys), this.#now());
      if (refused > 0) return { wait: refused, found: null };
      const [entry] = (await store.lock(keys)) as [Attempts];
      const now = this.#now();
      const permission = attempts.mayBegin(this.#settings.failuresPerAddress, entry, now);
      if (!permission.allowed) {
        return { wait: permission.because === 'running' ? SECOND : permission.waitMs, found: null };
      }
      const found = await find(tx);
      const after = found === null ? attempts.fail(this.#settings.failuresPerAddress, entry, now) : entry;
      await store.write(keys, [after]);
      return { wait: 0, found };
    });
    refuseUntil(wait);
    return found;
  }

  /**
   * Counts a request for a code against three limits in turn. At the first limit that is reached, throws a refusal; the
   * remaining limits do not count the request.
   */
  async takeCode(account: string, address: string): Promise<void> {
    const keys = [
      { kind: 'codesPerAddress', of: address },
      { kind: 'codesPerAccount', of: account },
      { kind: 'codesPerAccountAndDay', of: account },
    ] as const;
    const firstWait = (entries: readonly Attempts[], now: number) => {
      const waits = entries.map((entry, index) => attempts.waitOfLimit(this.#settings[keys[index]!.kind], entry, now));
      const place = waits.findIndex((wait) => wait > 0);
      return place < 0 ? { counted: keys.length, wait: 0 } : { counted: place, wait: waits[place]! };
    };
    const wait = await this.#inTransaction(async (store) => {
      // Reads the counter without a lock first, so that a flood of refused requests causes no writes.
      const before = firstWait(await store.read(keys), this.#now());
      if (before.wait > 0 && before.counted === 0) return before.wait;
      const entries = await store.lock(keys);
      const now = this.#now();
      const { counted, wait } = firstWait(entries, now);
      await store.write(
        keys,
        entries.map((entry, index) =>
          index < counted ? attempts.take(this.#settings[keys[index]!.kind], entry, now) : entry,
        ),
      );
      return wait;
    });
    refuseUntil(wait);
  }

  #turn(keys: readonly FailureKey[], first: boolean): Turn {
    const id = randomUuid();
    let turns = 0;
    return {
      first,
      begin: async () => {
        const permission = await this.#begin(keys, id);
        if (permission.allowed) return true;
        turns += 1;
        if (permission.because === 'failures' || turns >= MOST_TURNS) throw tooMany(permission.waitMs);
        return false;
      },
      end: (matches) => this.#end(keys, id, matches),
    };
  }

  #begin(keys: readonly FailureKey[], id: string): Promise<attempts.Permission> {
    return this.#inTransaction(async (store) => {
      const entries = await store.lock(keys);
      const now = this.#now();
      const permission = strictest(
        keys.map(({ kind }, index) => attempts.mayBegin(this.#settings[kind], entries[index]!, now)),
      );
      await store.write(
        keys,
        permission.allowed
          ? keys.map(({ kind }, index) => attempts.begin(this.#settings[kind], entries[index]!, id, now))
          : entries,
      );
      return permission;
    });
  }

  /**
   * Ends a running attempt. A success clears the failures of the known device, or the failures for this account and
   * address. It does not clear the counter of all failures for the account or the counter of all failures from the
   * address.
   */
  #end(keys: readonly FailureKey[], id: string, matches: boolean): Promise<void> {
    return this.#inTransaction(async (store) => {
      const entries = await store.lock(keys);
      const now = this.#now();
      const ended = keys.map(({ kind }, index) => {
        const entry = attempts.end(this.#settings[kind], entries[index]!, id, matches ? 'succeeded' : 'failed', now);
        return matches && clearedBySuccess.has(kind) ? attempts.forget(entry) : entry;
      });
      await store.write(keys, ended);
    });
  }

  #waitOf(keys: readonly FailureKey[], entries: readonly Attempts[], now: number): number {
    return Math.max(...keys.map(({ kind }, index) => attempts.waitOf(this.#settings[kind], entries[index]!, now)));
  }

  #now(): number {
    return this.#clock.now().getTime();
  }

  async #inTransaction<T>(work: (store: AttemptStore, tx: Transaction) => Promise<T>): Promise<T> {
    const secret = await secretKey(this.#db, this.#clock, 'attempts');
    return this.#db.transaction(serviceAccess(this.#clock), (tx) => work(new AttemptStore(tx, secret), tx));
  }
}

const clearedBySuccess: ReadonlySet<keyof SlowdownSettings> = new Set([
  'failuresPerAccountAndAddress',
  'failuresPerDevice',
]);

/** Returns the keys of the counters that a failed attempt increments. */
export function keysOfSignIn({ account, address, device }: SignInAttempt): FailureKey[] {
  if (device !== null) return [{ kind: 'failuresPerDevice', of: device }];
  return [
    { kind: 'failuresPerAccountAndAddress', of: `${account} ${address}` },
    { kind: 'failuresPerAccount', of: account },
    { kind: 'failuresPerAddress', of: address },
  ];
}

/**
 * Combines the decisions about all keys of an attempt. A refusal because of failures takes precedence over a refusal
 * because of running attempts. The longest wait applies.
 */
function strictest(permissions: readonly attempts.Permission[]): attempts.Permission {
  const refused = permissions.filter((permission) => !permission.allowed);
  const failures = refused.filter(({ because }) => because === 'failures');
  const longest = (failures.length > 0 ? failures : refused).toSorted((a, b) => b.waitMs - a.waitMs)[0];
  return longest ?? { allowed: true };
}

function refuseUntil(waitMs: number): void {
  if (waitMs > 0) throw tooMany(waitMs);
}

export function tooMany(leftMs: number): HttpRefusal {
  const seconds = Math.max(1, Math.ceil(leftMs / SECOND));
  const minutes = Math.ceil(seconds / 60);
  const wait = seconds < 60 ? `${seconds} ${plural(seconds, 'second')}` : `${minutes} ${plural(minutes, 'minute')}`;
  return new HttpRefusal(429, `Too many attempts. Try again in ${wait}.`, { retryAfterMs: leftMs });
}

/**
 * Returns the key of an IP address's attempt counter. All addresses of an IPv6 /64 share one key, because the whole
 * block usually belongs to one household.
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
