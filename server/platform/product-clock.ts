import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { type Clock, systemClock } from './clock.ts';

/**
 * The machine's two clocks, in milliseconds. The wall clock can be changed at any time; the steady clock only advances.
 */
export interface MachineTime {
  wall(): number;
  /** Milliseconds since a fixed moment, including time in which the machine was suspended. */
  steady(): number;
  boot(): BootTime;
}

/** Id and uptime of the machine's current boot, which processes on the same machine can compare. */
export interface BootTime {
  /** Id of the boot; undefined if the operating system does not provide it. */
  boot: string | undefined;
  /** Uptime in milliseconds. */
  uptime: number;
}

/** A sudden change of the wall clock. */
export interface ClockStep {
  /** Product time at which the step was detected. */
  at: number;
  /** Size of the step in milliseconds; positive if the wall clock was set forward. */
  by: number;
}

/**
 * Threshold for steps: a larger change of the wall clock relative to the steady clock counts as a step, a smaller one
 * as drift.
 */
export const STEP_MS = 2000;
/**
 * Rate at which product time is adjusted towards the wall clock: 8.6 s per day. The adjustment adds an error of less
 * than five seconds in twelve hours.
 */
const SLEW = 1e-4;
/**
 * Maximum difference between product time and the wall clock that is corrected gradually. It allows for pauses of a
 * virtual machine, each of which adds a few seconds. A larger difference stays until a restart.
 */
const SLEW_WITHIN_MS = 5 * 60_000;
/**
 * Maximum rate at which NTP may adjust the wall clock relative to the steady clock. Linux adjusts both clocks in the
 * same way; other systems do not.
 */
const DRIFT = 1e-3;
/** Interval at which `check` must be called. */
export const CHECK_EVERY_MS = 1000;

/**
 * The product's clock. It starts at the wall clock and advances with the steady clock, so a step of the wall clock does
 * not move deadlines. It never goes backwards. `docs/decisions/0024` describes how it returns to the wall clock.
 */
export class ProductClock implements Clock {
  readonly machine: MachineTime;
  #product: number;
  #steady: number;
  #rate = 1;
  /** Wall clock minus steady clock at the last check, in milliseconds. */
  #offset: number;

  constructor(machine: MachineTime = machineTime) {
    this.machine = machine;
    this.#steady = machine.steady();
    this.#product = machine.wall();
    this.#offset = this.#product - this.#steady;
  }

  now(): Date {
    return new Date(this.#at(this.machine.steady()));
  }

  /** Wall clock minus product time, in milliseconds. */
  get difference(): number {
    return Math.round(this.machine.wall() - this.#at(this.machine.steady()));
  }

  /**
   * Returns how far the database's clock is ahead of the wall clock, in milliseconds. `database` is the database's
   * time, read between the wall clock time `asked` and now. Returns 0 if `database` lies within this interval.
   */
  behindDatabase(database: number, asked: number): number {
    return Math.round(database - Math.min(Math.max(database, asked), this.machine.wall()));
  }

  /** Sets product time. Call it only at start, before other code reads the clock. */
  startAt(product: number): void {
    this.#steady = this.machine.steady();
    this.#product = product;
    this.#offset = this.machine.wall() - this.#steady;
  }

  /**
   * Compares the wall clock with the steady clock. Returns the step of the wall clock since the last check; undefined
   * if there was none.
   */
  check(): ClockStep | undefined {
    const steady = this.machine.steady();
    const wall = this.machine.wall();
    const elapsed = steady - this.#steady;
    const product = this.#at(steady);
    this.#product = product;
    this.#steady = steady;
    const difference = wall - product;
    this.#rate = Math.abs(difference) <= SLEW_WITHIN_MS ? 1 + clamp(difference / CHECK_EVERY_MS, SLEW) : 1;
    const change = wall - steady - this.#offset;
    if (Math.abs(change) <= STEP_MS) {
      this.#offset += clamp(change, DRIFT * elapsed);
      return undefined;
    }
    this.#offset += change;
    return { at: Math.round(product), by: Math.round(change) };
  }

  #at(steady: number): number {
    return this.#product + (steady - this.#steady) * this.#rate;
  }
}

function clamp(value: number, most: number): number {
  return Math.max(-most, Math.min(most, value));
}

/**
 * Reads the machine's clocks. On Linux, Node's monotonic clock stops while the machine is suspended, but the uptime
 * continues, so the difference is added.
 */
class NodeMachineTime implements MachineTime {
  #asleep = 0;
  #comparedAt = Number.NEGATIVE_INFINITY;
  readonly #uptimeAhead = process.platform === 'linux' ? uptime() * 1000 - performance.now() : undefined;

  wall(): number {
    return systemClock.now().getTime();
  }

  steady(): number {
    const running = performance.now();
    if (this.#uptimeAhead !== undefined && running - this.#comparedAt >= CHECK_EVERY_MS) {
      this.#comparedAt = running;
      const asleep = uptime() * 1000 - running - this.#uptimeAhead;
      // The uptime is rounded, so small differences are ignored.
      if (asleep > this.#asleep + CHECK_EVERY_MS) this.#asleep = asleep;
    }
    return running + this.#asleep;
  }

  boot(): BootTime {
    try {
      return { boot: readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(), uptime: uptime() * 1000 };
    } catch {
      return { boot: undefined, uptime: 0 };
    }
  }
}

export const machineTime: MachineTime = new NodeMachineTime();
