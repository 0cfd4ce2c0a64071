import type { Answer, Command, Device, Intake, Refusal } from '../../pipeline/intake.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { countAnswer, countVisitor, meaningOf, noteRefusal } from '../answers.ts';
import type { BrokerLimits } from './limits.ts';

/** A message from a broker, with the uid from its topic. */
export interface BrokerMessage {
  uid: string;
  /** Refusal of a message that is too large; undefined otherwise. */
  large: Refusal | undefined;
  /** Passes the message to the intake for the identified device. */
  receive(who: Device): Promise<Answer>;
  send(commands: Command[]): void;
}

export interface OrderedIntakeOptions {
  intake: Intake;
  log: Log;
  metrics: Metrics;
  limits: BrokerLimits;
}

interface Lane {
  last: Promise<unknown>;
  length: number;
}

/**
 * Passes messages of a broker to the intake. A sensor's messages are stored in their order of arrival: while one of
 * them waits for its commit or its retry, the later ones wait behind it.
 */
export class OrderedIntake {
  readonly #options: OrderedIntakeOptions;
  readonly #lanes = new Map<string, Lane>();
  readonly #waits = new Set<() => void>();
  #stopped = false;
  #complained = false;

  constructor(options: OrderedIntakeOptions) {
    this.#options = options;
  }

  /**
   * Stores a message. Returns true if the broker may discard it. `wanted` tells whether its connection still exists: on
   * the next connection the broker delivers the message again, so this copy must not be stored too.
   */
  take(message: BrokerMessage, wanted: () => boolean): Promise<boolean> {
    const { uid } = message;
    const lane = this.#lanes.get(uid) ?? { last: Promise.resolve(), length: 0 };
    this.#lanes.set(uid, lane);
    lane.length += 1;
    const taken = lane.last.then(() => this.#untilTaken(message, lane, wanted));
    lane.last = taken.then(() => {
      lane.length -= 1;
      if (lane.length === 0) this.#lanes.delete(uid);
    });
    return taken;
  }

  /** Ends every wait. Messages that are not stored by then are not stored any more. */
  stop(): void {
    this.#stopped = true;
    for (const stop of this.#waits) stop();
  }

  async #untilTaken(message: BrokerMessage, lane: Lane, wanted: () => boolean): Promise<boolean> {
    const { intake, metrics, limits } = this.#options;
    for (;;) {
      if (this.#stopped || !wanted()) return false;
      const answer = await this.#offer(message);
      if (answer.ok) {
        countAnswer(metrics, 'mqtt', answer);
        message.send(answer.commands);
        return true;
      }
      const { kind } = meaningOf(answer.because);
      if (kind === 'who') countVisitor(metrics, 'mqtt', answer.because);
      else if (kind !== 'later') countAnswer(metrics, 'mqtt', answer);
      if (kind !== 'later') return true;
      if (answer.because === 'flood' && lane.length > limits.heldOfDevice) {
        // Drops the message, although the broker has already acknowledged it to the device. Otherwise one device that
        // sends too fast for ever would take the place of all others.
        countAnswer(metrics, 'mqtt', answer);
        noteRefusal(intake, 'mqtt', { uid: message.uid }, answer);
        return true;
      }
      await this.#wait(answer.retryAfterMs ?? limits.retryMs);
    }
  }

  async #offer({ uid, large, receive }: BrokerMessage): Promise<Answer> {
    const { intake, log } = this.#options;
    const refuse = (refusal: Refusal): Refusal => {
      noteRefusal(intake, 'mqtt', { uid }, refusal);
      return refusal;
    };
    if (large) return refuse(large);
    try {
      const who = await intake.identifyByUid(uid);
      if (!who.ok) return refuse(who);
      const answer = await receive(who);
      this.#complained = false;
      return answer;
    } catch (error) {
      // The caller retries, because an abandoned message would occupy a slot at the broker until the connection ends.
      if (!this.#complained) log.error('frames cannot be accepted; trying again', { protocol: 'mqtt', uid, error });
      this.#complained = true;
      return { ok: false, because: 'unavailable', sentence: 'The frame could not be stored.' };
    }
  }

  #wait(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const stop = () => {
        clearTimeout(timer);
        this.#waits.delete(stop);
        resolve();
      };
      const timer = setTimeout(stop, milliseconds);
      this.#waits.add(stop);
      if (this.#stopped) stop();
    });
  }
}
