import type { Decoded } from '../../domain/frame/frame.ts';
import { problemOfBrought } from '../../domain/frame/gateway-call.ts';
import { problemOfValue, problemText } from '../../domain/frame/problem.ts';
import { plural } from '../../domain/plural.ts';
import type { Answer, BatchTaken, Command, Delivery, Refusal, Taken } from './intake.ts';
import { type Mapped, mapFrame } from './map-frame.ts';
import { disabled } from './refusals.ts';
import type { Sensor } from './sensor.ts';
import type { LogRow } from './store.ts';

/** One sensor's share of a delivery. */
export interface SensorDelivery {
  uid: string;
  sensor: Sensor;
  decoded: Decoded;
  mapped: Mapped | undefined;
  /** Why nothing of it is stored; the frame may be in the log all the same. */
  refusal: Refusal | undefined;
  duplicates: number;
  /** Keys of the channels whose values were there already. */
  repeated: Set<number>;
  commands: Command[];
}

/** One delivery on its way through a batch. */
export interface Job {
  delivery: Delivery;
  /** The sensor that signed in: the one that speaks, or its gateway. */
  sender: Sensor;
  /** The uid it is kept under in the log. */
  keptUnder: string;
  /** Hash of the token it signed in with; undefined where a broker vouches for it. */
  tokenHash: string | undefined;
  receivedAt: number;
  text: string | undefined;
  /** Why the whole delivery gave nothing, when not even its sensorDeliveries could be told apart. */
  unreadable: Refusal | undefined;
  sensorDeliveries: SensorDelivery[];
  /** What a call with several frames is answered with, in their order: sensorDeliveries, and frames that never became one. */
  results: (SensorDelivery | { uid: string; refusal: Refusal })[];
  /** Why it is not taken after all, found out by the batch; nothing of it is kept then. */
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

/** Decides what of a sensorDelivery is stored. Decided anew when the sensor's entry turned out to be old. */
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

/** What comes from a sensor that is switched off or gone is no sign of life. */
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
    door: delivery.door,
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
    const values = (mapped?.refused ?? []).map((one) => problemOfValue(one.channel, one.because, one.sentence));
    const sentences = refusal ? [refusal.sentence] : values;
    for (const sentence of sentences) problems.push(several ? problemOfBrought(uid, sentence) : sentence);
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

/** Channels that one note names: a gateway may bring those of many sensors. */
const MOST_NAMED = 10;

/** How many values were there already; where others of the frame were new, which channels they are of as well. */
function repeatedOf({ sensorDeliveries }: Job): string | undefined {
  let again = 0;
  let all = 0;
  for (const { duplicates, mapped } of sensorDeliveries) {
    again += duplicates;
    all += mapped?.readings.keys.length ?? 0;
  }
  if (again === 0) return undefined;
  const there = `there already for ${plural(again, 'this time', 'their times')} and not stored again`;
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

/** The numbers of the channels, by which they are called first. */
function channelsRepeated({ sensor, repeated }: SensorDelivery): string[] {
  const numbers = new Map<number, string>();
  for (const [called, { key }] of sensor.channels) if (repeated.has(key) && !numbers.has(key)) numbers.set(key, called);
  return [...numbers.values()];
}
