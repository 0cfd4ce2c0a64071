/** Default maximum of frames per second for the whole plant. */
const MOST_FRAMES_PER_SECOND = 15;

/**
 * Returns the factor by which every sensor's interval is multiplied to reach the requested rate. `channels` is the
 * number of values in each sensor's frame. Intervals are uniformly distributed between `least` and `most`.
 */
export function intervalFactor(
  channels: readonly number[],
  [least, most]: readonly [least: number, most: number],
  valuesPerSecond: number | undefined,
): number {
  if (valuesPerSecond === undefined) return Math.max(1, channels.length / least / MOST_FRAMES_PER_SECOND);
  const values = channels.reduce((sum, count) => sum + count, 0);
  // The average of `1 / interval` over uniformly distributed intervals is `ln(most / least) / (most - least)`.
  return (values * Math.log(most / least)) / (most - least) / valuesPerSecond;
}

/** Rounds to whole seconds, or to milliseconds below 10 s. */
export function roundInterval(seconds: number): number {
  return seconds >= 10 ? Math.round(seconds) : Math.max(1, Math.round(seconds * 1000)) / 1000;
}
