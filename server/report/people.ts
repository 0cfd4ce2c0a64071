import { methodTitle } from '../../domain/notification/methods.ts';
import { deliveryShare, deliverySums } from '../../domain/report/delivery.ts';
import type { personOrders as outcomes, recipientOrders } from '../../domain/report/list-order.ts';
import type { Orders } from './context.ts';

/** For the tables by person: for each sort column, a function that returns the value by which a row is sorted. */
export const personOrders: Orders<(typeof recipientOrders | typeof outcomes)[number]> = {
  name: (row) => row.recipient_name,
  way: (row) => methodTitle(row.method_type),
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
