import { frameLimits } from '../../domain/frame/frame.ts';
import type { SparkplugTopic } from '../../domain/sparkplug/topic.ts';
import type { Answer, Command, Device, Intake, Refusal } from '../pipeline/intake.ts';
import { tooLarge } from '../pipeline/refusals.ts';
import { isBirth, receivePrepared, type SparkplugMessage, type SparkplugNode } from './sparkplug.ts';

/** A message of a broker and the device that its topic names. */
export interface Incoming {
  uid: string;
  /** That it is larger than it may be. */
  large: Refusal | undefined;
  /** Hands it to the intake, once it is known who sent it. */
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

/** Looks at the message at once, because the order matters, whatever is waited for later. */
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
      // Only edge nodes that are known here are asked: the others of a broker are nobody's business.
      if (prepared.request) post(prepared.request, 0);
      prepared.request = undefined;
      return receivePrepared(intake, who, prepared);
    },
    send: (commands) => {
      for (const message of node.commands(about, commands)) post(message, 1);
    },
  };
}
