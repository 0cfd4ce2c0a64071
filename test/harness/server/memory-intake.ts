/**
 * A replacement for the pipeline in gateway tests. It keeps frames in memory, checks devices as the pipeline does, and
 * can be paused.
 */
import { decodeFrame } from '../../../domain/frame/decode.ts';
import { frameLimits } from '../../../domain/frame/frame.ts';
import type {
  Answer,
  BatchTaken,
  Command,
  Delivery,
  Device,
  Intake,
  Refusal,
  RefusalName,
  Rejection,
  Who,
} from '../../../server/pipeline/intake.ts';

interface KnownDevice extends Device {
  token: string;
  revoked: boolean;
  disabled: boolean;
  commands: Command[];
  /** Uid of the gateway sensor that may forward this device's frames. */
  gateway?: string;
}

export interface TakenFrame {
  device: Device;
  protocol: Delivery['protocol'];
  format: Delivery['format'];
  text: string;
  notes: string[];
  contact: boolean;
}

export class MemoryIntake implements Intake {
  readonly frames: TakenFrame[] = [];
  /**
   * One entry for each frame that was refused because its sender is not allowed to forward it. The entry lists the uids
   * in the frame.
   */
  readonly foreignUids: (readonly string[])[] = [];
  /** Refused connections, as the gateway reported them. */
  readonly rejected: (Who & Rejection)[] = [];
  readonly #devices: KnownDevice[] = [];
  readonly #listeners = new Set<(sensorUuid: string) => void>();
  readonly #seen = new Set<string>();
  #refuseNext: Refusal[] = [];
  #held: Promise<void> = Promise.resolve();
  #commandId = 0;
  /** Number of frames without a response so far. */
  underWay = 0;
  mostUnderWay = 0;

  add(uid: string, token = `token-of-${uid}`, customerUuid = 'customer-1'): KnownDevice {
    const sensorUuid = `${customerUuid}/${uid}`;
    const device = { sensorUuid, customerUuid, uid, token, revoked: false, disabled: false, commands: [] };
    this.#devices.push(device);
    return device;
  }

