/** A gesture ends after this many milliseconds without movement. */
const REST = 120;

/**
 * Tracks whether a pan or zoom gesture is in progress. During a gesture the chart draws a simpler picture many times a second; `onRest`
 * draws the full one.
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

  /** Cancels the pending draw when the chart is unmounted. */
  leave(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}
