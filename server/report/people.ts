import { deliveryShare, deliverySums } from '../../domain/report/delivery.ts';
import type { Orders } from './work.ts';

/** As the pages call them. */
const ways: Readonly<Record<number, string>> = { 1: 'E-mail', 2: 'WhatsApp', 3: 'SMS', 4: 'Push' };

export function methodName(method: number): string {
  return ways[method] ?? 'Message';
}

/** What the tables of persons can be put in order by, as their pages call it. */
export const personOrders: Orders = {
  name: (row) => row.recipient_name,
  way: (row) => methodName(row.method_type),
  messages: (row) => row.messages,
  acknowledged: (row) => row.acknowledged,
  byThemselves: (row) => row.by_themselves,
  rate: (row) => deliveryShare(deliverySums([row])),
  delivered: (row) => row.delivered,
  kept: (row) => row.kept,
  failed: (row) => row.failed,
  median: (row) => row.median_seconds,
  p90: (row) => row.p90_seconds,
};
