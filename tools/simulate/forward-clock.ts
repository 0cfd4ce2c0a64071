/**
 * Returns a clock that never goes back. If the machine's clock is set back, the returned clock continues with the
 * monotonic clock.
 */
export function forwardClock(
  wall: () => number = Date.now,
  steady: () => number = () => performance.now(),
): () => number {
  let ahead = wall() - steady();
  return () => {
    ahead = Math.max(ahead, wall() - steady());
    return Math.round(steady() + ahead);
  };
}
