import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { ReceiptState } from '../../../domain/notification/receipt.ts';

/** What a provider says of one message that it took. */
export interface Receipt {
  providerId: string;
  state: ReceiptState;
  /** Why it failed, as a sentence, or the provider's own word for having arrived. */
  words: string;
}

/** A provider's call, as it came. */
export interface ReceiptCall {
  method: string;
  query: URLSearchParams;
  /** The query as it was written, with its question mark, or nothing. */
  search: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** The part of the address that only the provider knows, where the door has one. */
  secret: string;
}

export type ReceiptVerdict =
  /** `unusable` says what was missing in those that say nothing of any message, without what stood in them. */
  | { kind: 'receipts'; receipts: Receipt[]; unusable?: string[] }
  /** Some providers want proof that the address is meant for them before they report to it. */
  | { kind: 'greeting'; text: string }
  | { kind: 'refused'; because: string };

/** Where one provider reports what became of its messages. */
export interface ReceiptDoor {
  /** The name of the channel: only messages that this channel sent can be spoken of. */
  readonly provider: string;
  /** The route, in which `:secret` stands for what only the provider knows. */
  readonly route: string;
  readonly mostBytes: number;
  /** Lets nothing in that the provider did not send; never throws. */
  read(call: ReceiptCall): ReceiptVerdict;
}

/** Takes the same time wherever the two differ. */
export function sameSecret(left: string, right: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}

/** An id as a channel keeps it: nothing that is longer can be one of ours. */
export function usableId(id: unknown): id is string {
  return typeof id === 'string' && id.trim() !== '' && id.length <= 500;
}
