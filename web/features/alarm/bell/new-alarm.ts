/** Returns the creation time of the newest unacknowledged open alarm of any severity; null if there is none. */
export function newestOf(rows: readonly { newestUnacknowledged: string | null }[]): number | null {
  const times = rows.flatMap(({ newestUnacknowledged: at }) => (at === null ? [] : Date.parse(at)));
  return times.length === 0 ? null : Math.max(...times);
}

/**
 * Detects a new alarm. All arguments are creation times. `before` is the `latest` that the last call returned. When the
 * page opens, it is undefined, and no alarm counts as new. `lastSounded` is the newest alarm for which any tab has
 * played the sound, so that only one tab plays it.
 */
export function detectNewAlarm(
  before: number | null | undefined,
  newest: number | null,
  lastSounded: number,
): { latest: number | null; isNew: boolean; sounds: boolean } {
  if (before === undefined) {
    return { latest: newest, isNew: false, sounds: false };
  }
  const isNew = newest !== null && newest > (before ?? Number.NEGATIVE_INFINITY);
  return { latest: isNew ? newest : before, isNew, sounds: isNew && newest > lastSounded };
}

/**
 * Returns the time after which the new alarms were created. The arguments are rounded to milliseconds, but the server
 * stores microseconds. Adding 1 ms excludes the previous newest alarm. Without a previous alarm, subtracting 1 ms
 * includes the newest one.
 */
export function newSince(before: number | null | undefined, newest: number | null): Date {
  return new Date(typeof before === 'number' ? before + 1 : (newest ?? 0) - 1);
}

/** Returns true if the page is the unfiltered list of open alarms. New alarms appear in it, so they need no toast. */
export function isShownInList(pathname: string, search: object): boolean {
  return pathname === '/dashboard/alarms' && Object.keys(search).every((key) => key === 'alarm');
}
