import type { MethodType } from '../../domain/notification/methods.ts';
import type { Severity } from '../../domain/rule/priority.ts';

export { METHOD, type MethodType } from '../../domain/notification/methods.ts';

export interface Message {
  /** Customer to which the message belongs. */
  customerUuid: string;
  /** Address of the recipient, in a format that `checkAddress` accepts. */
  address: string;
  subject: string;
  text: string;
  html?: string;
  /**
   * Link to a page for the recipient, such as the alarm in the console. A push notification opens the link. E-mail and
   * WhatsApp senders append it to the text unless the text already contains it. `html` must already contain it. SMS
   * senders ignore it, because longer messages cost more.
   */
  link?: string;
  /** The alarm that the message is about; undefined for other messages. */
  alarm?: { uuid: string; severity: Severity; isResolved: boolean };
  /** Key that is the same for every attempt, so that the provider can recognise a repeated message. */
  idempotencyKey: string;
}

/**
 * `sent`: the provider accepted the message. `delivered`: the message has arrived. `retry`: a later attempt may
 * succeed. `give-up`: no attempt can succeed. `because` is the reason.
 */
export type SendResult =
  | { outcome: 'delivered' | 'sent'; providerId: string; answer: string }
  /** `afterSeconds` is the delay before the retry that the provider requested. */
  | { outcome: 'retry'; because: string; afterSeconds?: number }
  /** `addressEnded` is true if the address will never work again and can be removed. */
  | { outcome: 'give-up'; because: string; addressEnded?: true };

/** Returns the text with the link appended, unless the text already contains it. */
export function withLink({ text, link }: Message): string {
  return link === undefined || text.includes(link) ? text : `${text.trimEnd()}\n\n${link}`;
}

export type SenderHealth = { ok: true } | { ok: false; problem: string };

/** Sends messages by one method. */
export interface Sender {
  readonly name: string;
  readonly title: string;
  readonly methodType: MethodType;
  /** False for the outbox, which sends nothing. */
  readonly isExternal: boolean;
  /** Maximum number of concurrent sends. */
  readonly atOnce: number;
  /** Returns a sentence that explains why an address is invalid; undefined if the address is valid. */
  checkAddress(address: string): string | undefined;
  /** Sends a message. Never throws; errors are returned as results. */
  send(message: Message): Promise<SendResult>;
  /** Checks whether the sender can send now, for the Senders page. */
  check(): Promise<SenderHealth>;
  /**
   * Returns why the provider cannot send receipts although they are configured; undefined if there is no such problem.
   */
  receiptProblem?(): string | undefined;
  close(): Promise<void>;
}
