import { percentWords } from './percent.ts';

export interface DeliverySums {
  messages: number;
  queued: number;
  sent: number;
  delivered: number;
  /** Number of messages in the built-in outbox, which were sent to nobody. */
  kept: number;
  failed: number;
}

type Counted = { [name in keyof DeliverySums]: number | null };

export function deliverySums(rows: readonly Counted[]): DeliverySums {
  const sum = (name: keyof DeliverySums) => rows.reduce((total, row) => total + (row[name] ?? 0), 0);
  return {
    messages: sum('messages'),
    queued: sum('queued'),
    sent: sum('sent'),
    delivered: sum('delivered'),
    kept: sum('kept'),
    failed: sum('failed'),
  };
}

/**
 * Returns the percentage of messages that were sent or delivered, without those still queued. Messages that are only in
 * the built-in outbox count as not sent. Returns null if all messages are queued.
 */
export function deliveryShare({ messages, queued, sent, delivered }: DeliverySums): number | null {
  const decided = messages - queued;
  return decided === 0 ? null : (100 * (sent + delivered)) / decided;
}

/** Formats the delivery share: `92.4 %`, or `–` if there is none. */
export function deliveryRate(sums: DeliverySums): string {
  const percent = deliveryShare(sums);
  return percent === null ? '–' : percentWords(percent);
}
