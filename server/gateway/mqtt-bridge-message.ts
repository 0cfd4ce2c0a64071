import { frameLimits } from '../../domain/frame/frame.ts';
import type { SparkplugTopic } from '../../domain/sparkplug/topic.ts';
import type { Answer, Command, Device, Intake, Refusal } from '../pipeline/intake.ts';
import { tooLarge } from '../pipeline/refusals.ts';
import { isBirth, receivePrepared, type SparkplugMessage, type SparkplugNode } from './sparkplug.ts';

/** A message from the broker, with the uid from its topic. */
export interface Incoming {
  uid: string;
  /** Refusal of a message that is too large; undefined otherwise. */
  large: Refusal | undefined;
  /** Passes the message to the intake for the identified device. */
  receive(who: Device): Promise<Answer>;
  send(commands: Command[]): void;
}

interface BrokerMessage {
  topic: string;
  about: SparkplugTopic;
  body: Buffer;
  again: boolean;
}

interface Surroundings {
  intake: Intake;
  node: SparkplugNode;
  post(message: SparkplugMessage, qos: 0 | 1): void;
}

/** Decodes a Sparkplug message on arrival, because messages must be decoded in order. */
export function incomingSparkplug(
  { topic, about, body, again }: BrokerMessage,
  { intake, node, post }: Surroundings,
): Incoming {
  const most = isBirth(about) ? frameLimits.batchBytes : frameLimits.bytes;
  const large = body.length > most ? tooLarge(most, isBirth(about) ? 'birth' : 'frame') : undefined;
  if (large) node.missed();
  const prepared = large ? undefined : node.prepare(topic, about, body, { again, mayAsk: true });
  return {
    uid: about.node,
    large,
    receive: async (who) => {
      if (!prepared) return large as Refusal;
      // Requests births only from known edge nodes, because other edge nodes can belong to another system.
      if (prepared.request) post(prepared.request, 0);
      prepared.request = undefined;
      return receivePrepared(intake, who, prepared);
    },
    send: (commands) => {
      for (const message of node.commands(about, commands)) post(message, 1);
    },
  };
}
