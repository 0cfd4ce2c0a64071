import type { Decoded } from '../../domain/frame/frame.ts';
import { forwardedProblemText } from '../../domain/frame/gateway-call.ts';
import { problemText, valueProblemText } from '../../domain/frame/problem.ts';
import { plural } from '../../domain/plural.ts';
import type { Answer, BatchTaken, Command, Delivery, Refusal, Taken } from './intake.ts';
import { type Mapped, mapFrame } from './map-frame.ts';
import { disabled } from './refusals.ts';
import type { Sensor } from './sensor.ts';
import type { LogRow } from './store.ts';

/** The frame of one sensor in a delivery. */
export interface SensorDelivery {
  uid: string;
  sensor: Sensor;
  decoded: Decoded;
  mapped: Mapped | undefined;
  /**
   * Reason why no reading of the frame is stored; undefined if the frame was accepted. A refused frame can still be in
   * the sensor log.
   */
  refusal: Refusal | undefined;
  duplicates: number;
  /** Keys of the channels for which this frame contains duplicates. */
  repeated: Set<number>;
  commands: Command[];
}

/** Deliveries of one device that must be stored in order. */
export interface Sequence {
  /**
   * Reason why a delivery could not be stored; undefined while none has failed. After a failure, no later delivery of
   * the sequence may be stored.
   */
  stoppedBy: Refusal | undefined;
}

/** One delivery in a batch. */
export interface Job {
  delivery: Delivery;
  /** The sensor that signed in: the frame's own sensor, or its gateway sensor. */
  sender: Sensor;
  /** Uid under which the sensor log stores the delivery. */
  keptUnder: string;
  /** Hash of the sender's token; undefined if a broker authenticated the device. */
  tokenHash: string | undefined;
  sequence: Sequence | undefined;
  receivedAt: number;
  text: string | undefined;
  /** Reason why the delivery could not be split into the frames of its sensors; undefined if it was split. */
  unreadable: Refusal | undefined;
  sensorDeliveries: SensorDelivery[];
  /**
   * Results of a call with several frames, in the order of the frames. A frame refused before decoding has no sensor
   * delivery.
   */
  results: (SensorDelivery | { uid: string; refusal: Refusal })[];
  /** Refusal by the batch, for example because the token was revoked. Nothing of the delivery is stored. */
  refused: Refusal | undefined;
  settle(): void;
  fail(refusal: Refusal): void;
}

export function newJob(
  tokenHash: string | undefined,
  sender: Sensor,
  delivery: Delivery,
  text: string | undefined,
  now: Date,
): Job {
  return {
    delivery,
    sender,
    keptUnder: sender.uid,
    tokenHash,
    sequence: undefined,
    receivedAt: now.getTime(),
    text,
    unreadable: undefined,
    sensorDeliveries: [],
    results: [],
    refused: undefined,
    settle() {},
    fail() {},
  };
}

export function newSensorDelivery(sensor: Sensor, decoded: Decoded, now: number, oldest: number): SensorDelivery {
  const sensorDelivery: SensorDelivery = {
    uid: sensor.uid,
    sensor,
    decoded,
    mapped: undefined,
    refusal: undefined,
    duplicates: 0,
    repeated: new Set(),
    commands: [],
  };
  mapSensorDelivery(sensorDelivery, now, oldest);
  return sensorDelivery;
}

/** Maps the frame to readings. The batch calls this function again if the cached sensor turned out to be outdated. */
export function mapSensorDelivery(sensorDelivery: SensorDelivery, now: number, oldest: number): void {
  const { sensor, decoded } = sensorDelivery;
  sensorDelivery.mapped = undefined;
  sensorDelivery.refusal = undefined;
  if (isOff(sensor)) sensorDelivery.refusal = disabled(sensor);
  else if (!decoded.ok) sensorDelivery.refusal = { ok: false, because: decoded.because, sentence: decoded.sentence };
  else sensorDelivery.mapped = mapFrame(sensor, decoded.frame, now, oldest);
}

export function isOff({ status, customerActive }: Sensor): boolean {
  return status === 0 || !customerActive;
}

/** Returns true if the sensor is disabled or deleted. The frames of such a sensor do not count as contact. */
export function isFromInactiveSensor(refusal: Refusal | undefined): boolean {
  return refusal?.because === 'disabled' || refusal?.because === 'unknown-uid';
}

