import { setImmediate as immediate } from 'node:timers/promises';
import { type FloodLimit, fullAllowance, takeOne } from '../../domain/flood.ts';
import { decodeFrame } from '../../domain/frame/decode.ts';
import { type Decoded, frameLimits } from '../../domain/frame/frame.ts';
import { decodeObject } from '../../domain/frame/json.ts';
import { textOf } from '../../domain/frame/text.ts';
import { serviceAccess } from '../access.ts';
import type { LiveHub } from '../live/hub.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';
import { Batch } from './batch.ts';
import { dueCommands, markSent } from './commands.ts';
import type { Answer, BatchTaken, Command, Delivery, Device, Intake, Refusal } from './intake.ts';
import { answerOf, batchAnswerOf, disabled, type Job, mapPart, type Part } from './job.ts';
import { Registry, tokenHash } from './registry.ts';
import type { Allowances, Sensor } from './sensor.ts';
import { repairLatest, WriteBehind } from './write-behind.ts';

export interface PipelineOptions {
  db: Database;
  clock: Clock;
  log: Log;
  live: LiveHub;
  /** What one device may send before it is told to slow down. */
  flood: FloodLimit;
  commandRetryMs: number;
  keepReadingsMs: number;
  /** Off in tests, which ask for what would be written behind. */
  timers: boolean;
}

/** A batch takes what has come in while the one before it was carried out, up to so much. */
const MOST_JOBS = 2000;
const MOST_READINGS = 25_000;
/** How long the first frame of a batch waits for others. */
const GATHER_MS = 3;
/** A second batch beside the first is worth its cost only for this many readings. */
const WORTH_ANOTHER = 800;
/** Beyond this much waiting, devices are told to come back. */
const MOST_WAITING = 20_000;
const RETRY_MS = 5000;

/** A device as this pipeline knows it: with the token it signed in with, which every batch looks at again. */
interface KnownDevice extends Device {
  tokenHash?: string;
}

type Identified = ({ ok: true } & Device) | Refusal;

/** Where every door ends: who is it, what did it say, carry it in a batch, answer. */
export class Pipeline implements Intake {
  readonly behind: WriteBehind;
  readonly #options: PipelineOptions;
  readonly #registry: Registry;
  readonly #batch: Batch;
  readonly #allowances: Allowances = new Map();
  readonly #listeners = new Set<(sensorUuid: string) => void>();
  #waiting: Job[] = [];
  #waitingReadings = 0;
  /** Batches under way, and how many there may be: a server has several hands, the embedded database has one. */
  readonly #running = new Set<Promise<void>>();
  readonly #side: number;
  #beginning = false;
  #stopListening: (() => Promise<void>) | undefined;
  #closed = false;

