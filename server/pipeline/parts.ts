const DAY = 86_400_000;
const WEEK = 7 * DAY;
/** 1970 began on a Thursday; the Monday before it. */
const FIRST_MONDAY = -3 * DAY;

/** The Monday, in UTC, of the week a moment lies in. */
export function weekOf(time: number): number {
  return Math.floor((time - FIRST_MONDAY) / WEEK) * WEEK + FIRST_MONDAY;
}

/** The part of a table that holds a week: as tocsin_private.ensure_partitions names it, by ISO year and week. */
export function partName(parent: string, week: number): string {
  // The Thursday of a week lies in the year the week counts for.
  const thursday = new Date(week + 3 * DAY);
  const year = thursday.getUTCFullYear();
  const number = Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / WEEK) + 1;
  return `${parent}_${year}w${String(number).padStart(2, '0')}`;
}
