import type { BootTime, MachineTime } from '../../../server/platform/product-clock.ts';
import { ProductClock } from '../../../server/platform/product-clock.ts';
import type { TestClock } from './app.ts';

/** A machine whose clock a test can set. Its monotonic clock never jumps. */
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

  /** Moves the machine's clock, but not its monotonic clock. */
  step(milliseconds: number): void {
    this.#wall += milliseconds;
  }

  reboot(): void {
    this.#boot += 1;
    this.#bootedAt = this.#steady;
  }
}

/** A product clock that reads its time from a `HandMachine`. */
export class TurnedClock extends ProductClock implements TestClock {
  readonly hand: HandMachine;

  /**
   * Milliseconds by which the simulated database's clock is ahead of the machine's clock. The clock of the real database
   * cannot be set.
   */
  databaseAhead = 0;

  constructor(start: Date, hand = new HandMachine(start)) {
    super(hand);
    this.hand = hand;
  }

  advance(milliseconds: number): void {
    this.hand.advance(milliseconds);
  }

  databaseNow(): Date {
    return new Date(this.hand.wall() + this.databaseAhead);
  }

  override behindDatabase(): number {
    return this.databaseAhead;
  }

  /** Advances both clocks until the product's time reaches `time`. */
  set(time: Date): void {
    this.hand.advance(time.getTime() - this.now().getTime());
  }
}