  private constructor(options: PipelineOptions) {
    const { db, clock, log, live } = options;
    this.#options = options;
    this.#side = db.copying ? 2 : 1;
    this.#registry = new Registry(db, clock);
    this.behind = new WriteBehind(db, clock, log);
    this.#batch = new Batch({
      db,
      clock,
      live,
      registry: this.#registry,
      behind: this.behind,
      commands: { retryMs: options.commandRetryMs },
      keepReadingsMs: options.keepReadingsMs,
    });
  }

  static async start(options: PipelineOptions): Promise<Pipeline> {
    const pipeline = new Pipeline(options);
    const { db, clock, log, timers } = options;
    pipeline.#stopListening = await db.listen(
      'tocsin_device',
      (sensorUuid) => pipeline.#changed(sensorUuid),
      () => pipeline.#registry.forgetAll(),
    );
    if (timers) {
      repairLatest(db, clock).catch((error: Error) => log.warn('the newest values could not be repaired', { error }));
      pipeline.behind.start();
    }
    return pipeline;
  }

  /** Lets everything that was taken be carried out and written. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#stopListening?.();
    while (this.#waiting.length + this.#running.size > 0) await Promise.race([...this.#running, immediate()]);
    await this.behind.stop();
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
    return this.#readable(() => this.#identify(uid, token));
  }

  async #identify(uid: string, token: string): Promise<Identified> {
    const hash = tokenHash(token);
    let sensors: readonly Sensor[] = await this.#registry.byUid(uid);
    if (sensors.length === 0) return unknownUid(uid);
    let sensor = sensors.find(({ tokens }) => tokens.has(hash));
    if (!sensor) {
      sensors = (await Promise.all(sensors.map((one) => this.#registry.refresh(one)))).filter(
        (one) => one !== undefined,
      );
      sensor = sensors.find(({ tokens }) => tokens.has(hash));
    }
    if (!sensor) {
      return { ok: false, because: 'wrong-token', sentence: `The token is not one of the sensor ${uid}.` };
    }
    return this.#judged(sensor, hash);
  }

  identifyByToken(token: string): Promise<Identified> {
    return this.#readable(async () => {
      const sensor = await this.#registry.byToken(token);
      if (!sensor) return { ok: false, because: 'wrong-token', sentence: 'The token is not known.' };
      return this.#judged(sensor, tokenHash(token));
    });
  }

  identifyByUid(uid: string): Promise<Identified> {
    return this.#readable(async () => {
      const sensors = await this.#registry.byUid(uid);
      if (sensors.length > 1) {
        const sentence = `Several customers have a sensor ${uid}, so the broker's word is not enough to tell whose it is.`;
        return { ok: false, because: 'ambiguous-uid', sentence };
      }
      return sensors[0] ? this.#judged(sensors[0]) : unknownUid(uid);
    });
  }

  /** Who is there cannot be told while the database is away, and that is not the device's fault. */
  async #readable(identify: () => Promise<Identified>): Promise<Identified> {
    try {
      return await identify();
    } catch (error) {
      this.#options.log.warn('a device could not be identified', { error: error as Error });
      const sentence = 'The server cannot look the device up at the moment. Send it again.';
      return { ok: false, because: 'unavailable', sentence, retryAfterMs: RETRY_MS };
    }
  }

  #judged(sensor: Sensor, hash?: string): Identified {
    const revokedAt = hash === undefined ? undefined : sensor.tokens.get(hash)?.revokedAt;
    if (revokedAt) {
      const sentence = `This token was revoked on ${revokedAt.toISOString()}. Give the device its new one.`;
      return { ok: false, because: 'revoked-token', sentence };
    }
    if (sensor.status === 0 || !sensor.customerActive) return disabled(sensor);
    const { uuid: sensorUuid, customerUuid, uid } = sensor;
    const known: KnownDevice = { sensorUuid, customerUuid, uid, ...(hash !== undefined && { tokenHash: hash }) };
    return { ok: true, ...known };
  }

  async receive(device: Device, delivery: Delivery): Promise<Answer> {
    if (delivery.body.byteLength > frameLimits.bytes) return tooLarge(frameLimits.bytes);
    const sensor = this.#registry.get(device.sensorUuid) ?? (await this.#registry.byUuid(device.sensorUuid));
    if (!sensor) return unknownUid(device.uid);
    const refusal = this.#tooMuch(sensor) ?? this.#notNow();
    if (refusal) return refusal;
    const text = textOf(delivery.body);
    const format = sensor.format === 'auto' ? (delivery.format ?? 'auto') : sensor.format;
    const job = this.#job(device, sensor, delivery, text);
    job.parts.push(this.#part(sensor, decodeFrame(text ?? delivery.body, format)));
    return this.#carried(job, () => answerOf(job.parts[0] as Part));
  }

  async receiveBatch(gateway: Device, delivery: Delivery): Promise<BatchTaken | Refusal> {
    if (delivery.body.byteLength > frameLimits.batchBytes) return tooLarge(frameLimits.batchBytes);
    const sender = this.#registry.get(gateway.sensorUuid) ?? (await this.#registry.byUuid(gateway.sensorUuid));
    if (!sender) return unknownUid(gateway.uid);
    const refusal = this.#tooMuch(sender) ?? this.#notNow();
    if (refusal) return refusal;
    const text = textOf(delivery.body);
    const job = this.#job(gateway, sender, delivery, text);
    const frames = framesOf(text);
    if ('ok' in frames) {
      job.unreadable = frames;
      const outcome = await this.#carried(job, () => batchAnswerOf(job));
      return outcome.ok ? frames : outcome;
    }
    await this.#splitIntoParts(job, frames);
    return this.#carried(job, () => batchAnswerOf(job));
  }

  async #splitIntoParts(job: Job, frames: readonly { uid: string; frame: object }[]): Promise<void> {
    const mine = await this.#sensorsBehind(job.sender, new Set(frames.map(({ uid }) => uid)));
    for (const { uid, frame } of frames) {
      const sensor = mine.get(uid);
      const refusal = sensor ? this.#tooMuchFor(sensor, job.sender) : foreign(uid, job.sender);
      if (!sensor || refusal) {
        job.results.push({ uid, refusal: refusal ?? foreign(uid, job.sender) });
        continue;
      }
      const part = this.#part(sensor, decodeObject(frame, 'uid'));
      job.parts.push(part);
      job.results.push(part);
    }
  }

  /** The sensors a gateway may speak for: itself, and those that name it as theirs. */
  async #sensorsBehind(gateway: Sensor, uids: ReadonlySet<string>): Promise<Map<string, Sensor>> {
    const found = new Map<string, Sensor>();
    await Promise.all(
      [...uids].map(async (uid) => {
        const mine = (await this.#registry.byUid(uid)).find(
          ({ uuid, gatewayUuid }) => uuid === gateway.uuid || gatewayUuid === gateway.uuid,
        );
        if (mine) found.set(uid, mine);
      }),
    );
    return found;
  }

  /** The gateway itself was counted with its call. */
  #tooMuchFor(sensor: Sensor, gateway: Sensor): Refusal | undefined {
    return sensor.uuid === gateway.uuid ? undefined : this.#tooMuch(sensor);
  }

  async takeCommands(device: Device): Promise<Command[]> {
    const { db, clock, commandRetryMs } = this.#options;
    const sensor = await this.#registry.byUuid(device.sensorUuid);
    if (!sensor || sensor.status === 0 || !sensor.customerActive) return [];
    const now = clock.now();
    const due = dueCommands(sensor, now.getTime(), 10, { retryMs: commandRetryMs });
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
    return due.filter(({ id }) => sent.has(id));
  }

  #job(device: KnownDevice, sender: Sensor, delivery: Delivery, text: string | undefined): Job {
    return {
      delivery,
      sender,
      tokenHash: device.tokenHash,
      receivedAt: this.#options.clock.now().getTime(),
      text,
      unreadable: undefined,
      parts: [],
      results: [],
      refused: undefined,
      settle() {},
      fail() {},
    };
  }

  #part(sensor: Sensor, decoded: Decoded): Part {
    const now = this.#options.clock.now().getTime();
    const part: Part = {
      uid: sensor.uid,
      sensor,
      decoded,
      mapped: undefined,
      refusal: undefined,
      duplicates: 0,
      commands: [],
    };
    mapPart(part, now, now - this.#options.keepReadingsMs);
    return part;
  }

  #tooMuch(sensor: Sensor): Refusal | undefined {
    const { flood, clock } = this.#options;
    const now = clock.now().getTime();
    let allowance = this.#allowances.get(sensor.uuid);
    if (!allowance) {
      allowance = fullAllowance(flood, now);
      this.#allowances.set(sensor.uuid, allowance);
    }
    const wait = takeOne(allowance, flood, now);
    if (wait === 0) return undefined;
    const sentence = `The sensor ${sensor.uid} sends more than ${flood.perSecond} frames a second. Send less often, or several values in one frame.`;
    return { ok: false, because: 'flood', sentence, retryAfterMs: wait };
  }

  #notNow(): Refusal | undefined {
    if (this.#closed)
      return {
        ok: false,
        because: 'unavailable',
        sentence: 'The server is stopping. Send it again.',
        retryAfterMs: RETRY_MS,
      };
    if (this.#waiting.length < MOST_WAITING) return undefined;
    return {
      ok: false,
      because: 'busy',
      sentence: 'The server has too much to do. Send it again.',
      retryAfterMs: RETRY_MS,
    };
  }

  #carried<T>(job: Job, answer: () => T): Promise<T | Refusal> {
    return new Promise((resolve) => {
      job.settle = () => resolve(job.refused ?? answer());
      job.fail = resolve;
      this.#waiting.push(job);
      this.#waitingReadings += readingsOf(job);
      this.#begin();
    });
  }

  /**
   * What comes in within a moment goes together: a batch costs the same few messages to the database however much is in
   * it. What comes while batches are under way waits for one to end, unless it is worth another one beside it.
   */
  #begin(): void {
    if (this.#beginning || this.#running.size >= this.#side) return;
    const much = this.#waitingReadings >= WORTH_ANOTHER;
    if (this.#running.size > 0 && !much) return;
    this.#beginning = true;
    setTimeout(
      () => {
        this.#beginning = false;
        if (this.#waiting.length === 0) return;
        const batch = this.#carry(this.#next()).finally(() => {
          this.#running.delete(batch);
          this.#begin();
        });
        this.#running.add(batch);
        this.#begin();
      },
      much ? 0 : GATHER_MS,
    );
  }

  #next(): Job[] {
    let readings = 0;
    let count = 0;
    for (const job of this.#waiting) {
      if (count >= MOST_JOBS || readings >= MOST_READINGS) break;
      count += 1;
      readings += readingsOf(job);
    }
    this.#waitingReadings -= readings;
    return this.#waiting.splice(0, count);
  }

  async #carry(jobs: Job[]): Promise<void> {
    try {
      await this.#batch.run(jobs);
      for (const job of jobs) job.settle();
    } catch (error) {
      await this.#separately(jobs, error as Error & { code?: string });
    }
  }

  /** One frame that the database refuses must not keep the others out, so each is tried by itself. */
  async #separately(jobs: Job[], error: Error & { code?: string }): Promise<void> {
    const ofTheData = /^(22|23)/.test(error.code ?? '');
    if (ofTheData && jobs.length > 1) {
      for (const job of jobs) await this.#carry([job]);
      return;
    }
    this.#options.log.error('frames could not be stored', { frames: jobs.length, error, stack: error.stack });
    const sentence = 'The frame could not be stored, and nothing of it was kept. Send it again.';
    for (const job of jobs) job.fail({ ok: false, because: 'unavailable', sentence, retryAfterMs: RETRY_MS });
  }
}

