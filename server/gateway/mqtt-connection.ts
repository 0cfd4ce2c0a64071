import type { Socket } from 'node:net';
import type { Client, ConnectPacket, PublishPacket } from 'aedes';
import { frameLimits } from '../../domain/frame/frame.ts';
import { commandSubscription, parseTopic, type SparkplugTopic } from '../../domain/sparkplug/topic.ts';
import type { Answer, Command, Device, Intake, Refusal } from '../pipeline/intake.ts';
import { tooLarge } from '../pipeline/refusals.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import { countAnswer, countVisitor, meaningOf, noteRefusal } from './answers.ts';
import type { Complaints } from './complaints.ts';
import { type Gate, gateReading } from './mqtt-gate.ts';
import type { MqttLimits } from './mqtt-limits.ts';
import type { Presence, Visitor } from './presence.ts';
import {
  isAboutDeviceAlone,
  isBirth,
  type Prepared,
  receivePrepared,
  type SparkplugMessage,
  SparkplugNode,
} from './sparkplug.ts';
import { DevicesBehind } from './sparkplug-devices.ts';

interface ConnectionDeps {
  intake: Intake;
  log: Log;
  metrics: Metrics;
  clock: Clock;
  presence: Presence;
  complaints: Complaints;
  limits: MqttLimits;
}

/**
 * Maximum number of commands held for a connection that has not subscribed yet. Further commands are dropped; the
 * pipeline sends them again later.
 */
const MAX_KEPT_COMMANDS = 100;

/** Received message. `about` and `prepared` are set only for Sparkplug messages. */
interface Arrived {
  packet: PublishPacket;
  body: Buffer;
  about: SparkplugTopic | undefined;
  prepared: Prepared | undefined;
}

/** Store in which the broker keeps unacknowledged packets. */
export interface Persistence {
  incomingGetPacket(client: Client, packet: PublishPacket): Promise<unknown>;
}

/** One connection to the embedded broker. */
export class MqttConnection {
  connect: ConnectPacket | undefined;
  client: Client | undefined;
  readonly socket: Socket;
  readonly #deps: ConnectionDeps;
  readonly #gate: Gate;
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #kept = new Map<number, Command>();
  #visitor: Visitor | undefined;
  #listens = false;
  /** Sparkplug state of the edge node: its births, its group and its command subscriptions. */
  #node: SparkplugNode | undefined;
  #group: string | undefined;
  readonly #commandsFor = new Set<'NCMD' | 'DCMD'>();
  #devices: DevicesBehind | undefined;
  #asking = false;
  #askAgain = false;
  #stopping = false;

  constructor(socket: Socket, deps: ConnectionDeps) {
    this.socket = socket;
    this.#deps = deps;
    const { outstanding, connectBytes } = deps.limits;
    this.#gate = gateReading(socket, { outstanding, packetBytes: connectBytes }, () => this.#tooLarge());
  }

