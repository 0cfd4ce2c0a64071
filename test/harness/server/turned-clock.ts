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

  /** Advances both clocks, as real time does. */
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

/** A product clock on a `HandMachine`. */
export class TurnedClock extends ProductClock implements TestClock {
  readonly hand: HandMachine;

  /**
   * Milliseconds by which the database's clock counts as ahead of the wall clock. The real database's clock cannot be
   * set.
   */
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

  /** Advances real time until product time reaches `time`. */
  set(time: Date): void {
    this.hand.advance(time.getTime() - this.now().getTime());
  }
}
