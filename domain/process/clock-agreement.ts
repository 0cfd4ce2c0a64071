/** If two clocks differ by more than this, in milliseconds, clock-driven work stops. */
export const MOST_APART_MS = 2000;
/**
 * Clock-driven work starts again below this difference, in milliseconds. The hysteresis prevents a clock near the limit
 * from stopping the work repeatedly.
 */
const TOGETHER_MS = 1000;

/**
 * Returns the offset from the database's clock, in milliseconds, that all processes should have. The offset is 0 if at
 * least one process agrees with the database. If no process agrees, the database's clock was set. The median offset
 * then lets the processes that agree with each other continue. `offsets` must not be empty.
 */
export function referenceOffset(offsets: readonly number[]): number {
  if (offsets.some((offset) => Math.abs(offset) <= MOST_APART_MS)) return 0;
  const sorted = offsets.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] as number;
}

/**
 * Returns whether a process must stop its clock-driven work. With a clock that differs too much from the other clocks,
 * it would handle deadlines too early or too late. A single process always continues, because no other process could do
 * its work.
 */
export function isClockApart(clocks: { own: number; others: readonly number[]; wasApart: boolean }): boolean {
  const { own, others, wasApart } = clocks;
  return Math.abs(own - referenceOffset([own, ...others])) > (wasApart ? TOGETHER_MS : MOST_APART_MS);
}
