import { frameLimits } from '../../domain/frame/frame.ts';
import type { SparkplugTopic } from '../../domain/sparkplug/topic.ts';
import type { Answer, Command, Device, Intake } from '../pipeline/intake.ts';
import { tooLarge } from '../pipeline/refusals.ts';
import { isBirth, type Letter, receivePrepared, type SparkplugNode } from './sparkplug.ts';

/** A message of a broker and the device that its topic names. */
export interface Incoming {
  uid: string;
  /** Whether it is no larger than it may be. */
  fits: boolean;
  /** Hands it to the intake, once it is known who sent it. */
  receive(who: Device): Promise<Answer>;
  send(commands: Command[]): void;
}

interface SparkplugMessage {
  topic: string;
  about: SparkplugTopic;
  body: Buffer;
  again: boolean;
}

interface Surroundings {
  intake: Intake;
  node: SparkplugNode;
  post(letter: Letter, qos: 0 | 1): void;
}

/** Looks at the message at once, because the order matters, whatever is waited for later. */
export function incomingSparkplug(
  { topic, about, body, again }: SparkplugMessage,
  { intake, node, post }: Surroundings,
): Incoming {
  const most = isBirth(about) ? frameLimits.batchBytes : frameLimits.bytes;
  const fits = body.length <= most;
  if (!fits) node.missed();
  const prepared = fits ? node.prepare(topic, about, body, { again, mayAsk: true }) : undefined;
  return {
    uid: about.node,
    fits,
    receive: async (who) => {
      if (!prepared) return tooLarge(frameLimits.bytes);
      // Only edge nodes that are known here are asked: the others of a broker are nobody's business.
      if (prepared.request) post(prepared.request, 0);
      prepared.request = undefined;
      return receivePrepared(intake, who, prepared);
    },
    send: (commands) => {
      for (const letter of node.commands(about, commands)) post(letter, 1);
    },
  };
}
