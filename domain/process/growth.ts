/** Size of the database at the time `at`, in milliseconds since 1970. */
export interface Size {
  at: number;
  bytes: number;
  /** Free disk space for the database; null if it is unknown. */
  freeBytes: number | null;
}

export type Growth =
  | { known: false; because: 'too-short' }
  | { known: true; bytesPerDay: number; full: FullDisk; days: number };

/**
 * Time at which the disk will be full if the database keeps growing at this rate, or the reason why the time is
 * unknown.
 */
export type FullDisk = { at: number; inDays: number } | { because: 'unknown-disk' | 'not-growing' };

const DAY_MS = 86_400_000;

/**
 * Returns the mean growth from the first to the last size, and when the disk will be full. `sizes` must be in
 * chronological order. If they span less than a day, there is no result, because the load changes with the time of day.
 */
export function growthOf(sizes: readonly Size[]): Growth {
  const [first, last] = [sizes[0], sizes.at(-1)];
  const days = first && last ? (last.at - first.at) / DAY_MS : 0;
  if (!first || !last || days < 1) return { known: false, because: 'too-short' };
  const bytesPerDay = (last.bytes - first.bytes) / days;
  return { known: true, bytesPerDay, full: fullDisk(last, bytesPerDay), days };
}

function fullDisk({ at, freeBytes }: Size, bytesPerDay: number): FullDisk {
  if (freeBytes === null) return { because: 'unknown-disk' };
  if (freeBytes <= 0) return { at, inDays: 0 };
  if (bytesPerDay <= 0) return { because: 'not-growing' };
  const inDays = freeBytes / bytesPerDay;
  return { at: at + inDays * DAY_MS, inDays };
}
