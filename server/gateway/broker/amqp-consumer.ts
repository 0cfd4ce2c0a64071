import { type Channel, type ChannelModel, type ConsumeMessage, connect } from 'amqplib';
import type { Command, Intake } from '../../pipeline/intake.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { countVisitor } from '../answers.ts';
import type { AmqpAddress } from './amqp-address.ts';
import { commandKey, declareQueues, MQTT_EXCHANGE, uidOf } from './amqp-queues.ts';
import type { Broker, BrokerState } from './broker.ts';
import { HeardDevices } from './heard-devices.ts';
import { type AmqpLimits, amqpLimits } from './limits.ts';
import { commandText, incomingFrame } from './message.ts';
import { OrderedIntake } from './ordered-intake.ts';

export interface AmqpConsumerOptions {
  intake: Intake;
  log: Log;
  metrics: Metrics;
  clock: Clock;
  address: AmqpAddress;
  limits?: Partial<AmqpLimits>;
}

/**
 * Delay before connecting to the next node. It limits the load on a broker that closes every connection immediately.
 */
const NEXT_NODE_MS = 200;

/**
 * Receives the frames of RabbitMQ's MQTT clients. Every process subscribes to all queues, and RabbitMQ activates one
 * consumer for each queue. If that consumer disconnects, RabbitMQ redelivers its unacknowledged messages to the next
 * consumer, in the original order.
 */
export class AmqpConsumer implements Broker {
  readonly #options: AmqpConsumerOptions;
  readonly #limits: AmqpLimits;
  readonly #ordered: OrderedIntake;
  readonly #heard: HeardDevices;
  readonly #underWay = new Set<Promise<void>>();
  readonly #running: Promise<void>;
  readonly #beat: NodeJS.Timeout;
  #awakeAt: number;
  #channel: Channel | undefined;
  #connection: ChannelModel | undefined;
  #problem: string | undefined;
  #closing = false;
  #stopWaiting = () => {};

