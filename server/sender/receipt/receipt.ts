import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { ReceiptState } from '../../../domain/notification/receipt.ts';

/** A provider's report about one message. */
export interface Receipt {
  providerId: string;
  state: ReceiptState;
  /** The reason of a failure as a sentence, or the provider's word for delivered. */
  words: string;
}

/** An HTTP request of a provider. */
export interface ReceiptCall {
  method: string;
  query: URLSearchParams;
  /** The raw query string, with its question mark, or an empty string. */
  search: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** The secret part of the address, if the endpoint has one. */
  secret: string;
}

export type ReceiptVerdict =
  /** `unusable`: reasons why entries have no usable receipt, without their contents. */
  | { kind: 'receipts'; receipts: Receipt[]; unusable?: string[] }
  /** Answer to a provider's check of the address. */
  | { kind: 'greeting'; text: string }
  | { kind: 'refused'; because: string };

/** Receives the receipts of one provider. */
export interface ReceiptEndpoint {
  /** Name of the sender. A receipt can change only messages of this sender. */
  readonly provider: string;
  /** Fastify route; `:secret` is the secret part of the address. */
  readonly route: string;
  readonly mostBytes: number;
  /** Refuses calls that are not from the provider. Never throws. */
  read(call: ReceiptCall): ReceiptVerdict;
}

/** Compares in constant time. */
export function sameSecret(left: string, right: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}

/** Longer ids are not stored, so they cannot match. */
export function isUsableId(id: unknown): id is string {
  return typeof id === 'string' && id.trim() !== '' && id.length <= 500;
}
