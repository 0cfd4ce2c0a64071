import { type Sort, writeSort } from '../order.ts';

/** How many sites and rules a page and paper show: those with the most alarms. */
export const TOP_ROWS = 10;

/** How many sites and rules had alarms. */
export interface AlarmingCounts {
  sites: number;
  rules: number;
}

/** Whether an order that somebody chose shows others than those with the most alarms: `all` is how many there are, where that is known. */
export function isReordered(kind: keyof AlarmingCounts, all: AlarmingCounts | undefined, sort: Sort | null): boolean {
  return sort !== null && writeSort(sort) !== '-alarms' && (all?.[kind] ?? 0) > TOP_ROWS;
}

/**
 * The heading of the sites or rules with the most alarms, which says how many there are where not all are shown; in another order
 * those are the first of all in it. `all` is undefined while it is not known.
 */
export function topTitle(
  kind: keyof AlarmingCounts,
  all: AlarmingCounts | undefined,
  sort: Sort | null,
  locale?: string,
): string {
  const noun = kind === 'sites' ? 'Sites' : 'Rules';
  const count = all?.[kind] ?? 0;
  const some = `${TOP_ROWS} of ${count.toLocaleString(locale)}`;
  if (isReordered(kind, all, sort)) return `${noun} with alarms: the first ${some} in this order`;
  return `${noun} with the most alarms${count > TOP_ROWS ? `: ${some}` : ''}`;
}

/** The same of rules, which says how many alarms are not theirs: that of a silent site comes from no rule. */
export function rulesTitle(
  all: AlarmingCounts | undefined,
  sort: Sort | null,
  silent: number,
  locale?: string,
): string {
  const title = topTitle('rules', all, sort, locale);
  if (silent === 0) return title;
  return `${title}, without ${silent.toLocaleString(locale)} ${silent === 1 ? 'alarm of a silent site' : 'alarms of silent sites'}`;
}
