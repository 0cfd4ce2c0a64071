/** Difference between two clocks, in milliseconds, above which work that depends on the time stops. */
export const MOST_APART_MS = 2000;
/** Difference below which it starts again. The gap keeps a clock near the limit from stopping it again and again. */
const TOGETHER_MS = 1000;

/**
 * Returns the offset from the database's clock that the clocks of all running processes should have, in milliseconds.
 * That is 0 if at least one process agrees with the database. If none does, the database's clock was set: then it is
 * the median, so that the processes that agree with each other continue. `offsets` must not be empty.
 */
export function referenceOffset(offsets: readonly number[]): number {
  if (offsets.some((offset) => Math.abs(offset) <= MOST_APART_MS)) return 0;
  const sorted = offsets.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] as number;
}

/**
 * Decides whether a process must stop its clock-driven work, because its deadlines would come too early or too late. A
 * single process agrees with itself, because nobody else could do its work.
 */
export function isClockApart(clocks: { own: number; others: readonly number[]; wasApart: boolean }): boolean {
  const { own, others, wasApart } = clocks;
  return Math.abs(own - referenceOffset([own, ...others])) > (wasApart ? TOGETHER_MS : MOST_APART_MS);
}
