import { randomBytes, randomInt, randomUUID } from 'node:crypto';

/** Source of the current time. Code uses a `Clock` instead of `Date.now()`, so that tests can set the time. */
export interface Clock {
  now(): Date;
  /** Returns a simulated database time for tests. If undefined, the database's real clock is used. */
  databaseNow?(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** A clock that moves only when a test sets or advances it. */
export class HandClock implements Clock {
  #time: number;

  constructor(start: Date) {
    this.#time = start.getTime();
  }

  /** Returns a new Date on each call, so that changing the returned Date does not change the clock. */
  now(): Date {
    return new Date(this.#time);
  }

  databaseNow(): Date {
    return this.now();
  }

  set(time: Date): void {
    this.#time = time.getTime();
  }

  advance(milliseconds: number): void {
    this.#time += milliseconds;
  }
}

/** Returns an unguessable token that is safe in URLs and headers. */
export function randomToken(bytes = 32): string {
  return randomBytes(bytes).toString('base64url');
}

/** Returns a numeric code for a person to type. All digits are equally likely, and leading zeros are kept. */
export function randomDigits(count: number): string {
  return Array.from({ length: count }, () => randomInt(10)).join('');
}

export function randomUuid(): string {
  return randomUUID();
}
