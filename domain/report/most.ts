/** How many sites and rules a page and paper show: those with the most alarms. */
export const MOST = 10;

/** How many sites and rules had alarms. */
export interface Offenders {
  sites: number;
  rules: number;
}

/**
 * The heading of the sites or rules with the most alarms, which says how many there are where not all are shown: whoever puts
 * these in another order still sees no others. `all` is undefined while it is not known.
 */
export function mostTitle(kind: keyof Offenders, all: Offenders | undefined, locale?: string): string {
  const title = kind === 'sites' ? 'Sites with the most alarms' : 'Rules with the most alarms';
  const count = all?.[kind] ?? 0;
  if (count <= MOST) return title;
  return `${title}: ${MOST} of ${count.toLocaleString(locale)}`;
}
