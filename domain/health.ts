/**
 * Health slots have the length of the site's health duration and start at 1970 UTC. `tocsin_private.slots_between` counts them in
 * the same way in the database; a test compares the two.
 */
const HOUR = 3_600_000;

/** Start of the slot that contains the time. */
export function slotStart(time: Date, hours: number): Date {
  const slot = hours * HOUR;
  return new Date(Math.floor(time.getTime() / slot) * slot);
}

/** Number of slots that start at or after `from` and before `to`. */
export function slotsBetween(hours: number, from: Date, to: Date): number {
  const slot = hours * HOUR;
  return Math.max(0, Math.ceil(to.getTime() / slot) - Math.ceil(from.getTime() / slot));
}
