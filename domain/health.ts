/**
 * A health slot is as long as the site's health duration. Slots are aligned to 1970-01-01 in UTC.
 * `tocsin_private.slots_between` counts them in the same way in the database; a test compares the two.
 */
const HOUR = 3_600_000;

/** Returns the start of the slot that contains the time. */
export function slotStart(time: Date, hours: number): Date {
  const slot = hours * HOUR;
  return new Date(Math.floor(time.getTime() / slot) * slot);
}

/** Counts the slots that start at or after `from` and before `to`. */
export function slotsBetween(hours: number, from: Date, to: Date): number {
  const slot = hours * HOUR;
  return Math.max(0, Math.ceil(to.getTime() / slot) - Math.ceil(from.getTime() / slot));
}
