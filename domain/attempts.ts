/** Counts attempts and failures, and computes how long the next attempt must wait. All times are in milliseconds. */

/** Allows at most `most` attempts per time window. A window starts with its first attempt. */
export interface Limit {
  most: number;
  perMs: number;
}

/**
 * After `free` failures, each further attempt must wait. The wait doubles with each failure, from `firstMs` up to
 * `mostMs`.
 */
export interface Slowdown {
  free: number;
  firstMs: number;
  mostMs: number;
}

/** The counted attempts of one key, for example of one account. */
export interface Attempts {
  /** Number of failures (`Slowdown`), or number of attempts in the current time window (`Limit`). */
  count: number;
  /** The next attempt is allowed from this time on. */
  waitUntil: number;
  /** The count expires at this time. */
  endsAt: number;
  /** Identifiers of attempts whose outcome is not known yet. */
  running: readonly string[];
  /**
   * Attempts that are still running at this time count as failures, because their process may have ended. 0 if no
   * attempt is running.
   */
  runningUntil: number;
}

/**
 * Milliseconds after the last failure at which all recorded failures expire. Longer than the longest wait between
 * attempts.
 */
export const FORGET_MS = 60 * 60_000;
/**
 * Time in milliseconds after which a running attempt counts as failed. Checking a password takes less than a second.
 */
export const RUNNING_MS = 15_000;

export const noAttempts: Attempts = { count: 0, waitUntil: 0, endsAt: 0, running: [], runningUntil: 0 };

export type Permission =
  | { allowed: true }
  /**
   * `failures`: the wait after earlier failures has not ended. `running`: the attempt must wait for the result of a
   * running attempt.
   */
  | { allowed: false; because: 'failures' | 'running'; waitMs: number };

/**
 * Returns the recorded attempts as of `now`: overdue running attempts become failures, and expired failures are
 * removed.
 */
function attemptsAt(slowdown: Slowdown, entry: Attempts, now: number): Attempts {
  let current = entry;
  if (current.running.length > 0 && current.runningUntil <= now) {
    const { running, runningUntil } = current;
    current = { ...unlessExpired(current, runningUntil), running: [], runningUntil: 0 };
    for (const _ of running) current = withFailure(slowdown, current, runningUntil);
  }
  return unlessExpired(current, now);
}

function unlessExpired(entry: Attempts, now: number): Attempts {
  return entry.endsAt > now ? entry : { ...entry, count: 0, waitUntil: 0 };
}

function withFailure({ free, firstMs, mostMs }: Slowdown, entry: Attempts, now: number): Attempts {
  const count = entry.count + 1;
  const wait = count < free ? 0 : Math.min(mostMs, firstMs * 2 ** Math.min(count - free, 30));
  // Stores the later of the previous and the new time, because the clocks of processes differ. No process may shorten a
  // wait that another process has set.
  return {
    ...entry,
    count,
    waitUntil: Math.max(entry.waitUntil, now + wait),
    endsAt: Math.max(entry.endsAt, now + FORGET_MS),
  };
}

/** Returns the milliseconds until the next attempt is allowed; 0 or less if it is allowed now. */
export function waitOf(slowdown: Slowdown, entry: Attempts, now: number): number {
  return attemptsAt(slowdown, entry, now).waitUntil - now;
}

/**
 * Returns whether an attempt may begin. Running attempts count as failures. Otherwise concurrent attempts would allow
 * more tries than consecutive attempts.
 */
export function mayBegin(slowdown: Slowdown, entry: Attempts, now: number): Permission {
  const { count, running, runningUntil, waitUntil } = attemptsAt(slowdown, entry, now);
  if (waitUntil > now) return { allowed: false, because: 'failures', waitMs: waitUntil - now };
  if (running.length > 0 && count + running.length >= slowdown.free)
    return { allowed: false, because: 'running', waitMs: runningUntil - now };
  return { allowed: true };
}

export function begin(slowdown: Slowdown, entry: Attempts, attempt: string, now: number): Attempts {
  const current = attemptsAt(slowdown, entry, now);
  return {
    ...current,
    running: [...current.running, attempt],
    runningUntil: Math.max(current.runningUntil, now + RUNNING_MS),
  };
}

/**
 * Ends a running attempt. An attempt that ran longer than `RUNNING_MS` already counts as a failure and is not counted
 * again.
 */
export function end(
  slowdown: Slowdown,
  entry: Attempts,
  attempt: string,
  outcome: 'succeeded' | 'failed',
  now: number,
): Attempts {
  const current = attemptsAt(slowdown, entry, now);
  if (!current.running.includes(attempt)) return current;
  const running = current.running.filter((other) => other !== attempt);
  const ended = { ...current, running, runningUntil: running.length > 0 ? current.runningUntil : 0 };
  return outcome === 'failed' ? withFailure(slowdown, ended, now) : ended;
}

/** Counts a failure that was not started with `begin`. The caller must hold a lock from `mayBegin` to this call. */
export function fail(slowdown: Slowdown, entry: Attempts, now: number): Attempts {
  return withFailure(slowdown, attemptsAt(slowdown, entry, now), now);
}

/** Returns the milliseconds until the limit allows another attempt; 0 or less if it allows one now. */
export function waitOfLimit({ most }: Limit, entry: Attempts, now: number): number {
  return entry.count < most ? 0 : entry.endsAt - now;
}

/** Counts one attempt that the limit allows. */
export function take({ perMs }: Limit, entry: Attempts, now: number): Attempts {
  const current = unlessExpired(entry, now);
  return { ...current, count: current.count + 1, endsAt: current.count === 0 ? now + perMs : current.endsAt };
}

/** Resets the count and the wait. Attempts that are still running count when they end. */
export function forget(entry: Attempts): Attempts {
  return { ...entry, count: 0, waitUntil: 0 };
}

/** Returns whether the entry records no attempts, so that it need not be stored. */
export function isEmpty({ count, running }: Attempts): boolean {
  return count === 0 && running.length === 0;
}