export function answerOf(sensorDelivery: SensorDelivery): Answer {
  if (sensorDelivery.refusal) return sensorDelivery.refusal;
  const { readings, refused, notes } = sensorDelivery.mapped as Mapped;
  return {
    ok: true,
    accepted: readings.keys.length - sensorDelivery.duplicates,
    duplicates: sensorDelivery.duplicates,
    refused,
    notes,
    commands: sensorDelivery.commands,
  } satisfies Taken;
}

export function batchAnswerOf(job: Job): BatchTaken {
  const results = job.results.map((result) => ({
    uid: result.uid,
    ...('sensor' in result ? answerOf(result) : result.refusal),
  }));
  let accepted = 0;
  let duplicates = 0;
  for (const result of results) {
    if (!result.ok) continue;
    accepted += result.accepted;
    duplicates += result.duplicates;
  }
  const commands = job.sensorDeliveries.flatMap((sensorDelivery) =>
    sensorDelivery.commands.map((command) => ({ ...command, uid: sensorDelivery.uid })),
  );
  return { ok: true, accepted, duplicates, results, commands };
}

export function logRowOf(job: Job): LogRow {
  const { sender, keptUnder, delivery, receivedAt, text } = job;
  return {
    customerUuid: sender.customerUuid,
    uid: keptUnder,
    raw: text ?? Buffer.from(delivery.body).toString('base64'),
    encoding: text === undefined ? 'base64' : 'text',
    protocol: delivery.protocol,
    at: receivedAt,
    problem: problemOf(job),
    note: noteOf(job),
  };
}

function problemOf(job: Job): string | null {
  if (job.unreadable) return job.unreadable.sentence;
  const problems: string[] = [];
  const several = job.results.length > 0;
  for (const { uid, refusal, ...rest } of several ? job.results : job.sensorDeliveries) {
    const mapped = 'mapped' in rest ? rest.mapped : undefined;
    const values = (mapped?.refused ?? []).map((one) => valueProblemText(one.channel, one.because, one.sentence));
    const sentences = refusal ? [refusal.sentence] : values;
    for (const sentence of sentences) problems.push(several ? forwardedProblemText(uid, sentence) : sentence);
  }
  return problemText(problems);
}

function noteOf(job: Job): string | null {
  const notes = new Set([
    ...(job.delivery.notes ?? []),
    ...job.sensorDeliveries.flatMap(({ mapped }) => mapped?.notes ?? []),
  ]);
  const again = repeatedOf(job);
  if (again) notes.add(again);
  return notes.size > 0 ? [...notes].join(' ') : null;
}

/** Maximum number of channels listed in one note, because the call of a gateway sensor can contain many channels. */
const MOST_NAMED = 10;

/**
 * Returns a note with the number of duplicates; undefined if there are none. If the frame also had new values, the note
 * lists the channels of the duplicates.
 */
function repeatedOf({ sensorDeliveries }: Job): string | undefined {
  let again = 0;
  let all = 0;
  for (const { duplicates, mapped } of sensorDeliveries) {
    again += duplicates;
    all += mapped?.readings.keys.length ?? 0;
  }
  if (again === 0) return undefined;
  const there = `already stored with ${plural(again, 'this time', 'these times')}, so ${plural(again, 'it was', 'they were')} not stored again`;
  if (again === all) return `${again} ${plural(again, 'value was', 'values were')} ${there}.`;
  const which = sensorDeliveries.flatMap((sensorDelivery) =>
    channelsRepeated(sensorDelivery).map((name) =>
      sensorDeliveries.length > 1 ? `${sensorDelivery.uid} ${name}` : name,
    ),
  );
  const more = which.length > MOST_NAMED ? ` and ${which.length - MOST_NAMED} more` : '';
  const channels = `${plural(which.length, 'channel')} ${which.slice(0, MOST_NAMED).join(', ')}${more}`;
  return `${again} of ${all} values ${plural(again, 'was', 'were')} ${there}: ${channels}.`;
}

/**
 * Returns the numbers of the channels with duplicates. Relies on the order of `sensor.channels`: the entry under a
 * channel's number comes before the entries under its names.
 */
function channelsRepeated({ sensor, repeated }: SensorDelivery): string[] {
  const numbers = new Map<number, string>();
  for (const [called, { key }] of sensor.channels) if (repeated.has(key) && !numbers.has(key)) numbers.set(key, called);
  return [...numbers.values()];
}
