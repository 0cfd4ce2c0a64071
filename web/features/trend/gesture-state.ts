/** A gesture ends after this many milliseconds without movement. */
const END_AFTER_MS = 120;

/**
 * Tracks whether a pan or zoom gesture is in progress. During a gesture, the chart draws a simplified picture many
 * times per second. When the gesture ends, `onEnd` draws the full picture.
 */
export class GestureState {
  private readonly onEnd: () => void;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(onEnd: () => void) {
    this.onEnd = onEnd;
  }

  get moving(): boolean {
    return this.timer !== undefined;
  }

  move(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.onEnd();
    }, END_AFTER_MS);
  }

  /** Cancels the pending call of `onEnd`. Called when the chart is unmounted. */
  cancel(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}
