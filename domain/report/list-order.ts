import { type Sort, writeSort } from '../order.ts';

/** Sort keys of the long report lists, as used in URLs and in the API. */
export const acknowledgementOrders = ['time', 'site', 'office', 'person', 'by', 'after'] as const;
export const deliveryOrders = ['time', 'way', 'person', 'site', 'state'] as const;
export const alarmOrders = ['severity', 'opened', 'message', 'site'] as const;

/** Sort keys of the summary tables, such as the table of alarms by site. */
export const recipientOrders = ['name', 'messages', 'acknowledged', 'byThemselves', 'median', 'p90'] as const;
export const methodOrders = ['name', 'messages', 'rate', 'delivered', 'kept', 'failed', 'median', 'p90'] as const;
export const personOrders = [...methodOrders, 'way'] as const;
export const siteOrders = ['name', 'alarms', 'open', 'mean', 'longest'] as const;
export const ruleOrders = ['name', 'site', 'alarms'] as const;
export const smsOrders = ['name', 'alarm', 'health', 'resolve', 'other', 'messages', 'segments', 'cost'] as const;
export const gapOrders = ['name', 'to', 'lasted', 'slots'] as const;

/** Returns the sort order in the form `-site`; null if there is no sort order or the list does not have that column. */
export function listOrder(sort: Sort | null, columns: readonly string[]): string | null {
  return sort && columns.includes(sort.column) ? writeSort(sort) : null;
}

const names: Readonly<Record<string, string>> = {
  time: 'due time',
  office: 'unit office',
  by: 'person who acknowledged',
  after: 'time to acknowledge',
  opened: 'opening time',
  byThemselves: 'own acknowledgements',
  median: 'median',
  p90: '90th percentile',
  rate: 'share sent',
  open: 'open alarms',
  mean: 'mean duration',
  longest: 'longest duration',
  segments: 'billed segments',
  to: 'end',
  lasted: 'duration',
  today: 'the last day',
  kept: 'messages not sent',
};

/**
 * Describes the sort order for print: `Rows newest first`, `Rows sorted by site, descending`. For columns of weeks and
 * months, the text contains the column heading.
 */
export function orderWords(
  sort: Sort | null,
  columns: readonly string[],
  usual: string,
  periods: readonly string[] = [],
): string {
  if (!sort || !columns.includes(sort.column)) return `Rows ${usual}`;
  const period = periods[Number(/^w(\d+)$/.exec(sort.column)?.[1]) - 1];
  const name = period ?? names[sort.column] ?? sort.column;
  return `Rows sorted by ${name}${sort.descending ? ', descending' : ''}`;
}
