import { connect, type IPublishPacket, type MqttClient } from 'mqtt';
import { frameLimits } from '../../domain/frame/frame.ts';
import { parseTopic } from '../../domain/sparkplug/topic.ts';
import type { Answer, Command, Device, Intake, Refusal } from '../pipeline/intake.ts';
import { tooLarge } from '../pipeline/refusals.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import { countAnswer, countVisitor, meaningOf, noteRefusal } from './answers.ts';
import { addressOf, type BrokerAddress } from './mqtt-bridge-address.ts';
import { type BridgeLimits, bridgeLimits } from './mqtt-bridge-limits.ts';
import { type Incoming, incomingSparkplug } from './mqtt-bridge-message.ts';
import { type SparkplugMessage, SparkplugNodes } from './sparkplug.ts';

export interface MqttBridgeOptions {
  intake: Intake;
  log: Log;
  metrics: Metrics;
  clock: Clock;
  /**
   * URL of the broker, such as mqtts://user:password@broker.example.com. `?client=` sets the client id. `?share=` sets the
   * group of the shared subscription; an empty `?share=` is for brokers without shared subscriptions. `?sparkplug=on` also
   * accepts Sparkplug B, in one process only.
   */
  url: string;
  limits?: Partial<BridgeLimits>;
}

export interface MqttBridge {
  /** Returns why no message can arrive; undefined while connected. */
  problem(): string | undefined;
  close(): Promise<void>;
}

const UP = /^tocsin\/([^/]+)\/up$/;
/** Return codes of a broker that does not support MQTT 5. */
const WRONG_VERSION = [1, 132];
/** Number of consecutive short connections after which the log warns of a duplicate client id. */
const SHORT_CONNECTIONS = 3;

/** Receives frames from an external MQTT broker, which authenticates the publishers. */
export function startMqttBridge(options: MqttBridgeOptions): MqttBridge {
  const bridge = new Bridge(options);
  bridge.open(5);
  return bridge;
}

class Bridge implements MqttBridge {
  readonly #options: MqttBridgeOptions;
  readonly #limits: BridgeLimits;
  readonly #address: BrokerAddress;
  readonly #nodes: SparkplugNodes;
  readonly #underWay = new Set<Promise<void>>();
  readonly #held = new Map<string, number>();
  readonly #devices = new Map<string, string>();
  readonly #readOn: (() => void)[] = [];
  readonly #waits = new Set<() => void>();
  readonly #stopListening: () => void;
  #client: MqttClient | undefined;
  #closing = false;
  #reported = false;
  #complained = false;
  #lasting: NodeJS.Timeout | undefined;
  #cutShort = 0;

  constructor(options: MqttBridgeOptions) {
    this.#options = options;
    this.#limits = { ...bridgeLimits, ...options.limits };
    this.#address = addressOf(options.url);
    this.#nodes = new SparkplugNodes(options.clock, this.#limits.nodes);
    this.#stopListening = options.intake.onDeviceChange((sensorUuid) => void this.#deviceChanged(sensorUuid));
  }

