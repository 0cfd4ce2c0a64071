import type { MethodType } from '../../../domain/notification/methods.ts';
import { readPhoneNumber } from '../../../domain/notification/phone-number.ts';
import { isUsableId, type ReceiptCall } from '../receipt/receipt.ts';
import type { InboundMessage } from './message.ts';

export type InboundVerdict =
  /** `unusable` lists the reasons why entries were skipped. The reasons contain no values of the entries. */
  { kind: 'messages'; messages: InboundMessage[]; unusable: string[] } | { kind: 'refused'; because: string };

/** Endpoint that receives the messages of one provider. */
export interface InboundEndpoint {
  /** Name of the sender. An answer can only concern a message that this sender sent. */
  readonly provider: string;
  readonly method: MethodType;
  /** Fastify route. `:secret` is the secret part of the address. */
  readonly route: string;
  readonly mostBytes: number;
  /** Parses the messages in a call. Refuses calls that are not from the provider. Never throws. */
  read(call: ReceiptCall, now: Date): InboundVerdict;
}

const LONGEST_TEXT = 2000;

/** Returns the message; undefined if it has no usable id. `from` may lack the +, which some providers omit. */
export function inboundMessage(values: {
  id: unknown;
  from: unknown;
  text: unknown;
  sentAt?: Date | undefined;
  quoted?: unknown;
}): InboundMessage | undefined {
  const { id, from, text, sentAt, quoted } = values;
  if (!isUsableId(id)) return undefined;
  const written = typeof from === 'string' ? from.trim() : '';
  return {
    id,
    from: readPhoneNumber(written) ?? readPhoneNumber(`+${written}`),
    // PostgreSQL cannot store NUL characters.
    text: typeof text === 'string' ? text.slice(0, LONGEST_TEXT).toWellFormed().replaceAll('\0', '') : '',
    ...(sentAt && { sentAt }),
    ...(isUsableId(quoted) && { quoted }),
  };
}
