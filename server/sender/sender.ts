import type { MethodType } from '../../domain/notification/methods.ts';
import type { Severity } from '../../domain/rule/priority.ts';

export { METHOD, type MethodType } from '../../domain/notification/methods.ts';

export interface Message {
  /** Owner of the message. */
  customerUuid: string;
  /** Recipient, in the form that `checkAddress` accepts. */
  address: string;
  subject: string;
  text: string;
  html?: string;
  /**
   * Page for the recipient, such as the alarm in the console. Push opens it. E-mail and WhatsApp append it to a text
   * without it; `html` must contain it. SMS senders ignore it, because length costs money.
   */
  link?: string;
  /** Only for messages about an alarm. */
  alarm?: { uuid: string; severity: Severity; isResolved: boolean };
  /** The same for every attempt, so that the receiver can recognise a repeat. */
  idempotencyKey: string;
}

/**
 * `sent`: the provider accepted it. `delivered`: its arrival is proven. `retry`: a later attempt may succeed.
 * `give-up`: no attempt will, and `because` says why.
 */
export type SendResult =
  | { outcome: 'delivered' | 'sent'; providerId: string; answer: string }
  /** `afterSeconds` is the delay that the provider asked for. */
  | { outcome: 'retry'; because: string; afterSeconds?: number }
  /** `addressEnded`: the address will never work again and can be removed. */
  | { outcome: 'give-up'; because: string; addressEnded?: true };

/** Appends the link unless the text contains it. */
export function withLink({ text, link }: Message): string {
  return link === undefined || text.includes(link) ? text : `${text.trimEnd()}\n\n${link}`;
}

export type SenderHealth = { ok: true } | { ok: false; problem: string };

/** A provider of one method. */
export interface Sender {
  readonly name: string;
  readonly title: string;
  readonly methodType: MethodType;
  /** False for the outbox. */
  readonly isExternal: boolean;
  /** Maximum of concurrent sends. */
  readonly atOnce: number;
  /** The problem of an address as a sentence, or undefined if it is usable. */
  checkAddress(address: string): string | undefined;
  /** Never throws: every error is a result. */
  send(message: Message): Promise<SendResult>;
  /** Whether it can send now; shown on the page Senders. */
  check(): Promise<SenderHealth>;
  /** Why the provider sends no receipts although they are configured. */
  receiptProblem?(): string | undefined;
  close(): Promise<void>;
}
