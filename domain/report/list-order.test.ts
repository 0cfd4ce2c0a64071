import { expect, test } from 'vitest';
import { deliveryOrders, listOrder } from './list-order.ts';

test('an order of the list is taken as it is written, and any other is none', () => {
  expect(listOrder({ column: 'site', descending: true }, deliveryOrders)).toBe('-site');
  expect(listOrder({ column: 'person', descending: false }, deliveryOrders)).toBe('person');
  expect(listOrder({ column: 'office', descending: false }, deliveryOrders)).toBeNull();
  expect(listOrder(null, deliveryOrders)).toBeNull();
});
