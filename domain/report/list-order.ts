import { type Sort, writeSort } from '../order.ts';

/** What the long lists of reports can be put in order by, as their addresses and the API call it. */
export const acknowledgementOrders = ['time', 'site', 'office', 'person', 'by', 'after'] as const;
export const deliveryOrders = ['time', 'way', 'person', 'site', 'state'] as const;
export const alarmOrders = ['severity', 'opened', 'message', 'site'] as const;

/** What their tables of figures can be put in order by, in the same words. */
export const recipientOrders = ['name', 'messages', 'acknowledged', 'byThemselves', 'median', 'p90'] as const;
export const methodOrders = ['name', 'messages', 'rate', 'delivered', 'kept', 'failed', 'median', 'p90'] as const;
export const personOrders = [...methodOrders, 'way'] as const;
export const siteOrders = ['name', 'alarms', 'open', 'mean', 'longest'] as const;
export const ruleOrders = ['name', 'site', 'alarms'] as const;
export const smsOrders = ['name', 'alarm', 'health', 'resolve', 'other', 'messages', 'parts', 'cost'] as const;
export const gapOrders = ['name', 'to', 'lasted', 'slots'] as const;

/** The order that somebody chose, as `-site`; null for none, or for one that the list does not have. */
export function listOrder(sort: Sort | null, columns: readonly string[]): string | null {
  return sort && columns.includes(sort.column) ? writeSort(sort) : null;
}

const names: Readonly<Record<string, string>> = {
  time: 'due time',
  office: 'unit office',
  by: 'person who acknowledged',
  after: 'time to acknowledge',
  opened: 'opening time',
  byThemselves: 'those acknowledged by the person',
  median: 'median',
  p90: '90th percentile',
  rate: 'share sent',
  open: 'number still open',
  mean: 'mean duration',
  longest: 'longest duration',
  parts: 'billed segments',
  to: 'end',
  lasted: 'duration',
  today: 'the last day',
  kept: 'those not sent',
};

/** What paper says of the order of rows: `Rows newest first`, `Rows ordered by site, in reverse`. Weeks and months are called as their heads are. */
export function orderWords(
  sort: Sort | null,
  columns: readonly string[],
  usual: string,
  periods: readonly string[] = [],
): string {
  if (!sort || !columns.includes(sort.column)) return `Rows ${usual}`;
  const period = periods[Number(/^w(\d+)$/.exec(sort.column)?.[1]) - 1];
  const name = period ?? names[sort.column] ?? sort.column;
  return `Rows ordered by ${name}${sort.descending ? ', in reverse' : ''}`;
}