  open(version: 4 | 5): void {
    const client = connect(this.#address.href, this.#address.settings(version, this.#limits));
    this.#client = client;
    client.handleMessage = (packet, done) => this.#arrived(client, packet, done);
    client.on('connect', () => this.#connected(client));
    client.on('close', () => this.#wentAway(client));
    client.on('error', (error) => this.#failed(client, error as Error & { code?: number }, version));
  }

  problem(): string | undefined {
    return this.#client?.connected ? undefined : `Not connected to the MQTT broker at ${this.#address.host}.`;
  }

  async close(): Promise<void> {
    this.#closing = true;
    this.#stopListening();
    clearTimeout(this.#lasting);
    for (const stop of this.#waits) stop();
    await Promise.all(this.#underWay);
    await this.#client?.endAsync(!this.#client.connected);
  }

  #connected(client: MqttClient): void {
    this.#reported = false;
    this.#lasting = setTimeout(() => {
      this.#lasting = undefined;
      this.#cutShort = 0;
      client.options.reconnectPeriod = this.#limits.reconnectMs;
    }, this.#limits.goodMs);
    client.subscribe(this.#address.topics, { qos: 1, rh: 2 }, (error, granted) => {
      if (!error && granted?.every(({ qos }) => qos < 128)) {
        return this.#options.log.info('connected to the MQTT broker', { host: this.#address.host });
      }
      if (this.#closing || client.disconnecting) return;
      const topics = this.#address.topics.join(', ');
      const message = `the MQTT broker does not let this user subscribe to ${topics}`;
      this.#options.log.error(message, { host: this.#address.host, error: error ?? undefined });
    });
  }

  /** Doubles the delay before the next attempt, so that a recovering broker is not overloaded. */
  #wentAway(client: MqttClient): void {
    if (this.#lasting) this.#endedSoon(client);
    const next = Math.min((client.options.reconnectPeriod ?? 0) * 2, this.#limits.mostReconnectMs);
    client.options.reconnectPeriod = next;
    if (this.#reported || this.#closing || client !== this.#client) return;
    this.#reported = true;
    this.#options.log.warn('not connected to the MQTT broker; trying again', { host: this.#address.host });
  }

  /** Warns that two processes may have the same client id. Such processes disconnect each other again and again. */
  #endedSoon({ options: { clientId } }: MqttClient): void {
    clearTimeout(this.#lasting);
    this.#lasting = undefined;
    this.#cutShort += 1;
    if (this.#cutShort !== SHORT_CONNECTIONS || this.#closing) return;
    this.#options.log.error(
      `the MQTT broker closes every connection after a short time; another process may use the same client id ${clientId}: give each process its own client id with ?client= in TOCSIN_MQTT_URL`,
    );
  }

  #failed(client: MqttClient, error: Error & { code?: number }, version: 4 | 5): void {
    if (this.#closing || client !== this.#client) return;
    if (version === 5 && WRONG_VERSION.includes(Number(error.code))) {
      client.end(true);
      this.open(4);
      return;
    }
    if (!this.#reported)
      this.#options.log.warn('the MQTT broker refused the connection', { host: this.#address.host, error });
    this.#reported = true;
  }

  /**
   * Handles a message. Calls `done` at once to release the next message, so that many messages share a commit. Sends
   * the acknowledgement after the commit. Calling `done` with an error leaves the message unacknowledged.
   */
  #arrived(client: MqttClient, packet: IPublishPacket, done: (error?: Error) => void): void {
    const { stream } = client;
    const { qos, messageId } = packet;
    const taking = this.#take(packet).then((taken) => {
      this.#underWay.delete(taking);
      // Acknowledges only on the same connection, because another connection reuses message ids.
      if (taken && qos > 0 && messageId !== undefined && stream === client.stream && client.connected) {
        stream.write(Buffer.from([0x40, 2, messageId >> 8, messageId & 0xff]));
      }
      if (this.#underWay.size < this.#limits.outstanding) this.#readOn.shift()?.();
    });
    this.#underWay.add(taking);
    const goOn = () => done(qos > 0 ? new Error('acknowledged later') : undefined);
    if (this.#underWay.size < this.#limits.outstanding) goOn();
    else this.#readOn.push(goOn);
  }

  /** Stores a message. Returns true if the broker may discard it. */
  async #take(packet: IPublishPacket): Promise<boolean> {
    const { intake, metrics } = this.#options;
    const incoming = packet.retain ? undefined : this.#incoming(packet);
    if (!incoming) {
      // Retained messages are old and would be stored as new at every start.
      countVisitor(metrics, 'mqtt', packet.retain ? 'retained' : 'foreign-topic');
      return true;
    }
    const { uid } = incoming;
    for (;;) {
      const answer = await this.#offer(incoming);
      if (answer.ok || meaningOf(answer.because).kind !== 'later') {
        if (!answer.ok && meaningOf(answer.because).kind === 'who') countVisitor(metrics, 'mqtt', answer.because);
        else countAnswer(metrics, 'mqtt', answer);
        if (answer.ok) incoming.send(answer.commands);
        return true;
      }
      const flood = answer.because === 'flood';
      const held = this.#held.get(uid) ?? 0;
      if (flood && held >= this.#limits.heldOfDevice) {
        // Drops the message, although the broker has already acknowledged it to the device. Retrying all messages of
        // one device would leave no capacity for other devices.
        countAnswer(metrics, 'mqtt', answer);
        noteRefusal(intake, 'mqtt', { uid }, answer);
        return true;
      }
      if (flood) this.#held.set(uid, held + 1);
      await this.#wait(answer.retryAfterMs ?? this.#limits.retryMs);
      if (flood) this.#release(uid);
      if (this.#closing) return false;
    }
  }

  #incoming({ topic, payload, dup }: IPublishPacket): Incoming | undefined {
    const { intake } = this.#options;
    const body = typeof payload === 'string' ? Buffer.from(payload) : payload;
    const about = this.#address.sparkplug ? parseTopic(topic) : undefined;
    if (about) {
      const post = ({ topic, payload }: SparkplugMessage, qos: 0 | 1) => this.#client?.publish(topic, payload, { qos });
      const node = this.#nodes.of(about);
      return incomingSparkplug({ topic, about, body, again: dup ?? false }, { intake, node, post });
    }
    const uid = UP.exec(topic)?.[1];
    if (uid === undefined) return undefined;
    return {
      uid,
      large: body.length > frameLimits.bytes ? tooLarge(frameLimits.bytes) : undefined,
      receive: (who) => {
        this.#remember(who);
        return intake.receive(who, { protocol: 'mqtt', body });
      },
      send: (commands) => this.#send(uid, commands),
    };
  }

  async #offer({ uid, large, receive }: Incoming): Promise<Answer> {
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

  #release(uid: string): void {
    const held = (this.#held.get(uid) ?? 1) - 1;
    if (held > 0) this.#held.set(uid, held);
    else this.#held.delete(uid);
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
      if (this.#closing) stop();
    });
  }

  /** Stores the most recently active devices. Removes the least recently active device first. */
  #remember({ sensorUuid, uid }: Device): void {
    this.#devices.delete(sensorUuid);
    this.#devices.set(sensorUuid, uid);
    if (this.#devices.size <= this.#limits.devices) return;
    const [oldest] = this.#devices.keys();
    if (oldest !== undefined) this.#devices.delete(oldest);
  }

  async #deviceChanged(sensorUuid: string): Promise<void> {
    const { intake, log } = this.#options;
    const uid = this.#devices.get(sensorUuid);
    if (uid === undefined || !this.#client?.connected) return;
    try {
      const who = await intake.identifyByUid(uid);
      if (who.ok && who.sensorUuid === sensorUuid) this.#send(uid, await intake.takeCommands(who));
      else this.#devices.delete(sensorUuid);
    } catch (error) {
      log.error('commands could not be sent', { protocol: 'mqtt', uid, error });
    }
  }

  #send(uid: string, commands: Command[]): void {
    for (const { id, text } of commands) {
      this.#client?.publish(`tocsin/${uid}/down`, JSON.stringify({ id, command: text }), { qos: 1 });
    }
  }
}
