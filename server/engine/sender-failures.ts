import type { Readiness } from '../process/readiness.ts';
import type { Sender, SendResult } from '../sender/sender.ts';

/** Number of consecutive failed attempts after which a sender counts as failing. */
const IN_A_ROW = 3;

/** Counts the failed attempts of each sender since its last success. Reports failing senders with the heartbeat. */
export class SenderFailures {
  readonly #failed = new Map<Sender, { count: number; because: string }>();

  constructor(senders: readonly Sender[], readiness: Readiness) {
    for (const sender of senders) {
      readiness.report(`sender ${sender.title}`, () => {
        const { count, because } = this.#failed.get(sender) ?? { count: 0, because: '' };
        return count < IN_A_ROW ? undefined : `${sender.title} cannot send. The last answer: ${because}`;
      });
    }
  }

  /**
   * Ignores messages that the provider refused. A wrong address can cause a refusal, so a refusal does not show whether
   * the sender works.
   */
  record(sender: Sender, result: SendResult): void {
    if (result.outcome === 'sent' || result.outcome === 'delivered') this.#failed.delete(sender);
    else if (result.outcome === 'retry') {
      const count = (this.#failed.get(sender)?.count ?? 0) + 1;
      this.#failed.set(sender, { count, because: result.because });
    }
  }
}
