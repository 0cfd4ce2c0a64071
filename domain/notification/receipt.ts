export type MessageState = 'queued' | 'sent' | 'delivered' | 'failed';

/** State that a provider reports for a sent notification. */
export type ReceiptState = 'delivered' | 'failed';

export type AfterReceipt =
  | { changes: true; state: ReceiptState }
  | { changes: false; because: 'known-already' | 'has-arrived' | 'not-sent' };

/**
 * Returns the effect of a receipt on a notification. Receipts can be repeated and can arrive in any order. Therefore
 * `delivered` is final and overrides an earlier `failed`.
 */
export function afterReceipt(state: MessageState, reported: ReceiptState): AfterReceipt {
  if (state === reported) return { changes: false, because: 'known-already' };
  if (state === 'delivered') return { changes: false, because: 'has-arrived' };
  if (state === 'queued') return { changes: false, because: 'not-sent' };
  return { changes: true, state: reported };
}