function readingsOf({ parts }: Job): number {
  let count = 0;
  for (const { mapped } of parts) count += mapped?.readings.keys.length ?? 0;
  return count;
}

function unknownUid(uid: string): Refusal {
  return { ok: false, because: 'unknown-uid', sentence: `No sensor with the uid ${uid.slice(0, 64)} is registered.` };
}

function foreign(uid: string, gateway: Sensor): Refusal {
  const sentence = `The sensor ${uid.slice(0, 64)} is not behind the gateway ${gateway.uid}. Name the gateway on that sensor in the console.`;
  return { ok: false, because: 'foreign-uid', sentence };
}

function tooLarge(bytes: number): Refusal {
  return { ok: false, because: 'too-large', sentence: `A frame may have at most ${bytes} bytes. Send less at once.` };
}

/** The frames of a gateway's call, or why they cannot be told apart. */
function framesOf(text: string | undefined): { uid: string; frame: object }[] | Refusal {
  const refuse = (because: 'not-text' | 'not-json' | 'too-many-values' | 'empty', sentence: string): Refusal => ({
    ok: false,
    because,
    sentence,
  });
  if (text === undefined) return refuse('not-text', 'The call is not text in UTF-8.');
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return refuse('not-json', 'The call is not valid JSON.');
  }
  const frames = Array.isArray(parsed) ? parsed : (parsed as { frames?: unknown } | null)?.frames;
  if (!Array.isArray(frames)) return refuse('not-json', 'Send {"frames": [{"uid": "…", …}, …]}.');
  if (frames.length === 0) return refuse('empty', 'The call has no frames.');
  if (frames.length > frameLimits.batchFrames) {
    return refuse('too-many-values', `A call may bring at most ${frameLimits.batchFrames} frames.`);
  }
  const told: { uid: string; frame: object }[] = [];
  for (const frame of frames) {
    const uid = (frame as { uid?: unknown } | null)?.uid;
    if (typeof uid !== 'string' || uid === '') return refuse('not-json', 'Every frame of the call must name its uid.');
    told.push({ uid, frame });
  }
  return told;
}
