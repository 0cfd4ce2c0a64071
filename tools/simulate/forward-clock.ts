/** A clock that never goes back: when the machine's clock is set back, it continues by the monotonic clock. */
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
