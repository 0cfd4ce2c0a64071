import type { MethodType } from '../../domain/notification/methods.ts';
import type { Severity } from '../../domain/rule/priority.ts';

export { METHOD, type MethodType } from '../../domain/notification/methods.ts';

export interface Message {
  /** The customer whose business this is. */
  customerUuid: string;
  /** Where to, in the form the channel's `checkAddress` accepts. */
  address: string;
  subject: string;
  text: string;
  html?: string;
  /**
   * Where the person goes on, such as the alarm in the console. Push opens it. E-mail and WhatsApp append it to a text that does
   * not hold it; `html` must hold it itself. An SMS is billed by its length, so it carries no more than its text.
   */
  link?: string;
  /** Of a message about an alarm. */
  alarm?: { uuid: string; severity: Severity; isResolved: boolean };
  /** The same for every attempt to send this message, so that a receiver can tell a repetition. */
  idempotencyKey: string;
}

/**
 * `sent` is as far as the channel can see; `delivered` is proof of arrival. `retry` means the same message may go
 * through later; `give-up` means it never will, and says why in a sentence.
 */
export type SendResult =
  | { outcome: 'delivered' | 'sent'; providerId: string; answer: string }
  /** `afterSeconds` is how long the provider asked to be left alone. */
  | { outcome: 'retry'; because: string; afterSeconds?: number }
  /** `addressEnded` says that the address will never work again and may be forgotten. */
  | { outcome: 'give-up'; because: string; addressEnded?: true };

/** The text with the link at its end, where the text does not hold it already. */
export function withLink({ text, link }: Message): string {
  return link === undefined || text.includes(link) ? text : `${text.trimEnd()}\n\n${link}`;
}

export type SenderHealth = { ok: true } | { ok: false; problem: string };

/** One way to reach a person. It describes itself, so that nothing else needs to know which channels there are. */
export interface Sender {
  readonly name: string;
  readonly title: string;
  readonly methodType: MethodType;
  /** False where the message only goes to the built-in outbox. */
  readonly isExternal: boolean;
  /** How many sends it carries at the same time; further ones would only wait inside it. */
  readonly atOnce: number;
  /** What is wrong with an address, as a sentence, or undefined when it can be used. */
  checkAddress(address: string): string | undefined;
  /** Never throws: trouble is an outcome. */
  send(message: Message): Promise<SendResult>;
  /** Whether it could send now, for the health page. */
  check(): Promise<SenderHealth>;
  /** Why the provider does not report here what became of a message, though it was asked to. */
  receiptProblem?(): string | undefined;
  close(): Promise<void>;
}
