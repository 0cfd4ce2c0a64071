import { randomBytes, randomInt, randomUUID } from 'node:crypto';

/** Where the time comes from. Everything that asks for the time takes one of these, so that a test can turn it by hand. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** A clock that stands still until it is told otherwise. */
export class HandClock implements Clock {
  #time: number;

  constructor(start: Date) {
    this.#time = start.getTime();
  }

  /** A fresh Date each time, so that a caller who changes it does not turn the clock. */
  now(): Date {
    return new Date(this.#time);
  }

  set(time: Date): void {
    this.#time = time.getTime();
  }

  advance(milliseconds: number): void {
    this.#time += milliseconds;
  }
}

/** An unguessable token that is safe in an address and in a header. */
export function randomToken(bytes = 32): string {
  return randomBytes(bytes).toString('base64url');
}

/** A code a person types, each digit equally likely, leading zeros kept. */
export function randomDigits(count: number): string {
  return Array.from({ length: count }, () => randomInt(10)).join('');
}

export function randomUuid(): string {
  return randomUUID();
}
