import { connect, type IPublishPacket, type MqttClient } from 'mqtt';
import { parseTopic } from '../../../domain/sparkplug/topic.ts';
import type { Command, Intake } from '../../pipeline/intake.ts';
import type { Clock } from '../../platform/clock.ts';
import { within } from '../../platform/database.ts';
import type { Right } from '../../platform/lease.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { countVisitor } from '../answers.ts';
import { type SparkplugMessage, SparkplugNodes } from '../sparkplug.ts';
import type { Broker, BrokerState } from './broker.ts';
import { HeardDevices } from './heard-devices.ts';
import { type BridgeLimits, bridgeLimits } from './limits.ts';
import { commandText, incomingFrame, incomingSparkplug } from './message.ts';
import type { BrokerAddress } from './mqtt-address.ts';
import { type BrokerMessage, OrderedIntake } from './ordered-intake.ts';

export interface MqttBridgeOptions {
  intake: Intake;
  log: Log;
  metrics: Metrics;
  clock: Clock;
  address: BrokerAddress;
  /** Right to use the broker session. A process without the right does not connect. */
  right: Right;
  limits?: Partial<BridgeLimits>;
}

const UP = /^tocsin\/([^/]+)\/up$/;
/** Return codes of a broker that does not support MQTT 5. */
const WRONG_VERSION = [1, 132];
/** Maximum time for closing the connection cleanly. */
const END_MS = 1000;
/** Number of consecutive short connections after which the log warns of a duplicate client id. */
const SHORT_CONNECTIONS = 3;

/**
 * Receives frames from an external MQTT broker, which authenticates the devices. The broker keeps one durable session
 * for the installation, and only the process that holds the right uses it. The broker would end the first of two
 * connections with the same client id. A process therefore confirms its right before it connects, and disconnects as
 * soon as it loses the right.
 */
export class MqttBridge implements Broker {
  readonly #options: MqttBridgeOptions;
  readonly #limits: BridgeLimits;
  readonly #ordered: OrderedIntake;
  readonly #heard: HeardDevices;
  readonly #underWay = new Set<Promise<void>>();
  readonly #readOn: (() => void)[] = [];
  readonly #stopListening: () => void;
  #nodes: SparkplugNodes;
  #client: MqttClient | undefined;
  #version: 4 | 5 = 5;
  #connecting = false;
  #closing = false;
  #problem: string | undefined;
  #lasting: NodeJS.Timeout | undefined;
  #retry: NodeJS.Timeout | undefined;
  #delayMs: number;
  #cutShort = 0;

  constructor(options: MqttBridgeOptions) {
    const { intake, log, metrics, clock, right } = options;
    this.#options = options;
    this.#limits = { ...bridgeLimits, ...options.limits };
    this.#delayMs = this.#limits.reconnectMs;
    this.#ordered = new OrderedIntake({ intake, log, metrics, limits: this.#limits });
    this.#nodes = new SparkplugNodes(clock, this.#limits.nodes);
    const connected = () => this.#client?.connected ?? false;
    const send = (uid: string, commands: Command[]) => this.#send(uid, commands);
    this.#heard = new HeardDevices({ intake, log, most: this.#limits.devices, connected, send });
    this.#stopListening = right.onChange((held) => (held ? void this.#open() : this.#giveUp()));
    if (right.held) void this.#open();
  }

