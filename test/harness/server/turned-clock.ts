import type { BootTime, MachineTime } from '../../../server/platform/product-clock.ts';
import { ProductClock } from '../../../server/platform/product-clock.ts';
import type { TestClock } from './app.ts';

/** A machine whose wall clock a test sets, while its monotonic clock runs. */
export class HandMachine implements MachineTime {
  #wall: number;
  #steady = 0;
  #boot = 1;
  #bootedAt = 0;

  constructor(start: Date) {
    this.#wall = start.getTime();
  }

  wall(): number {
    return this.#wall;
  }

  steady(): number {
    return this.#steady;
  }

  boot(): BootTime {
    return { boot: `boot ${this.#boot}`, uptime: this.#steady - this.#bootedAt };
  }

  /** Real time passes. */
  advance(milliseconds: number): void {
    this.#wall += milliseconds;
    this.#steady += milliseconds;
  }

  /** Sets the wall clock. */
  step(milliseconds: number): void {
    this.#wall += milliseconds;
  }

  reboot(): void {
    this.#boot += 1;
    this.#bootedAt = this.#steady;
  }
}

/** The product clock on such a machine. */
export class TurnedClock extends ProductClock implements TestClock {
  readonly hand: HandMachine;

  /** How far the database's clock is ahead of the wall clock. A test cannot set the database's clock. */
  databaseAhead = 0;

  constructor(start: Date, hand = new HandMachine(start)) {
    super(hand);
    this.hand = hand;
  }

  advance(milliseconds: number): void {
    this.hand.advance(milliseconds);
  }

  override behindDatabase(): number {
    return this.databaseAhead;
  }

  /** Lets real time pass until product time reaches this. */
  set(time: Date): void {
    this.hand.advance(time.getTime() - this.now().getTime());
  }
}
