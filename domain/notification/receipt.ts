export type MessageState = 'queued' | 'sent' | 'delivered' | 'failed';

/** What a provider says afterwards of a message that it took. */
export type ReceiptState = 'delivered' | 'failed';

export type AfterReceipt =
  | { changes: true; state: ReceiptState }
  | { changes: false; because: 'known-already' | 'has-arrived' | 'not-sent' };

/**
 * What a receipt does to a message. Receipts come more than once and in any order, so what has arrived stays so, and an arrival
 * overrules a failure that was reported before it.
 */
export function afterReceipt(state: MessageState, reported: ReceiptState): AfterReceipt {
  if (state === reported) return { changes: false, because: 'known-already' };
  if (state === 'delivered') return { changes: false, because: 'has-arrived' };
  if (state === 'queued') return { changes: false, because: 'not-sent' };
  return { changes: true, state: reported };
}