  state(): BrokerState {
    const { held } = this.#options.right;
    const problem = held && this.#problem !== undefined ? { problem: this.#problem } : {};
    return { connected: this.#client?.connected ?? false, holder: held, ...problem };
  }

  async close(): Promise<void> {
    this.#closing = true;
    this.#stopListening();
    this.#heard.close();
    clearTimeout(this.#lasting);
    clearTimeout(this.#retry);
    this.#ordered.stop();
    await Promise.all(this.#underWay);
    const client = this.#client;
    if (!client) return;
    // `endAsync` waits for outgoing commands. If the connection is lost, they are never sent, so the wait has a limit.
    await within(client.endAsync(!client.connected), END_MS, () => {});
    client.end(true);
  }

  async #open(): Promise<void> {
    if (this.#connecting || this.#closing || this.#client) return;
    this.#connecting = true;
    const confirmed = await this.#options.right.confirm();
    this.#connecting = false;
    if (this.#closing) return;
    if (!confirmed) {
      if (this.#options.right.held) this.#openLater();
      return;
    }
    const { address } = this.#options;
    const client = connect(address.href, address.settings(this.#version, this.#limits));
    this.#client = client;
    client.handleMessage = (packet, done) => this.#arrived(client, packet, done);
    client.on('connect', () => this.#connected(client));
    client.on('close', () => this.#wentAway(client));
    client.on('error', (error) => this.#failed(client, error as Error & { code?: number }));
  }

  /** Doubles the delay with every attempt, so that a recovering broker is not overloaded. */
  #openLater(): void {
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => void this.#open(), this.#delayMs);
    this.#delayMs = Math.min(this.#delayMs * 2, this.#limits.mostReconnectMs);
  }

  #connected(client: MqttClient): void {
    this.#lasting = setTimeout(() => {
      this.#lasting = undefined;
      this.#cutShort = 0;
      this.#delayMs = this.#limits.reconnectMs;
    }, this.#limits.goodMs);
    const { address, log } = this.#options;
    client.subscribe(address.topics, { qos: 1, rh: 2 }, (error, granted) => {
      if (!error && granted?.every(({ qos }) => qos < 128)) {
        this.#problem = undefined;
        return log.info('connected to the MQTT broker', { host: address.host, client: address.clientId });
      }
      if (this.#closing || client !== this.#client || client.disconnecting) return;
      const topics = address.topics.join(', ');
      this.#problem = `The MQTT broker does not let this user subscribe to ${topics}.`;
      const message = `the MQTT broker does not let this user subscribe to ${topics}`;
      log.error(message, { host: address.host, error: error ?? undefined });
    });
  }

  #wentAway(client: MqttClient): void {
    if (client !== this.#client) return;
    const { log, address } = this.#options;
    this.#drop(client);
    if (this.#closing) return;
    if (this.#lasting) this.#endedSoon();
    this.#openLater();
    if (this.#problem !== undefined) return;
    this.#problem = 'The MQTT broker is unresponsive.';
    log.warn('not connected to the MQTT broker; trying again', { host: address.host });
  }

  /** Disconnects because another process may use the session from now on. */
  #giveUp(): void {
    clearTimeout(this.#retry);
    clearTimeout(this.#lasting);
    this.#lasting = undefined;
    this.#delayMs = this.#limits.reconnectMs;
    this.#problem = undefined;
    this.#heard.clear();
    // Another process may receive the next birth messages, so this process discards the birth messages that it knows.
    this.#nodes = new SparkplugNodes(this.#options.clock, this.#limits.nodes);
    if (this.#client) this.#dropWithoutLease(this.#client);
  }

  #dropWithoutLease(client: MqttClient): void {
    const { log, address } = this.#options;
    this.#drop(client);
    log.warn('disconnected from the MQTT broker, because this process no longer holds the lease', {
      host: address.host,
    });
  }

  #drop(client: MqttClient): void {
    this.#client = undefined;
    // Without a listener, an error event of the closing connection would end the process.
    client.removeAllListeners('error').on('error', () => {});
    client.end(true);
    for (const goOn of this.#readOn.splice(0)) goOn();
  }

  /**
   * Warns that another installation may use the same client id. Two such installations would keep disconnecting each
   * other.
   */
  #endedSoon(): void {
    clearTimeout(this.#lasting);
    this.#lasting = undefined;
    this.#cutShort += 1;
    if (this.#cutShort !== SHORT_CONNECTIONS) return;
    this.#options.log.error(
      `the MQTT broker keeps closing the connection: another installation may use the client id ${this.#options.address.clientId}. Set a different one with ?client= in TOCSIN_MQTT_URL`,
    );
  }

  #failed(client: MqttClient, error: Error & { code?: number }): void {
    if (this.#closing || client !== this.#client) return;
    if (this.#version === 5 && WRONG_VERSION.includes(Number(error.code))) {
      this.#version = 4;
      this.#drop(client);
      void this.#open();
      return;
    }
    if (this.#problem === undefined) {
      const { log, address } = this.#options;
      log.warn('the connection to the MQTT broker failed; trying again', { host: address.host, error });
    }
    this.#problem = `The connection to the MQTT broker failed: ${error.message}`;
    this.#wentAway(client);
  }

  /**
   * Handles a message. Calls `done` immediately, so that the client passes on the next message and many messages share
   * a commit. Sends the acknowledgement after the commit. A call of `done` with an error leaves the message
   * unacknowledged.
   */
  #arrived(client: MqttClient, packet: IPublishPacket, done: (error?: Error) => void): void {
    const { qos, messageId } = packet;
    const taking = this.#take(client, packet).then((taken) => {
      this.#underWay.delete(taking);
      // Acknowledges the message only on the connection on which it arrived, because other connections reuse message
      // ids.
      if (taken && qos > 0 && messageId !== undefined && client === this.#client && client.connected) {
        client.stream.write(Buffer.from([0x40, 2, messageId >> 8, messageId & 0xff]));
      }
      if (this.#underWay.size < this.#limits.outstanding) this.#readOn.shift()?.();
    });
    this.#underWay.add(taking);
    const goOn = () => done(qos > 0 ? new Error('acknowledged later') : undefined);
    if (this.#underWay.size < this.#limits.outstanding) goOn();
    else this.#readOn.push(goOn);
  }

  /** Stores a message. Returns true if the broker may discard it. */
  async #take(client: MqttClient, packet: IPublishPacket): Promise<boolean> {
    const { metrics } = this.#options;
    // After this process was suspended, its buffer contains outdated messages, which the broker has already sent to
    // another process.
    if (!this.#mayStore(client)) return false;
    const message = packet.retain ? undefined : this.#messageOf(packet);
    if (!message) {
      // Retained messages are dropped: they are old, but would be stored as new at every start.
      countVisitor(metrics, 'mqtt', packet.retain ? 'retained' : 'foreign-topic');
      return true;
    }
    // The broker does not redeliver messages with QoS 0, so such a message is stored even if its connection has ended.
    return this.#ordered.take(message, () => packet.qos === 0 || this.#mayStore(client));
  }

  /**
   * Returns whether messages of this connection may be stored. If the lease has lapsed, ends the connection, so that
   * the broker redelivers the refused message before later messages.
   */
  #mayStore(client: MqttClient): boolean {
    if (client !== this.#client) return false;
    if (this.#options.right.held) return true;
    clearTimeout(this.#lasting);
    this.#lasting = undefined;
    this.#dropWithoutLease(client);
    if (!this.#closing) this.#openLater();
    return false;
  }

  #messageOf({ topic, payload, dup }: IPublishPacket): BrokerMessage | undefined {
    const { intake, address } = this.#options;
    const body = typeof payload === 'string' ? Buffer.from(payload) : payload;
    const about = address.sparkplug ? parseTopic(topic) : undefined;
    if (about) {
      const post = ({ topic, payload }: SparkplugMessage, qos: 0 | 1) => this.#client?.publish(topic, payload, { qos });
      const node = this.#nodes.of(about);
      return incomingSparkplug({ topic, about, body, again: dup ?? false }, { intake, node, post });
    }
    const uid = UP.exec(topic)?.[1];
    if (uid === undefined) return undefined;
    return incomingFrame(uid, body, { heard: this.#heard, send: (to, commands) => this.#send(to, commands) });
  }

  #send(uid: string, commands: Command[]): void {
    for (const command of commands) this.#client?.publish(`tocsin/${uid}/down`, commandText(command), { qos: 1 });
  }
}
