import { frameLimits } from '../frame/frame.ts';
import { type RawMetric, type ReadableMetric, type SparkplugPayload, toReadable } from './payload.ts';
import type { SparkplugTopic } from './topic.ts';

/** A message whose names and types have been resolved with earlier births. */
export interface SessionResult {
  metrics: ReadableMetric[];
  /** Notes for the sensor log. */
  notes: string[];
  /** True if messages were lost, or if an alias or type is unknown. The server then requests a new birth. */
  wantsBirth: boolean;
  /** True for a death message, which does not count as contact. */
  offline: boolean;
}

interface Born {
  name: string;
  datatype: number | undefined;
}

/** Metrics of a birth, indexed by alias and by name. */
interface Births {
  byAlias: Map<string, Born>;
  byName: Map<string, Born>;
}

/** Sequence numbers run from 0 to 255 and then start again. */
const ROUND = 256;
/** Maximum number of cached metrics for all devices of an edge node. Each device counts as one additional metric. */
const MOST_METRICS = 20_000;

/**
 * State of an edge node since its birth: names and types of its aliases, and the next sequence number. The state is
 * kept only in memory. After lost messages or a restart, a new birth restores it.
 */
export class SparkplugSession {
  #node: Births | undefined;
  readonly #devices = new Map<string, Births>();
  #remembered = 0;
  #seq: number | undefined;
  #birthNumber: number | undefined;

  /**
   * Resolves a message. `again` means that the broker redelivers the message, so its sequence number is not checked.
   */
  receive(
    { type, device }: Pick<SparkplugTopic, 'type' | 'device'>,
    payload: SparkplugPayload,
    again = false,
  ): SessionResult {
    if (type === 'NDEATH') {
      return this.#died(payload);
    }
    const notes: string[] = [];
    if (type === 'NBIRTH') {
      this.#forgetAll();
      this.#node = birthsOf(payload);
      this.#seq = payload.seq;
      this.#birthNumber = birthNumberOf(payload);
      return { metrics: readAll(payload, this.#node), notes, wantsBirth: false, offline: false };
    }
    const gap = again ? undefined : this.#gap(payload.seq);
    if (gap) {
      notes.push(gap);
    }
    if (type === 'DDEATH') {
      this.#forget(device as string);
      notes.push('The device went offline.');
      return { metrics: readAll(payload), notes, wantsBirth: this.#node === undefined || !!gap, offline: true };
    }
    if (type === 'DBIRTH') {
      this.#remember(device as string, birthsOf(payload));
    }
    const births = device === undefined ? this.#node : this.#devices.get(device);
    if (!births) {
      notes.push(`No birth message of this ${device === undefined ? 'edge node' : 'device'} was received.`);
    }
    const metrics = readAll(payload, births);
    const strange = metrics.some(({ name, unread }) => name === undefined || unread === 'no-type');
    return { metrics, notes, wantsBirth: !births || !this.#node || !!gap || strange, offline: false };
  }

  /**
   * Skips an unreadable message. Its sequence number is unknown, so the sequence number of the next message is not
   * checked.
   */
  skipMessage(): void {
    this.#seq = undefined;
  }

  #died(payload: SparkplugPayload): SessionResult {
    const metrics = readAll(payload);
    const number = birthNumberOf(payload);
    if (number !== undefined && this.#birthNumber !== undefined && number !== this.#birthNumber) {
      const notes = ['This death message belongs to an earlier session; the edge node has reconnected since.'];
      return { metrics, notes, wantsBirth: false, offline: true };
    }
    this.#node = undefined;
    this.#forgetAll();
    this.#seq = undefined;
    this.#birthNumber = undefined;
    return {
      metrics,
      notes: ['The edge node and all devices behind it went offline.'],
      wantsBirth: false,
      offline: true,
    };
  }

  #gap(seq: number | undefined): string | undefined {
    const before = this.#seq;
    this.#seq = seq;
    if (before === undefined || seq === undefined || seq === (before + 1) % ROUND) {
      return undefined;
    }
    return `Messages were lost before this one: sequence number ${seq} followed ${before}.`;
  }

  /**
   * Caches the births of a device. If the cache is full, removes the devices with the oldest births; their next message
   * requests a birth.
   */
  #remember(device: string, births: Births): void {
    this.#forget(device);
    this.#devices.set(device, births);
    this.#remembered += sizeOf(births);
    for (const oldest of this.#devices.keys()) {
      if (this.#remembered <= MOST_METRICS) {
        break;
      }
      this.#forget(oldest);
    }
  }

  #forget(device: string): void {
    const births = this.#devices.get(device);
    this.#remembered -= births ? sizeOf(births) : 0;
    this.#devices.delete(device);
  }

  #forgetAll(): void {
    this.#devices.clear();
    this.#remembered = 0;
  }
}

function sizeOf({ byName }: Births): number {
  return byName.size + 1;
}

function birthsOf({ metrics }: SparkplugPayload): Births {
  const births: Births = { byAlias: new Map(), byName: new Map() };
  for (const { name, alias, datatype } of metrics) {
    if (!name || name.length > frameLimits.name) {
      continue;
    }
    const born = { name, datatype };
    births.byName.set(name, born);
    if (alias !== undefined) {
      births.byAlias.set(alias, born);
    }
  }
  return births;
}

function readAll({ metrics }: SparkplugPayload, births?: Births): ReadableMetric[] {
  return metrics.map((metric) => toReadable(metric, births && bornOf(metric, births)));
}

function bornOf({ name, alias }: RawMetric, births: Births): Born | undefined {
  return name ? births.byName.get(name) : births.byAlias.get(alias ?? '');
}

/** Returns the bdSeq number, which matches a death to its birth. */
function birthNumberOf({ metrics }: SparkplugPayload): number | undefined {
  const value = metrics.find(({ name }) => name === 'bdSeq')?.value;
  return value && 'bits' in value ? Number(value.bits) : undefined;
}
