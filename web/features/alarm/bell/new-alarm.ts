/** When the newest open alarm came that nobody has acknowledged, out of those of each severity; null where there is none. */
export function newestOf(rows: readonly { newestUnacknowledged: string | null }[]): number | null {
  const times = rows.flatMap(({ newestUnacknowledged: at }) => (at === null ? [] : Date.parse(at)));
  return times.length === 0 ? null : Math.max(...times);
}

/**
 * Follows the newest alarm. What is there when the page opens is not new, and neither is one that another tab has
 * already sounded for; `heard` is the newest that any tab has.
 */
export function listen(
  before: number | null | undefined,
  newest: number | null,
  heard: number,
): { latest: number | null; isNew: boolean; sounds: boolean } {
  if (before === undefined) {
    return { latest: newest, isNew: false, sounds: false };
  }
  const isNew = newest !== null && newest > (before ?? Number.NEGATIVE_INFINITY);
  return { latest: isNew ? newest : before, isNew, sounds: isNew && newest > heard };
}

/**
 * After which moment the new alarms came, when the newest of those that wait was one and is another now. The server counts
 * in microseconds and these are milliseconds, so the one before is passed by one, and an only one is met by one.
 */
export function newSince(before: number | null | undefined, newest: number | null): Date {
  return new Date(typeof before === 'number' ? before + 1 : (newest ?? 0) - 1);
}

/** A list that shows every open alarm shows the new one too: it slides in there. */
export function isShownAnyway(pathname: string, search: object): boolean {
  return pathname === '/dashboard/alarms' && Object.keys(search).every((key) => key === 'alarm');
}
