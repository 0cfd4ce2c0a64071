import type { FloodLimit } from '../../domain/flood.ts';
import { decodeFrame } from '../../domain/frame/decode.ts';
import { type Decoded, frameLimits } from '../../domain/frame/frame.ts';
import { decodeForwarded, readGatewayCall } from '../../domain/frame/gateway-call.ts';
import { decodeUtf8 } from '../../domain/frame/text.ts';
import { serviceAccess } from '../access.ts';
import type { LiveHub } from '../live/hub.ts';
import { type Clock, randomUuid } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';
import { Batch } from './batch.ts';
import { BatchQueue } from './batch-queue.ts';
import { dueCommands, MOST_COMMANDS, markSent } from './commands.ts';
import type { Evaluator } from './evaluator.ts';
import { Flood } from './flood.ts';
import { firstBehind, notBehind, sensorsBehind } from './gateway-call.ts';
import { deviceOf, Identification, type Identified, type KnownDevice } from './identification.ts';
import type { Answer, BatchTaken, Command, Delivery, Device, Intake, Refusal, Rejection, Who } from './intake.ts';
import {
  answerOf,
  batchAnswerOf,
  isOff,
  type Job,
  newJob,
  newSensorDelivery,
  type SensorDelivery,
  type Sequence,
} from './job.ts';
import { Repair } from './newest/repair.ts';
import { WriteBehind } from './newest/write-behind.ts';
import { busy, cannotLookUp, stopping, tooLarge } from './refusals.ts';
import { Registry } from './registry.ts';
import { RejectionLog } from './rejection-log.ts';
import type { Sensor } from './sensor.ts';

export interface PipelineOptions {
  db: Database;
  clock: Clock;
  log: Log;
  live: LiveHub;
  evaluator: Evaluator;
  /** Maximum rate of frames from one sensor. */
  flood: FloodLimit;
  commandRetryMs: number;
  keepReadingsMs: number;
  /** True to run write-behind on a timer. Tests set it to false and flush write-behind themselves. */
  timers: boolean;
}

/**
 * Handles frames for all protocols: identifies the device, decodes the frame, stores it in a batch and returns the
 * response.
 */
export class Pipeline implements Intake {
  /** Uuid of this process in the database. */
  readonly process = randomUuid();
  readonly behind: WriteBehind;
  readonly repair: Repair;
  readonly #options: PipelineOptions;
  readonly #registry: Registry;
  readonly #identification: Identification;
  readonly #queue: BatchQueue;
  readonly #flood: Flood;
  readonly #rejections: RejectionLog;
  readonly #listeners = new Set<(sensorUuid: string) => void>();
  #stopListening: (() => Promise<void>) | undefined;
  #closed = false;

  private constructor(options: PipelineOptions) {
    const { db, clock, log, live, evaluator, flood } = options;
    this.#options = options;
    this.#flood = new Flood(flood, clock);
    const { process } = this;
    this.#registry = new Registry(db, clock, process);
    this.#identification = new Identification(this.#registry, log);
    this.#rejections = new RejectionLog(db, clock, log, this.#registry);
    this.behind = new WriteBehind({ db, clock, log, process });
    this.repair = new Repair({ db, clock, log, behind: this.behind, process });
    const batch = new Batch({
      db,
      clock,
      live,
      evaluator,
      registry: this.#registry,
      behind: this.behind,
      flood: this.#flood,
      process,
      commands: { retryMs: options.commandRetryMs },
      keepReadingsMs: options.keepReadingsMs,
    });
    this.#queue = new BatchQueue({ log, atOnce: db.copying ? 2 : 1, carry: (jobs) => batch.run(jobs) });
  }

