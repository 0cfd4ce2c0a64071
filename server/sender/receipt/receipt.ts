import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { ReceiptState } from '../../../domain/notification/receipt.ts';
import type { InboundMessage } from '../inbound/message.ts';

/** A provider's report about one message. */
export interface Receipt {
  providerId: string;
  state: ReceiptState;
  /** For a failed message, the reason as a sentence. For a delivered message, the provider's status. */
  words: string;
}

/** An HTTP request from a provider. */
export interface ReceiptCall {
  method: string;
  query: URLSearchParams;
  /** Raw query string with its question mark; empty if there is none. */
  search: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** Secret part of the address; empty if the endpoint has none. */
  secret: string;
}

export type ReceiptVerdict =
  /**
   * `unusable` lists the reasons why entries of the call were skipped. The reasons contain no values of these entries.
   * `messages` are answers of people, if the provider delivers them to the same address.
   */
  | { kind: 'receipts'; receipts: Receipt[]; unusable?: string[]; messages?: InboundMessage[] }
  /** Response to a provider that checks the receipt address before it sends receipts. */
  | { kind: 'greeting'; text: string }
  | { kind: 'refused'; because: string };

/** Endpoint that receives the receipts of one provider. */
export interface ReceiptEndpoint {
  /** Name of the sender. A receipt can change only messages sent by this sender. */
  readonly provider: string;
  /** Fastify route. `:secret` is the secret part of the address. */
  readonly route: string;
  readonly mostBytes: number;
  /** True if answers of people come to the same address. */
  readonly takesAnswers?: boolean;
  /** Parses the receipts in a provider's call. Refuses calls that do not come from the provider. Never throws. */
  read(call: ReceiptCall): ReceiptVerdict;
}

/** Compares two secrets in constant time. */
export function sameSecret(left: string, right: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}

/** Returns whether an id can be the id of a message. Ids with more than 500 characters are never stored. */
export function isUsableId(id: unknown): id is string {
  return typeof id === 'string' && id.trim() !== '' && id.length <= 500;
}
