/**
 * Time is cut into slots of a site's health duration, counted from 1970 on in UTC. `tocsin_private.slots_between` in the
 * database is the same rule, and a test holds the two together.
 */
const HOUR = 3_600_000;

/** The beginning of the slot a moment lies in. */
export function slotStart(time: Date, hours: number): Date {
  const slot = hours * HOUR;
  return new Date(Math.floor(time.getTime() / slot) * slot);
}

/** How many slots begin from one moment on and before another. */
export function slotsBetween(hours: number, from: Date, to: Date): number {
  const slot = hours * HOUR;
  return Math.max(0, Math.ceil(to.getTime() / slot) - Math.ceil(from.getTime() / slot));
}
