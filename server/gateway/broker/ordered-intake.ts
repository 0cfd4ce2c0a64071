import type { Answer, Command, Delivery, Device, Intake, Refusal } from '../../pipeline/intake.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { countAnswer, countVisitor, meaningOf, noteRefusal } from '../answers.ts';
import type { BrokerLimits } from './limits.ts';

interface MessageOfDevice {
  /** Uid from the topic of the message. */
  uid: string;
  /** Refusal of a message that is too large; undefined otherwise. */
  large: Refusal | undefined;
  send(commands: Command[]): void;
}

/** Message with a single frame. It can share a commit with other messages. */
interface FrameMessage extends MessageOfDevice {
  delivery: Delivery;
  identified(who: Device): void;
}

/** Message that cannot share a commit with other messages, such as a Sparkplug message. */
interface SingleMessage extends MessageOfDevice {
  receive(who: Device): Promise<Answer>;
}

export type BrokerMessage = FrameMessage | SingleMessage;

export interface OrderedIntakeOptions {
  intake: Intake;
  log: Log;
  metrics: Metrics;
  limits: BrokerLimits;
}

interface Waiting {
  message: BrokerMessage;
  wanted: () => boolean;
  finish(taken: boolean): void;
}

/** Maximum number of messages from one sensor in one commit, so that one sensor cannot fill a batch. */
const MOST_TOGETHER = 100;

/**
 * Passes messages of a broker to the intake and stores the messages of each sensor in their order of arrival. A message
 * waits while earlier messages of its sensor wait for their commit or a retry.
 */
export class OrderedIntake {
  readonly #options: OrderedIntakeOptions;
  /** Messages that are not stored yet, keyed by uid. Includes messages that wait for their commit. */
  readonly #lanes = new Map<string, Waiting[]>();
  readonly #waits = new Set<() => void>();
  #stopped = false;
  #complained = false;

  constructor(options: OrderedIntakeOptions) {
    this.#options = options;
  }

  /**
   * Stores a message. Returns true if the broker may discard it. `wanted` returns whether the message's connection
   * still exists. After the connection has ended, this copy must not be stored, because the broker delivers the message
   * again.
   */
  take(message: BrokerMessage, wanted: () => boolean): Promise<boolean> {
    return new Promise((finish) => {
      const lane = this.#lanes.get(message.uid);
      const waiting = { message, wanted, finish };
      if (lane) return void lane.push(waiting);
      const newLane = [waiting];
      this.#lanes.set(message.uid, newLane);
      void this.#store(message.uid, newLane);
    });
  }

  /** Stops all waiting and abandons the messages that are not stored yet. */
  stop(): void {
    this.#stopped = true;
    for (const stop of this.#waits) stop();
  }

  /** Stores the messages of a sensor until its queue is empty. */
  async #store(uid: string, lane: Waiting[]): Promise<void> {
    // Waits for messages that arrive in the same turn of the event loop, so that they share the first commit.
    await Promise.resolve();
    while (lane.length > 0) {
      const group = this.#nextGroup(lane);
      const answers = group.length === 0 ? [] : await this.#offer(uid, group);
      for (const [index, answer] of answers.entries()) {
        if (this.#mustComeAgain(answer)) break;
        this.#finish(group[index] as BrokerMessage, answer);
        lane.shift()?.finish(true);
      }
      const last = answers.find((answer) => this.#mustComeAgain(answer)) as Refusal | undefined;
      if (!last) continue;
      if (last.because === 'flood' && lane.length > this.#options.limits.heldOfDevice) this.#drop(lane, last);
      else await this.#wait(last.retryAfterMs ?? this.#options.limits.retryMs);
    }
    this.#lanes.delete(uid);
  }

  /** Removes abandoned messages, and returns the first messages that can be stored together. */
  #nextGroup(lane: Waiting[]): BrokerMessage[] {
    const kept = lane.splice(0).filter(({ wanted, finish }) => {
      if (!this.#stopped && wanted()) return true;
      finish(false);
      return false;
    });
    lane.push(...kept);
    const alone = lane.findIndex(({ message }) => !('delivery' in message) || message.large);
    const count = alone < 0 ? MOST_TOGETHER : Math.max(1, Math.min(alone, MOST_TOGETHER));
    return lane.slice(0, count).map(({ message }) => message);
  }

  #mustComeAgain(answer: Answer): boolean {
    return !answer.ok && meaningOf(answer.because).kind === 'later';
  }

  #finish(message: BrokerMessage, answer: Answer): void {
    const { metrics } = this.#options;
    if (!answer.ok && meaningOf(answer.because).kind === 'who') countVisitor(metrics, 'mqtt', answer.because);
    else countAnswer(metrics, 'mqtt', answer);
    if (answer.ok) message.send(answer.commands);
  }

  /**
   * Drops a message, although the device has already received its acknowledgement from the broker. Otherwise a device
   * that permanently exceeds its rate would use up the limit that all devices share.
   */
  #drop(lane: Waiting[], refusal: Refusal): void {
    const { intake, metrics } = this.#options;
    const dropped = lane.shift() as Waiting;
    countAnswer(metrics, 'mqtt', refusal);
    noteRefusal(intake, 'mqtt', { uid: dropped.message.uid }, refusal);
    dropped.finish(true);
  }

  /** Stores a group of messages. Returns one result for each message. */
  async #offer(uid: string, group: readonly BrokerMessage[]): Promise<Answer[]> {
    const { intake, log } = this.#options;
    const refuseAll = (refusal: Refusal): Answer[] => {
      noteRefusal(intake, 'mqtt', { uid }, refusal);
      return group.map(() => refusal);
    };
    const [first] = group as [BrokerMessage];
    if (first.large) return refuseAll(first.large);
    try {
      const who = await intake.identifyByUid(uid);
      if (!who.ok) return refuseAll(who);
      const answers = 'receive' in first ? [await first.receive(who)] : await this.#receive(who, group);
      this.#complained = false;
      return answers;
    } catch (error) {
      // The messages are retried. Without a retry, they would use up the broker's limit of unacknowledged messages
      // until the connection ends.
      if (!this.#complained) log.error('frames cannot be accepted; trying again', { protocol: 'mqtt', uid, error });
      this.#complained = true;
      const sentence = 'The frame could not be stored.';
      return group.map(() => ({ ok: false, because: 'unavailable', sentence }));
    }
  }

  #receive(who: Device, group: readonly BrokerMessage[]): Promise<Answer[]> {
    const frames = group as readonly FrameMessage[];
    for (const { identified } of frames) identified(who);
    return this.#options.intake.receiveInOrder(
      who,
      frames.map(({ delivery }) => delivery),
    );
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
