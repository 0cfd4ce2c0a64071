import { expect, test } from 'vitest';
import { deliveryRate, deliverySums } from './delivery.ts';

const row = (messages: number, failed: number, queued = 0, kept = 0) => ({
  messages,
  queued,
  sent: 0,
  delivered: messages - failed - queued - kept,
  kept,
  failed,
});

test('sums rows', () => {
  expect(
    deliverySums([
      row(10, 1, 2, 3),
      row(5, 0),
      { messages: null, queued: null, sent: 2, delivered: null, kept: 1, failed: null },
    ]),
  ).toEqual({
    ...{ messages: 15, queued: 2, sent: 2, delivered: 9, kept: 4, failed: 1 },
  });
});

test.each([
  [row(0, 0), '–'],
  [row(3, 0, 3), '–'],
  [row(10, 0, 2), '100 %'],
  [row(10_000, 1), '99.9 %'],
  [row(10_000, 762), '92.4 %'],
  [row(4, 4), '0.0 %'],
  [row(4, 0, 0, 4), '0.0 %'],
  [row(10, 0, 2, 2), '75.0 %'],
])('writes the delivery rate of %j as %s', (sums, words) => expect(deliveryRate(sums)).toBe(words));
