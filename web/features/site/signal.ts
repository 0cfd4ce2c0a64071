/** The received power from which each further bar is filled, in dBm. */
const steps = [-109, -95, -85, -75];

/** How many of the four bars of a GSM signal are filled. */
export function barsOf(dbm: number): number {
  return steps.filter((step) => dbm >= step).length;
}
