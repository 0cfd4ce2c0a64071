import { expect, test } from 'vitest';
import { alarmOrders, deliveryOrders, listOrder, orderWords } from './list-order.ts';

test('an order of the list is taken as it is written, and any other is none', () => {
  expect(listOrder({ column: 'site', descending: true }, deliveryOrders)).toBe('-site');
  expect(listOrder({ column: 'person', descending: false }, deliveryOrders)).toBe('person');
  expect(listOrder({ column: 'office', descending: false }, deliveryOrders)).toBeNull();
  expect(listOrder(null, deliveryOrders)).toBeNull();
});

test('paper says in which order rows are', () => {
  expect(orderWords(null, alarmOrders, 'newest first')).toBe('Rows newest first');
  expect(orderWords({ column: 'colour', descending: false }, alarmOrders, 'newest first')).toBe('Rows newest first');
  expect(orderWords({ column: 'site', descending: true }, alarmOrders, '')).toBe('Rows ordered by site, in reverse');
  expect(orderWords({ column: 'opened', descending: false }, alarmOrders, '')).toBe('Rows ordered by opening time');
  expect(orderWords({ column: 'w2', descending: false }, ['w2'], '', ['5 Oct', '12 Oct'])).toBe(
    'Rows ordered by 12 Oct',
  );
});
