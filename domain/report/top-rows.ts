import { type Sort, writeSort } from '../order.ts';

/**
 * Maximum number of rows in the table of sites and in the table of rules, on the page and in the PDF. By default, these
 * are the rows with the most alarms.
 */
export const TOP_ROWS = 10;

/** Total numbers of sites and of rules that had alarms. */
export interface AlarmingCounts {
  sites: number;
  rules: number;
}

/**
 * Returns whether the sort order changes which rows are shown. It does if there are more than `TOP_ROWS` rows and the
 * rows with the most alarms do not come first. `all` is undefined while loading.
 */
export function isReordered(kind: keyof AlarmingCounts, all: AlarmingCounts | undefined, sort: Sort | null): boolean {
  return sort !== null && writeSort(sort) !== '-alarms' && (all?.[kind] ?? 0) > TOP_ROWS;
}

/**
 * Returns the heading of the top sites or rules. The heading states the total count if not all rows are shown. `all` is
 * undefined while loading.
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

/**
 * Returns the heading of the top rules. The heading also states the number of alarms of silent sites, which have no
 * rule.
 */
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
