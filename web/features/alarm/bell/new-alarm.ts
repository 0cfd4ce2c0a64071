/** Returns when the newest unacknowledged open alarm was created, over all severities; null if there is none. */
export function newestOf(rows: readonly { newestUnacknowledged: string | null }[]): number | null {
  const times = rows.flatMap(({ newestUnacknowledged: at }) => (at === null ? [] : Date.parse(at)));
  return times.length === 0 ? null : Math.max(...times);
}

/**
 * Decides whether a new alarm has come. `before` is the newest alarm of the last call; undefined when the page opens, and
 * then nothing is new. `lastSounded` is the newest alarm that any tab has sounded for: each alarm sounds in one tab only.
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
 * Returns the time after which the new alarms were created. The server stores microseconds, these times are rounded to
 * milliseconds: add one to exclude the previous newest alarm; subtract one to include the only one.
 */
export function newSince(before: number | null | undefined, newest: number | null): Date {
  return new Date(typeof before === 'number' ? before + 1 : (newest ?? 0) - 1);
}

/** True on the unfiltered list of open alarms: the new alarm appears there, so it needs no toast. */
export function isShownInList(pathname: string, search: object): boolean {
  return pathname === '/dashboard/alarms' && Object.keys(search).every((key) => key === 'alarm');
}
