import type { Socket } from 'node:net';
import type { Client, ConnectPacket, PublishPacket } from 'aedes';
import { frameLimits } from '../../domain/frame/frame.ts';
import type { Answer, Command, Device, Intake, Refusal } from '../pipeline/intake.ts';
import type { Log } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import { countAnswer, countVisitor, meaningOf, tooLarge } from './answers.ts';
import type { MqttLimits, Persistence } from './mqtt.ts';
import { type Gate, gateReading } from './mqtt-gate.ts';
import type { Presence, Visitor } from './presence.ts';

interface House {
  intake: Intake;
  log: Log;
  metrics: Metrics;
  presence: Presence;
  limits: MqttLimits;
}

/** Commands that are kept for a connection that does not listen yet. The pipeline sends them again when it never does. */
const MOST_KEPT = 100;

/** One client of the embedded broker, from its first byte to its last. */
export class MqttConnection {
  connect: ConnectPacket | undefined;
  client: Client | undefined;
  readonly socket: Socket;
  readonly #house: House;
  readonly #gate: Gate;
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #kept = new Map<number, Command>();
  #visitor: Visitor | undefined;
  #listens = false;
  #asking = false;
  #askAgain = false;
  #stopping = false;

  constructor(socket: Socket, house: House) {
    this.socket = socket;
    this.#house = house;
    const { outstanding, connectBytes } = house.limits;
    this.#gate = gateReading(socket, { outstanding, packetBytes: connectBytes }, () => this.#tooLarge());
  }

  /** Waits until what has arrived is stored, and takes no more. */
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

  /** The device has shown who it is. */
  enter(device: Device, token: string): void {
    if (this.socket.destroyed) return;
    this.#gate.packetBytes = this.#house.limits.packetBytes;
    this.#visitor = { device, token, leave: (why) => this.#end(why), changed: () => void this.#sendWaiting() };
    this.#house.presence.add(this.#visitor);
  }

  leave(): void {
    if (this.#visitor) this.#house.presence.remove(this.#visitor);
  }

  maySubscribe(topic: string): boolean {
    return this.#visitor !== undefined && topic === `tocsin/${this.#visitor.device.uid}/down`;
  }

  listen(listens: boolean): void {
    this.#listens = listens;
    if (!listens) return;
    this.#send([...this.#kept.values()]);
    this.#kept.clear();
    void this.#sendWaiting();
  }

  /** Takes a frame and calls back when it is stored. With an error the broker ends the connection without acknowledging. */
  receive(packet: PublishPacket, persistence: Persistence, done: (error?: Error) => void): void {
    const device = this.#visitor?.device;
    if (!device || this.#stopping) {
      done(new Error('Nothing is taken any more.'));
      return;
    }
    if (packet.topic !== `tocsin/${device.uid}/up` || packet.retain) {
      countVisitor(this.#house.metrics, 'mqtt', packet.retain ? 'retained' : 'foreign-topic');
      done(new Error(`This device may only publish to tocsin/${device.uid}/up, and not retained.`));
      return;
    }
    this.#gate.enter();
    const taking = this.#take(device, packet, persistence)
      .catch((error: Error) => {
        this.#house.log.error('a frame could not be taken', { door: 'mqtt', uid: device.uid, error });
        this.#house.metrics.count('tocsin_frames_total', { door: 'mqtt', outcome: 'failed' });
        return error;
      })
      .then((error) => {
        this.#underWay.delete(taking);
        this.#gate.leave();
        done(error);
      });
    this.#underWay.add(taking);
  }

  async #take(device: Device, packet: PublishPacket, persistence: Persistence): Promise<Error | undefined> {
    const { intake, metrics, log } = this.#house;
    // Exactly once: a packet that the broker still keeps was taken before, and only its acknowledgement was lost.
    if (packet.qos === 2 && (await isKept(persistence, this.client as Client, packet))) return undefined;
    const body = typeof packet.payload === 'string' ? Buffer.from(packet.payload) : packet.payload;
    const answer: Answer =
      body.length > frameLimits.bytes
        ? tooLarge(frameLimits.bytes)
        : await intake.receive(device, { door: 'mqtt', body });
    countAnswer(metrics, 'mqtt', answer);
    if (answer.ok) {
      this.#keepOrSend(answer.commands);
      return undefined;
    }
    const { kind } = meaningOf(answer.because);
    // MQTT 3.1.1 cannot say no to a message. Not acknowledging it brings it back, which only helps where time does.
    if (kind === 'frame') return undefined;
    if (kind === 'size') {
      log.warn('a frame was too large and is lost', { door: 'mqtt', uid: device.uid, bytes: body.length });
      return undefined;
    }
    return new Error(answer.sentence);
  }

  #keepOrSend(commands: Command[]): void {
    if (this.#listens) this.#send(commands);
    else for (const command of commands) if (this.#kept.size < MOST_KEPT) this.#kept.set(command.id, command);
  }

  /** Asks once more when something changed while it was asking. */
  async #sendWaiting(): Promise<void> {
    this.#askAgain = true;
    if (this.#asking) return;
    this.#asking = true;
    try {
      while (this.#askAgain && this.#listens && this.#visitor && !this.socket.destroyed) {
        this.#askAgain = false;
        this.#send(await this.#house.intake.takeCommands(this.#visitor.device));
      }
    } catch (error) {
      this.#house.log.error('commands could not be sent', { door: 'mqtt', uid: this.#visitor?.device.uid, error });
    } finally {
      this.#asking = false;
    }
  }

  #send(commands: Command[]): void {
    const topic = `tocsin/${this.#visitor?.device.uid}/down`;
    for (const { id, text } of commands) {
      const payload = JSON.stringify({ id, command: text });
      this.client?.publish({ cmd: 'publish', topic, payload, qos: 1, retain: false, dup: false }, () => {});
    }
  }

  #end(why: Refusal | 'replaced'): void {
    const outcome = why === 'replaced' ? why : `cut-${why.because}`;
    countVisitor(this.#house.metrics, 'mqtt', outcome);
    // Without a visitor nothing more is taken, not even the will.
    this.#visitor = undefined;
    this.#gate.shut();
    this.client?.close();
  }

  #tooLarge(): void {
    countVisitor(this.#house.metrics, 'mqtt', 'packet-too-large');
    this.#house.log.warn('a connection was cut because of a packet that is too large', {
      door: 'mqtt',
      uid: this.#visitor?.device.uid,
    });
    this.client?.close();
  }
}

async function isKept(persistence: Persistence, client: Client, packet: PublishPacket): Promise<boolean> {
  return persistence.incomingGetPacket(client, packet).then(
    () => true,
    () => false,
  );
}
