import { expect, test } from 'vitest';
import { alarmOrders, deliveryOrders, listOrder, orderWords } from './list-order.ts';

test('returns an order of the list as written, and null for any other', () => {
  expect(listOrder({ column: 'site', descending: true }, deliveryOrders)).toBe('-site');
  expect(listOrder({ column: 'person', descending: false }, deliveryOrders)).toBe('person');
  expect(listOrder({ column: 'office', descending: false }, deliveryOrders)).toBeNull();
  expect(listOrder(null, deliveryOrders)).toBeNull();
});

test('describes the sort order for print', () => {
  expect(orderWords(null, alarmOrders, 'newest first')).toBe('Rows newest first');
  expect(orderWords({ column: 'colour', descending: false }, alarmOrders, 'newest first')).toBe('Rows newest first');
  expect(orderWords({ column: 'site', descending: true }, alarmOrders, '')).toBe('Rows sorted by site, descending');
  expect(orderWords({ column: 'opened', descending: false }, alarmOrders, '')).toBe('Rows sorted by opening time');
  expect(orderWords({ column: 'w2', descending: false }, ['w2'], '', ['5 Oct', '12 Oct'])).toBe(
    'Rows sorted by 12 Oct',
  );
});
