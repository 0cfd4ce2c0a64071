/** Frames of the whole plant in a second, where nobody asked for more. */
const MOST_FRAMES_PER_SECOND = 15;

/**
 * How many times slower than usual each sensor sends, or quicker where it is less than 1. `channels` has how many values
 * each sensor sends at a time; their intervals are drawn evenly from the least to the most.
 */
export function slowerBy(
  channels: readonly number[],
  [least, most]: readonly [least: number, most: number],
  valuesPerSecond: number | undefined,
): number {
  if (valuesPerSecond === undefined) return Math.max(1, channels.length / least / MOST_FRAMES_PER_SECOND);
  const values = channels.reduce((sum, count) => sum + count, 0);
  // The mean of 1/t over evenly drawn intervals t is more than 1 over their mean.
  return (values * Math.log(most / least)) / (most - least) / valuesPerSecond;
}

/** Whole seconds, as people set devices; milliseconds where it has to be quicker. */
export function inWholeSteps(seconds: number): number {
  return seconds >= 10 ? Math.round(seconds) : Math.max(1, Math.round(seconds * 1000)) / 1000;
}