  /** Stops reading on all connections and waits up to `patienceMs` until the received frames are stored. */
  static async finishAll(connections: MqttConnection[], patienceMs: number): Promise<void> {
    for (const connection of connections) {
      connection.#stopping = true;
      connection.#gate.shut();
    }
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise((resolve) => {
      timer = setTimeout(resolve, patienceMs);
    });
    await Promise.race([Promise.all(connections.flatMap((connection) => [...connection.#underWay])), patience]);
    clearTimeout(timer);
  }

  /** Called when a device has signed in on this connection. */
  enter(device: Device, token: string): void {
    if (this.socket.destroyed) return;
    this.#gate.packetBytes = this.#deps.limits.packetBytes;
    this.#visitor = { device, token, leave: (why) => this.#end(why), changed: () => void this.#sendWaiting() };
    this.#deps.presence.add(this.#visitor);
  }

  leave(): void {
    this.#devices?.close();
    this.#devices = undefined;
    if (this.#visitor) this.#deps.presence.remove(this.#visitor);
  }

  maySubscribe(topic: string): boolean {
    const device = this.#visitor?.device;
    const own = `tocsin/${device?.uid}/down`;
    if (device && (topic === own || commandSubscription(topic, device.uid) !== undefined)) return true;
    countVisitor(this.#deps.metrics, 'mqtt', 'foreign-subscription');
    const sentence = `This device may subscribe to ${own} or to the commands of its Sparkplug node, but not to ${topic.slice(0, 200)}.`;
    if (device) this.#deps.complaints.say(device, 'foreign-subscription', sentence);
    return false;
  }

  /** Called when the device has subscribed to or unsubscribed from an allowed topic. */
  listen(topic: string, listens: boolean): void {
    const uid = this.#visitor?.device.uid;
    if (uid === undefined) return;
    const commands = commandSubscription(topic, uid);
    if (commands) {
      if (listens) this.#commandsFor.add(commands);
      else this.#commandsFor.delete(commands);
      if (commands === 'DCMD') this.#devices?.sendWaiting();
      return;
    }
    if (topic !== `tocsin/${uid}/down`) return;
    this.#listens = listens;
    if (!listens) return;
    this.#send([...this.#kept.values()]);
    this.#kept.clear();
    void this.#sendWaiting();
  }

  /**
   * Stores a frame, then calls `done`. If `done` gets an error, the broker closes the connection without an
   * acknowledgement.
   */
  receive(packet: PublishPacket, persistence: Persistence, done: (error?: Error) => void): void {
    const device = this.#visitor?.device;
    if (!device || this.#stopping) {
      done(new Error('The connection no longer accepts frames.'));
      return;
    }
    const about = parseTopic(packet.topic);
    const mine = about ? this.#isMine(about, device) : packet.topic === `tocsin/${device.uid}/up`;
    if (!mine || packet.retain) {
      const because = packet.retain ? 'retained' : 'foreign-topic';
      const topic = packet.topic.slice(0, 200);
      const allowed = `This device may publish to tocsin/${device.uid}/up, or as a Sparkplug edge node named ${device.uid}.`;
      const sentence = packet.retain
        ? `${allowed} Turn off the retain flag, which was set on ${topic}.`
        : `${allowed} It published to ${topic}.`;
      countVisitor(this.#deps.metrics, 'mqtt', because);
      this.#deps.complaints.say(device, because, sentence, { topic });
      done(new Error(sentence));
      return;
    }
    const arrived = this.#arrived(packet, about);
    this.#gate.enter();
    const taking = this.#take(device, arrived, persistence)
      .catch((error: Error) => {
        this.#deps.log.error('a frame could not be accepted', { protocol: 'mqtt', uid: device.uid, error });
        this.#deps.metrics.count('tocsin_frames_total', { protocol: 'mqtt', outcome: 'failed' });
        return error;
      })
      .then((error) => {
        this.#underWay.delete(taking);
        this.#gate.leave();
        done(error);
      });
    this.#underWay.add(taking);
  }

  /**
   * Returns whether a topic belongs to this connection. The node name must be the uid of the signed-in sensor, and the
   * group must not change.
   */
  #isMine({ group, node }: SparkplugTopic, { uid }: Device): boolean {
    if (node !== uid) return false;
    this.#group ??= group;
    return group === this.#group;
  }

  /** Decodes a message. Must be called in order of arrival. */
  #arrived(packet: PublishPacket, about: SparkplugTopic | undefined): Arrived {
    const body = typeof packet.payload === 'string' ? Buffer.from(packet.payload) : packet.payload;
    if (!about) return { packet, body, about, prepared: undefined };
    this.#node ??= new SparkplugNode(this.#deps.clock);
    // A packet larger than a batch has already ended the connection.
    if (body.length > frameLimits.bytes && !isBirth(about)) {
      this.#node.missed();
      return { packet, body, about, prepared: undefined };
    }
    const circumstances = { again: packet.dup, mayAsk: this.#commandsFor.has('NCMD') };
    const prepared = this.#node.prepare(packet.topic, about, body, circumstances);
    if (prepared.request) this.#post(prepared.request, 0);
    return { packet, body, about, prepared };
  }

  async #take(device: Device, { packet, body, about, prepared }: Arrived, persistence: Persistence) {
    const { intake, metrics, log } = this.#deps;
    // With QoS 2, a packet that is still in the broker's store was received before. Only its acknowledgement was lost.
    if (packet.qos === 2 && (await isKept(persistence, this.client as Client, packet))) return undefined;
    let answer: Answer;
    if (prepared) {
      answer = await receivePrepared(intake, device, prepared, this.#hearsCommandsOf(about) ? {} : { commands: 0 });
    } else if (body.length > frameLimits.bytes) answer = tooLarge(frameLimits.bytes);
    else answer = await intake.receive(device, { protocol: 'mqtt', body });
    countAnswer(metrics, 'mqtt', answer);
    if (answer.ok) {
      if (about?.device !== undefined) await this.#behind(device)?.heard(about);
      if (about) this.#sendAs(about, answer.commands);
      else this.#keepOrSend(answer.commands);
      return undefined;
    }
    if (about && isAboutDeviceAlone(about, answer)) return undefined;
    const { kind } = meaningOf(answer.because);
    // MQTT 3.1.1 cannot refuse a message, but a device resends an unacknowledged one. This helps only if the refusal is
    // temporary.
    if (kind === 'frame') return undefined;
    noteRefusal(intake, 'mqtt', device, answer);
    if (kind === 'size') {
      log.warn('a frame was too large and is lost', { protocol: 'mqtt', uid: device.uid, bytes: body.length });
      return undefined;
    }
    return new Error(answer.sentence);
  }

  #behind(node: Device): DevicesBehind | undefined {
    if (!this.#visitor || this.socket.destroyed) return undefined;
    const { intake, log } = this.#deps;
    this.#devices ??= new DevicesBehind(node, {
      ...{ intake, log },
      hears: () => this.#commandsFor.has('DCMD') && !this.socket.destroyed,
      send: (place, commands) => this.#sendAs(place, commands),
    });
    return this.#devices;
  }

  #keepOrSend(commands: Command[]): void {
    if (this.#listens) this.#send(commands);
    else for (const command of commands) if (this.#kept.size < MAX_KEPT_COMMANDS) this.#kept.set(command.id, command);
  }

  /** Sends all queued commands of the device. If another command is queued during the database query, queries again. */
  async #sendWaiting(): Promise<void> {
    this.#askAgain = true;
    if (this.#asking) return;
    this.#asking = true;
    try {
      while (this.#askAgain && this.#visitor && !this.socket.destroyed) {
        const { uid } = this.#visitor.device;
        const node = this.#group === undefined ? undefined : { group: this.#group, node: uid, device: undefined };
        if (!this.#listens && !(node && this.#hearsCommandsOf(node))) return;
        this.#askAgain = false;
        const commands = await this.#deps.intake.takeCommands(this.#visitor.device);
        if (this.#listens || !node) this.#send(commands);
        else this.#sendAs(node, commands);
      }
    } catch (error) {
      this.#deps.log.error('commands could not be sent', { protocol: 'mqtt', uid: this.#visitor?.device.uid, error });
    } finally {
      this.#asking = false;
    }
  }

  #send(commands: Command[]): void {
    const topic = `tocsin/${this.#visitor?.device.uid}/down`;
    for (const { id, text } of commands) {
      this.#post({ topic, payload: Buffer.from(JSON.stringify({ id, command: text })) }, 1);
    }
  }

  #hearsCommandsOf(about: Pick<SparkplugTopic, 'device'> | undefined): boolean {
    return this.#commandsFor.has(about?.device === undefined ? 'NCMD' : 'DCMD');
  }

  #sendAs(about: Pick<SparkplugTopic, 'group' | 'node' | 'device'>, commands: Command[]): void {
    for (const message of this.#node?.commands(about, commands) ?? []) this.#post(message, 1);
  }

  #post({ topic, payload }: SparkplugMessage, qos: 0 | 1): void {
    this.client?.publish({ cmd: 'publish', topic, payload, qos, retain: false, dup: false }, () => {});
  }

  #end(why: Refusal | 'replaced'): void {
    const outcome = why === 'replaced' ? why : `cut-${why.because}`;
    countVisitor(this.#deps.metrics, 'mqtt', outcome);
    if (why !== 'replaced' && this.#visitor) noteRefusal(this.#deps.intake, 'mqtt', this.#visitor.device, why);
    // Without a signed-in device, the connection rejects all further messages, including the will message.
    this.#visitor = undefined;
    this.#gate.shut();
    this.client?.close();
  }

  #tooLarge(): void {
    const { intake, metrics, log, limits } = this.#deps;
    const device = this.#visitor?.device;
    countVisitor(metrics, 'mqtt', 'packet-too-large');
    log.warn('a connection was closed because a packet was too large', { protocol: 'mqtt', uid: device?.uid });
    if (device) noteRefusal(intake, 'mqtt', device, tooLarge(limits.packetBytes, 'packet'));
    this.client?.close();
  }
}

async function isKept(persistence: Persistence, client: Client, packet: PublishPacket): Promise<boolean> {
  return persistence.incomingGetPacket(client, packet).then(
    () => true,
    () => false,
  );
}