  static async start(options: PipelineOptions): Promise<Pipeline> {
    const pipeline = new Pipeline(options);
    const { db, timers } = options;
    await pipeline.behind.register();
    pipeline.#stopListening = await db.listen(
      'tocsin_device',
      (sensorUuid) => pipeline.#changed(sensorUuid),
      () => pipeline.#registry.forgetAll(),
    );
    if (timers) {
      pipeline.behind.start();
      pipeline.repair.start();
    }
    return pipeline;
  }

  /** Stores every accepted delivery, then stops. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#stopListening?.();
    await this.#queue.empty();
    await this.#rejections.settled();
    await this.repair.stop();
    await this.behind.stop();
  }

  /** Number of deliveries waiting to be stored, and number of newest values and contacts waiting to be written. */
  get waiting(): { deliveries: number; newest: number } {
    return { deliveries: this.#queue.waiting, newest: this.behind.waiting };
  }

  onDeviceChange(listener: (sensorUuid: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #changed(sensorUuid: string): void {
    this.#registry.forget(sensorUuid);
    for (const listener of this.#listeners) listener(sensorUuid);
  }

  identify(uid: string, token: string): Promise<Identified> {
    return this.#identification.byUidAndToken(uid, token);
  }

  identifyByToken(token: string): Promise<Identified> {
    return this.#identification.byToken(token);
  }

  identifyByUid(uid: string): Promise<Identified> {
    return this.#identification.byUid(uid);
  }

  noteRejection(who: Who, visit: Rejection): void {
    this.#rejections.note(who, visit);
  }

  async receive(device: Device, delivery: Delivery): Promise<Answer> {
    const [answer] = await this.receiveInOrder(device, [delivery]);
    return answer as Answer;
  }

  async receiveInOrder(device: Device, deliveries: readonly Delivery[]): Promise<Answer[]> {
    const sensor = this.#registry.get(device.sensorUuid) ?? (await this.#identification.again(device));
    if ('ok' in sensor) return deliveries.map(() => sensor);
    const sequence: Sequence = { stoppedBy: undefined };
    let refusal: Refusal | undefined;
    // Nothing may be awaited in this loop, because the queue keeps the order in which jobs are added.
    const answers = deliveries.map((delivery) => {
      if (delivery.body.byteLength > frameLimits.bytes) return tooLarge(frameLimits.bytes);
      refusal ??= this.#flood.refusal(sensor, delivery) ?? this.#notNow();
      return refusal ?? this.#store(device, sensor, delivery, sequence);
    });
    return Promise.all(answers);
  }

  #store(device: Device, sensor: Sensor, delivery: Delivery, sequence: Sequence): Promise<Answer> {
    const text = decodeUtf8(delivery.body);
    const format = sensor.format === 'auto' ? (delivery.format ?? 'auto') : sensor.format;
    const job = newJob((device as KnownDevice).tokenHash, sensor, delivery, text, this.#options.clock.now());
    job.sequence = sequence;
    job.sensorDeliveries.push(this.#sensorDelivery(sensor, decodeFrame(text ?? delivery.body, format)));
    return this.#carried(job, () => answerOf(job.sensorDeliveries[0] as SensorDelivery));
  }

  async receiveFor(sender: Device, uids: readonly string[], delivery: Delivery): Promise<Answer> {
    if (delivery.body.byteLength > frameLimits.batchBytes) return tooLarge(frameLimits.batchBytes, 'birth');
    const signedIn = this.#registry.get(sender.sensorUuid) ?? (await this.#identification.again(sender));
    if ('ok' in signedIn) return signedIn;
    let sensor: Sensor | undefined;
    let unknown: Refusal | undefined;
    try {
      sensor = await firstBehind(this.#registry, signedIn, uids);
      // The sender is already identified, so the refusal is only about the uid.
      if (!sensor) unknown = { ...(await notBehind(this.#registry, signedIn, uids)), because: 'foreign-uid' };
    } catch (error) {
      this.#options.log.warn('a device could not be looked up', { error: error as Error });
      return cannotLookUp;
    }
    const refusal = this.#flood.refusal(sensor ?? signedIn, delivery) ?? this.#notNow();
    if (refusal) return refusal;
    const text = decodeUtf8(delivery.body);
    const job = newJob((sender as KnownDevice).tokenHash, signedIn, delivery, text, this.#options.clock.now());
    if (!sensor) {
      job.unreadable = unknown;
      return this.#carried(job, () => unknown as Refusal);
    }
    job.keptUnder = sensor.uid;
    job.sensorDeliveries.push(
      this.#sensorDelivery(sensor, decodeFrame(text ?? delivery.body, delivery.format ?? 'auto')),
    );
    return this.#carried(job, () => answerOf(job.sensorDeliveries[0] as SensorDelivery));
  }

  async receiveBatch(gateway: Device, delivery: Delivery): Promise<BatchTaken | Refusal> {
    if (delivery.body.byteLength > frameLimits.batchBytes) return tooLarge(frameLimits.batchBytes, 'call');
    const sender = this.#registry.get(gateway.sensorUuid) ?? (await this.#identification.again(gateway));
    if ('ok' in sender) return sender;
    const refusal = this.#flood.refusal(sender, delivery) ?? this.#notNow();
    if (refusal) return refusal;
    const text = decodeUtf8(delivery.body);
    const job = newJob((gateway as KnownDevice).tokenHash, sender, delivery, text, this.#options.clock.now());
    const frames = readGatewayCall(text);
    if ('ok' in frames) {
      job.unreadable = frames;
      const outcome = await this.#carried(job, () => batchAnswerOf(job));
      return outcome.ok ? frames : outcome;
    }
    await this.#splitBySensor(job, frames);
    return this.#carried(job, () => batchAnswerOf(job));
  }

  async #splitBySensor(job: Job, frames: readonly { uid: string; frame: object }[]): Promise<void> {
    const mine = await sensorsBehind(this.#registry, job.sender, new Set(frames.map(({ uid }) => uid)));
    for (const { uid, frame } of frames) {
      const sensor = mine.get(uid);
      if (!sensor) {
        job.results.push({ uid, refusal: await notBehind(this.#registry, job.sender, [uid]) });
        continue;
      }
      const refusal = this.#tooMuchFor(sensor, job);
      if (refusal) {
        job.results.push({ uid, refusal });
        continue;
      }
      const sensorDelivery = this.#sensorDelivery(sensor, decodeForwarded({ frame }));
      job.sensorDeliveries.push(sensorDelivery);
      job.results.push(sensorDelivery);
    }
  }

  /**
   * Checks the rate limit of a sensor behind a gateway. Skips the gateway sensor itself, for which the call was already
   * counted.
   */
  #tooMuchFor(sensor: Sensor, { sender, delivery }: Job): Refusal | undefined {
    return sensor.uuid === sender.uuid ? undefined : this.#flood.refusal(sensor, delivery);
  }

  async deviceBehind(sender: Device, uids: readonly string[]): Promise<Device | undefined> {
    const signedIn = this.#registry.get(sender.sensorUuid) ?? (await this.#identification.again(sender));
    if ('ok' in signedIn) return undefined;
    const sensor = await firstBehind(this.#registry, signedIn, uids);
    return sensor && deviceOf(sensor);
  }

  async takeCommands(device: Device): Promise<Command[]> {
    const { db, clock, commandRetryMs } = this.#options;
    const sensor = await this.#registry.byUuid(device.sensorUuid);
    if (!sensor || isOff(sensor)) return [];
    const now = clock.now();
    const due = dueCommands(sensor, now.getTime(), MOST_COMMANDS, { retryMs: commandRetryMs });
    if (due.length === 0) return [];
    const sent = await db.transaction(serviceAccess(clock), (tx) =>
      markSent(
        tx,
        due.map(({ id }) => id),
        now,
        { retryMs: commandRetryMs },
      ),
    );
    for (const command of sensor.commands) if (sent.has(command.id)) command.sentAt = now.getTime();
    // A due command that is missing in `sent` was sent by another process or cancelled by a user, so the cached
    // commands are outdated.
    if (sent.size < due.length) this.#registry.forget(sensor.uuid);
    return due.filter(({ id }) => sent.has(id));
  }

  #sensorDelivery(sensor: Sensor, decoded: Decoded): SensorDelivery {
    const now = this.#options.clock.now().getTime();
    return newSensorDelivery(sensor, decoded, now, now - this.#options.keepReadingsMs);
  }

  #notNow(): Refusal | undefined {
    if (this.#closed) return stopping;
    return this.#queue.full ? busy : undefined;
  }

  #carried<T extends Answer | BatchTaken>(job: Job, answer: () => T): Promise<T | Refusal> {
    return new Promise((resolve) => {
      const finish = (result: T | Refusal) => {
        if (job.sequence && !result.ok && result.retryAfterMs !== undefined) job.sequence.stoppedBy ??= result;
        resolve(result);
      };
      job.settle = () => finish(job.refused ?? answer());
      job.fail = finish;
      this.#queue.add(job);
    });
  }
}
