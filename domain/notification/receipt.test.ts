import { expect, test } from 'vitest';
import { afterReceipt, type MessageState, type ReceiptState } from './receipt.ts';

test.each<[MessageState, ReceiptState, object]>([
  ['sent', 'delivered', { changes: true, state: 'delivered' }],
  ['sent', 'failed', { changes: true, state: 'failed' }],
  ['failed', 'delivered', { changes: true, state: 'delivered' }],
  ['delivered', 'failed', { changes: false, because: 'has-arrived' }],
  ['delivered', 'delivered', { changes: false, because: 'known-already' }],
  ['failed', 'failed', { changes: false, because: 'known-already' }],
  ['queued', 'delivered', { changes: false, because: 'not-sent' }],
])('a %s message with a receipt of %s: %o', (state, reported, after) => {
  expect(afterReceipt(state, reported)).toEqual(after);
});

test('ends as delivered if any receipt says so, in any order and number', () => {
  const orders: ReceiptState[][] = [
    ['delivered', 'failed'],
    ['failed', 'delivered'],
    ['failed', 'failed', 'delivered', 'delivered', 'failed'],
  ];
  for (const order of orders) {
    const end = order.reduce<MessageState>((state, reported) => {
      const after = afterReceipt(state, reported);
      return after.changes ? after.state : state;
    }, 'sent');
    expect(end, order.join(', ')).toBe('delivered');
  }
});