  /** Refuses the next frames, one for each argument. The argument is the reason for the refusal. */
  refuse(...names: RefusalName[]): void {
    this.#refuseNext.push(
      ...names.map((because): Refusal => ({ ok: false, because, sentence: `Refused: ${because}.`, retryAfterMs: 20 })),
    );
  }

  /** Delays the responses to all frames until the returned function is called. */
  hold(): () => void {
    let release = () => {};
    this.#held = new Promise((resolve) => {
      release = resolve;
    });
    return release;
  }

  /** Responds to new frames immediately again. Responses that `hold` has already delayed remain delayed. */
  holdNoMore(): void {
    this.#held = Promise.resolve();
  }

  queue(device: KnownDevice, text: string): Command {
    this.#commandId += 1;
    const command = { id: this.#commandId, text };
    device.commands.push(command);
    this.changed(device);
    return command;
  }

  changed({ sensorUuid }: Device): void {
    for (const listener of this.#listeners) listener(sensorUuid);
  }

  async identify(uid: string, token: string) {
    const same = this.#devices.filter((device) => device.uid === uid);
    if (same.length === 0) return refusal('unknown-uid');
    const device = same.find((one) => one.token === token);
    return device ? identityOf(device) : refusal('wrong-token');
  }

  async identifyByToken(token: string) {
    const device = this.#devices.find((one) => one.token === token);
    return device ? identityOf(device) : refusal('wrong-token');
  }

  async identifyByUid(uid: string) {
    const same = this.#devices.filter((device) => device.uid === uid);
    if (same.length > 1) return refusal('ambiguous-uid');
    return same[0] ? identityOf(same[0]) : refusal('unknown-uid');
  }

  receive(device: Device, delivery: Delivery): Promise<Answer> {
    return this.#receive(device, delivery, frameLimits.bytes);
  }

  async receiveInOrder(device: Device, deliveries: readonly Delivery[]): Promise<Answer[]> {
    const answers: Answer[] = [];
    let stoppedBy: Refusal | undefined;
    for (const delivery of deliveries) {
      const answer: Answer = stoppedBy ?? (await this.receive(device, delivery));
      if (!answer.ok && answer.retryAfterMs !== undefined) stoppedBy = answer;
      answers.push(answer);
    }
    return answers;
  }

  async #receive(device: Device, delivery: Delivery, most: number): Promise<Answer> {
    const { protocol, body, format, commands, notes = [], contact = true } = delivery;
    this.underWay += 1;
    this.mostUnderWay = Math.max(this.mostUnderWay, this.underWay);
    try {
      await this.#held;
      if (body.byteLength > most) return refusal('too-large');
      const refused = this.#refuseNext.shift();
      if (refused) return refused;
      const { sensorUuid, customerUuid, uid } = device;
      const text = Buffer.from(body).toString('utf8');
      this.frames.push({ device: { sensorUuid, customerUuid, uid }, protocol, format, text, notes, contact });
      return this.#receiveFrame(device, body, format, commands);
    } finally {
      this.underWay -= 1;
    }
  }

  #receiveFrame(device: Device, body: Uint8Array, format: Delivery['format'], room?: number): Answer {
    const decoded = decodeFrame(body, format ?? 'auto');
    if (!decoded.ok) return { ok: false, because: decoded.because, sentence: decoded.sentence };
    let duplicates = 0;
    for (const { channel, time } of decoded.frame.values) {
      const key = `${device.sensorUuid} ${channel} ${time}`;
      if (time !== undefined && this.#seen.has(key)) duplicates += 1;
      this.#seen.add(key);
    }
    const { values: samples, refused } = decoded.frame;
    const commands = this.#commandsOf(device, room);
    return { ok: true, accepted: samples.length - duplicates, duplicates, refused, notes: [], commands };
  }

  async deviceBehind(sender: Device, uids: readonly string[]): Promise<KnownDevice | undefined> {
    const own = this.#devices.filter(({ customerUuid }) => customerUuid === sender.customerUuid);
    return uids
      .map((uid) => own.find((one) => one.uid === uid && (uid === sender.uid || one.gateway === sender.uid)))
      .find((one) => one !== undefined);
  }

  async receiveFor(sender: Device, uids: readonly string[], delivery: Delivery): Promise<Answer> {
    const device = await this.deviceBehind(sender, uids);
    if (!device) {
      this.foreignUids.push(uids);
      return refusal('foreign-uid');
    }
    return device.disabled ? refusal('disabled') : this.#receive(device, delivery, frameLimits.batchBytes);
  }

  async receiveBatch(gateway: Device, { protocol, body }: Delivery): Promise<BatchTaken | Refusal> {
    const frames = framesOf(body);
    if (!frames) return refusal('not-json');
    const batch: BatchTaken = { ok: true, accepted: 0, duplicates: 0, results: [], commands: [] };
    for (const { uid, ...values } of frames) {
      const device = this.#devices.find((one) => one.uid === uid && one.customerUuid === gateway.customerUuid);
      const answer = device
        ? await this.receive(device, { protocol, body: Buffer.from(JSON.stringify(values)), format: 'json' })
        : refusal('foreign-uid');
      if (answer.ok) {
        batch.accepted += answer.accepted;
        batch.duplicates += answer.duplicates;
        batch.commands.push(...answer.commands.map((command) => ({ ...command, uid })));
      }
      batch.results.push({ uid, ...answer });
    }
    return batch;
  }

  async takeCommands(device: Device): Promise<Command[]> {
    return this.#commandsOf(device);
  }

  #commandsOf({ sensorUuid }: Device, room = Number.POSITIVE_INFINITY): Command[] {
    return this.#devices.find((one) => one.sensorUuid === sensorUuid)?.commands.splice(0, room) ?? [];
  }

  noteRejection(who: Who, visit: Rejection): void {
    this.rejected.push({ ...who, ...visit });
  }

  onDeviceChange(listener: (sensorUuid: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

function framesOf(body: Uint8Array): { uid: string }[] | undefined {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8')).frames;
  } catch {
    return undefined;
  }
}

function identityOf({ sensorUuid, customerUuid, uid, revoked, disabled }: KnownDevice) {
  if (revoked) return refusal('revoked-token');
  if (disabled) return refusal('disabled');
  return { ok: true as const, sensorUuid, customerUuid, uid };
}

function refusal(because: RefusalName): Refusal {
  return { ok: false, because, sentence: `Refused: ${because}.` };
}
