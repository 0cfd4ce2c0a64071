/** How a message reaches a person; the numbers are those that notifications and the outbox are stored with. */
export const METHOD = { email: 1, whatsapp: 2, sms: 3, push: 4 } as const;
export type MethodType = (typeof METHOD)[keyof typeof METHOD];

export interface Message {
  /** The customer whose business this is. */
  customerUuid: string;
  /** Where to, in the form the channel's `checkAddress` accepts. */
  address: string;
  subject: string;
  text: string;
  html?: string;
  /** The same for every attempt to send this message, so that a receiver can tell a repetition. */
  idempotencyKey: string;
}

/**
 * `sent` is as far as the channel can see; `delivered` is proof of arrival. `retry` means the same message may go
 * through later; `give-up` means it never will, and says why in a sentence.
 */
export type SendResult =
  | { outcome: 'delivered' | 'sent'; providerId: string; answer: string }
  | { outcome: 'retry'; because: string }
  | { outcome: 'give-up'; because: string };

export type ChannelHealth = { ok: true } | { ok: false; problem: string };

/** One way to reach a person. It describes itself, so that nothing else needs to know which channels there are. */
export interface Channel {
  readonly name: string;
  readonly title: string;
  readonly methodType: MethodType;
  /** False where the message only goes to the built-in outbox. */
  readonly leavesTheHouse: boolean;
  /** What is wrong with an address, as a sentence, or undefined when it can be used. */
  checkAddress(address: string): string | undefined;
  /** Never throws: trouble is an outcome. */
  send(message: Message): Promise<SendResult>;
  /** Whether it could send now, for the health page. */
  check(): Promise<ChannelHealth>;
  close(): Promise<void>;
}
