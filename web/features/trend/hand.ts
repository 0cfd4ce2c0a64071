/** How long nothing must move until a hand counts as resting. */
const REST = 120;

/**
 * Whether a hand moves the time of a chart right now. A chart under a hand draws what shows where one is, many times a
 * second; the whole picture follows once the hand rests.
 */
export class Hand {
  private readonly onRest: () => void;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(onRest: () => void) {
    this.onRest = onRest;
  }

  get moving(): boolean {
    return this.timer !== undefined;
  }

  move(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.onRest();
    }, REST);
  }

  /** The chart is gone, so there is nothing to draw when the hand rests. */
  leave(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}
