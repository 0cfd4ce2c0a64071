import { frameLimits } from '../../domain/frame/frame.ts';
import { splitMetrics, toStoredFrame } from '../../domain/sparkplug/payload.ts';
import { SparkplugSession } from '../../domain/sparkplug/session.ts';
import { commandTopic, possibleUids, type SparkplugTopic } from '../../domain/sparkplug/topic.ts';
import type { Answer, Command, Delivery, Device, Intake, Taken } from '../pipeline/intake.ts';
import type { Clock } from '../platform/clock.ts';
import { readPayload, writePayload } from './sparkplug-codec.ts';

/** A message to an edge node. */
export interface SparkplugMessage {
  topic: string;
  payload: Buffer;
}

/** A decoded message for the intake. */
export interface Prepared {
  /** Possible uids of the sensor, in order of preference. */
  uids: string[];
  /** One delivery, or several deliveries for a birth that exceeds the frame limit. */
  deliveries: Delivery[];
  /** Request for a new birth message, if one was missed and none was requested recently; otherwise undefined. */
  request: SparkplugMessage | undefined;
}

export interface Circumstances {
  /** True if the broker is redelivering the message. */
  again: boolean;
  /** True if the edge node can receive a birth request. */
  mayAsk: boolean;
}

/** Minimum time between two birth requests to an edge node. */
const ASK_AGAIN_MS = 60_000;

export class SparkplugNode {
  readonly #clock: Clock;
  readonly #session = new SparkplugSession();
  #askedAt: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Decodes a message. Must be called in order of arrival, because the meaning depends on earlier messages. */
  prepare(topic: string, about: SparkplugTopic, body: Uint8Array, { again, mayAsk }: Circumstances): Prepared {
    const payload = readPayload(body);
    const base64 = Buffer.from(body).toString('base64');
    const offline = about.type.endsWith('DEATH');
    const uids = possibleUids(about);
    const delivery = (text: string, notes: string[]): Delivery => ({
      protocol: 'mqtt',
      body: Buffer.from(text),
      format: 'json',
      notes,
      ...(offline && { contact: false }),
    });
    const large = body.length > frameLimits.bytes || (payload?.metrics.length ?? 0) > frameLimits.values;
    if (!payload || (large && !isBirth(about))) {
      this.#session.skipMessage();
      const unread = payload ? 'too-many-values' : 'not-sparkplug';
      // Only a birth message can exceed the frame limit here. If it is invalid, its bytes are not stored.
      const bytes = body.length > frameLimits.bytes ? undefined : base64;
      return { uids, deliveries: [delivery(toStoredFrame(topic, unread, bytes), [])], request: undefined };
    }
    const { metrics, notes, wantsBirth } = this.#session.receive(about, payload, again);
    const request = wantsBirth && mayAsk ? this.#request(about) : undefined;
    if (request) notes.push('The server requested a new birth message from the edge node.');
    if (!large)
      return { uids, deliveries: [delivery(toStoredFrame(topic, { payload, metrics }, base64), notes)], request };
    const parts = splitMetrics(metrics);
    const deliveries = parts.map((part, index) => {
      const which = `Part ${index + 1} of ${parts.length} of a birth message with ${metrics.length} metrics.`;
      return delivery(toStoredFrame(topic, { payload, metrics: part }, undefined), [which, ...notes]);
    });
    return { uids, deliveries, request };
  }

  /** Records a gap in the message sequence, because a message was too large to decode. */
  missed(): void {
    this.#session.skipMessage();
  }

  commands(about: Pick<SparkplugTopic, 'group' | 'node' | 'device'>, commands: readonly Command[]): SparkplugMessage[] {
    const now = this.#clock.now().getTime();
    return commands.map(({ id, text }) => ({
      topic: commandTopic(about),
      payload: writePayload(now, [
        { name: 'Tocsin/Command Id', whole: id },
        { name: 'Tocsin/Command', text },
      ]),
    }));
  }

  #request({ group, node }: SparkplugTopic): SparkplugMessage | undefined {
    const now = this.#clock.now().getTime();
    if (this.#askedAt !== undefined && Math.abs(now - this.#askedAt) < ASK_AGAIN_MS) return undefined;
    this.#askedAt = now;
    const topic = commandTopic({ group, node, device: undefined });
    return { topic, payload: writePayload(now, [{ name: 'Node Control/Rebirth', truth: true }]) };
  }
}

/** Edge nodes of a broker, by group and name. If there are too many, the least recently active node is removed. */
export class SparkplugNodes {
  readonly #clock: Clock;
  readonly #most: number;
  readonly #nodes = new Map<string, SparkplugNode>();

  constructor(clock: Clock, most: number) {
    this.#clock = clock;
    this.#most = most;
  }

  of({ group, node }: SparkplugTopic): SparkplugNode {
    const key = `${group}/${node}`;
    const known = this.#nodes.get(key) ?? new SparkplugNode(this.#clock);
    this.#nodes.delete(key);
    this.#nodes.set(key, known);
    if (this.#nodes.size > this.#most) {
      const [oldest] = this.#nodes.keys();
      this.#nodes.delete(oldest as string);
    }
    return known;
  }
}

/** Returns whether a message is a birth. Births may exceed the frame limit, because they list all metrics at once. */
export function isBirth({ type }: Pick<SparkplugTopic, 'type'>): boolean {
  return type.endsWith('BIRTH');
}

/**
 * Passes the deliveries of a message to the intake one by one. If a delivery fails, the device sends the message again,
 * and the values already stored count as duplicates.
 */
export async function receivePrepared(
  intake: Intake,
  sender: Device,
  { uids, deliveries }: Prepared,
  more: Pick<Delivery, 'commands' | 'queuedByBroker'> = {},
): Promise<Answer> {
  let whole: Answer | undefined;
  for (const delivery of deliveries) {
    const answer = await intake.receiveFor(sender, uids, { ...delivery, ...more });
    if (!answer.ok) return answer;
    whole = whole?.ok ? sumOf(whole, answer) : answer;
  }
  return whole as Answer;
}

function sumOf(one: Taken, other: Taken): Taken {
  return {
    ok: true,
    accepted: one.accepted + other.accepted,
    duplicates: one.duplicates + other.duplicates,
    refused: [...one.refused, ...other.refused],
    notes: [...one.notes, ...other.notes],
    commands: [...one.commands, ...other.commands],
  };
}

/** Returns whether a refusal concerns only a device behind an edge node. The edge node then stays connected. */
export function isAboutDeviceAlone(about: SparkplugTopic, answer: Answer): boolean {
  if (answer.ok || about.device === undefined) return false;
  return answer.because === 'foreign-uid' || answer.because === 'disabled';
}