  constructor(options: AmqpConsumerOptions) {
    const { intake, log, metrics, clock } = options;
    this.#options = options;
    this.#limits = { ...amqpLimits, ...options.limits };
    this.#ordered = new OrderedIntake({ intake, log, metrics, limits: this.#limits });
    const connected = () => this.#channel !== undefined;
    const send = (uid: string, commands: Command[]) => this.#send(uid, commands);
    this.#heard = new HeardDevices({ intake, log, most: this.#limits.devices, connected, send });
    this.#awakeAt = clock.now().getTime();
    this.#beat = setInterval(() => {
      this.#awakeAt = clock.now().getTime();
    }, 1000);
    this.#running = this.#stayConnected();
  }

  state(): BrokerState {
    const problem = this.#problem === undefined ? {} : { problem: this.#problem };
    return { connected: this.#channel !== undefined, holder: true, ...problem };
  }

  /**
   * Waits until the messages in progress are acknowledged, then closes the channel. Does not cancel the consumer first:
   * RabbitMQ would then activate the next consumer too early.
   */
  async close(): Promise<void> {
    this.#closing = true;
    this.#stopWaiting();
    clearInterval(this.#beat);
    this.#heard.close();
    this.#ordered.stop();
    await Promise.all(this.#underWay);
    await this.#channel?.close().catch(() => {});
    await this.#connection?.close().catch(() => {});
    await this.#running;
  }

  /**
   * Tries the nodes one after another whenever there is no connection. After each unsuccessful round through all nodes,
   * the delay doubles, up to a limit.
   */
  async #stayConnected(): Promise<void> {
    const { nodes } = this.#options.address;
    const { reconnectMs, mostReconnectMs } = this.#limits;
    let delayMs = reconnectMs;
    for (let attempt = 0; !this.#closing; attempt += 1) {
      const worked = await this.#connectTo(nodes[attempt % nodes.length] as string);
      if (this.#closing) return;
      if (worked) delayMs = reconnectMs;
      const isLastNode = attempt % nodes.length === nodes.length - 1;
      await this.#wait(isLastNode && !worked ? delayMs : NEXT_NODE_MS);
      if (isLastNode) delayMs = Math.min(delayMs * 2, mostReconnectMs);
    }
  }

  /**
   * Connects to a node and receives messages until the connection ends. Returns false if it could not start receiving.
   */
  async #connectTo(url: string): Promise<boolean> {
    const { log, address } = this.#options;
    const node = new URL(url);
    if (!node.searchParams.has('heartbeat')) node.searchParams.set('heartbeat', String(this.#limits.heartbeatSeconds));
    const ended = Promise.withResolvers<Error | undefined>();
    try {
      const connection = await connect(node.href, { timeout: this.#limits.connectMs });
      this.#connection = connection;
      // The client emits `close` after every `error`.
      let cause: Error | undefined;
      connection.on('error', (error) => {
        cause = error;
      });
      connection.on('close', (error) => {
        this.#channel = undefined;
        ended.resolve(cause ?? error);
      });
      const channel = await connection.createChannel();
      channel.on('error', (error) => {
        cause = error;
      });
      channel.on('close', () => {
        this.#channel = undefined;
        connection.close().catch(() => {});
      });
      await this.#consume(channel);
      if (this.#closing) {
        await connection.close();
        return true;
      }
      this.#problem = undefined;
      log.info('connected to RabbitMQ', { host: node.host });
    } catch (error) {
      await this.#connection?.close().catch(() => {});
      this.#connection = undefined;
      this.#channel = undefined;
      this.#report(error as Error);
      return false;
    }
    const error = await ended.promise;
    this.#connection = undefined;
    if (!this.#closing) this.#report(error ?? new Error(`${address.hosts} closed the connection.`));
    return true;
  }

  #report(error: Error): void {
    const { log, address } = this.#options;
    if (this.#problem === undefined)
      log.warn('not connected to RabbitMQ; trying again', { host: address.hosts, error });
    this.#problem = `RabbitMQ is unresponsive: ${error.message}`;
  }

  async #consume(channel: Channel): Promise<void> {
    await channel.prefetch(this.#limits.prefetch);
    const queues = await declareQueues(channel, this.#options.address.queues);
    this.#channel = channel;
    for (const queue of queues) await channel.consume(queue, (message) => this.#arrived(channel, message));
  }

  #arrived(channel: Channel, message: ConsumeMessage | null): void {
    // RabbitMQ passes null when it cancels the consumer, for example because somebody deleted the queue.
    if (message === null || this.#wasPaused()) {
      this.#channel = undefined;
      this.#connection?.close().catch(() => {});
      return;
    }
    const taking = this.#take(channel, message).then((taken) => {
      this.#underWay.delete(taking);
      // A message can be acknowledged only on the channel that delivered it. After that channel closes, RabbitMQ
      // delivers the message again.
      if (taken && channel === this.#channel) channel.ack(message);
    });
    this.#underWay.add(taking);
  }

  /**
   * Returns whether this process was just suspended for longer than the heartbeat. RabbitMQ has then delivered the
   * messages in this process's buffer to another process, so they must not be stored here.
   */
  #wasPaused(): boolean {
    return this.#options.clock.now().getTime() - this.#awakeAt > this.#limits.heartbeatSeconds * 1000;
  }

  /** Stores a message. Returns true if RabbitMQ may discard it. */
  async #take(channel: Channel, { content, fields }: ConsumeMessage): Promise<boolean> {
    const { metrics } = this.#options;
    const uid = uidOf(fields.routingKey);
    if (uid === undefined) {
      countVisitor(metrics, 'mqtt', 'foreign-topic');
      return true;
    }
    const send = (to: string, commands: Command[]) => this.#send(to, commands);
    const frame = incomingFrame(uid, content, { heard: this.#heard, send });
    return this.#ordered.take(frame, () => channel === this.#channel);
  }

  #send(uid: string, commands: Command[]): void {
    for (const command of commands) {
      try {
        this.#channel?.publish(MQTT_EXCHANGE, commandKey(uid), Buffer.from(commandText(command)), { persistent: true });
      } catch {
        // The channel has closed, so the command was not sent. The pipeline sends unconfirmed commands again.
      }
    }
  }

  #wait(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#stopWaiting = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
