import { frameLimits } from '../../../domain/frame/frame.ts';
import type { SparkplugTopic } from '../../../domain/sparkplug/topic.ts';
import type { Command, Intake, Refusal } from '../../pipeline/intake.ts';
import { tooLarge } from '../../pipeline/refusals.ts';
import { isBirth, receivePrepared, type SparkplugMessage, type SparkplugNode } from '../sparkplug.ts';
import type { HeardDevices } from './heard-devices.ts';
import type { BrokerMessage } from './ordered-intake.ts';

/** Reads a frame that a device has published to `tocsin/<uid>/up`. */
export function incomingFrame(
  uid: string,
  body: Buffer,
  { heard, send }: { heard: HeardDevices; send(uid: string, commands: Command[]): void },
): BrokerMessage {
  return {
    uid,
    large: body.length > frameLimits.bytes ? tooLarge(frameLimits.bytes) : undefined,
    delivery: { protocol: 'mqtt', body, queuedByBroker: true },
    identified: (who) => heard.add(who),
    send: (commands) => send(uid, commands),
  };
}

/** Returns the message that carries a command to a device. */
export function commandText({ id, text }: Command): string {
  return JSON.stringify({ id, command: text });
}

interface ReceivedSparkplug {
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

/** Decodes a Sparkplug message when it arrives, because a message can depend on earlier messages. */
export function incomingSparkplug(
  { topic, about, body, again }: ReceivedSparkplug,
  { intake, node, post }: Surroundings,
): BrokerMessage {
  const most = isBirth(about) ? frameLimits.batchBytes : frameLimits.bytes;
  const large = body.length > most ? tooLarge(most, isBirth(about) ? 'birth' : 'frame') : undefined;
  if (large) node.missed();
  const prepared = large ? undefined : node.prepare(topic, about, body, { again, mayAsk: true });
  return {
    uid: about.node,
    large,
    receive: async (who) => {
      if (!prepared) return large as Refusal;
      // Requests birth messages only from known edge nodes, because other edge nodes can belong to another system.
      if (prepared.request) post(prepared.request, 0);
      prepared.request = undefined;
      return receivePrepared(intake, who, prepared, { queuedByBroker: true });
    },
    send: (commands) => {
      for (const message of node.commands(about, commands)) post(message, 1);
    },
  };
}
