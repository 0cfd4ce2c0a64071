import protobuf, { type Message } from 'protobufjs/light.js';
import type { RawMetric, RawValue, SparkplugPayload } from '../../domain/sparkplug/payload.ts';

/** proto2 is required, because it distinguishes a field sent as zero from a missing field. */
const edition = 'proto2';
const optional = (type: string, id: number) => ({ type, id });

/**
 * Fields of the published Sparkplug B schema that the server uses. Fields with structured values are declared as bytes,
 * so they are recognised but not decoded.
 */
const root = protobuf.Root.fromJSON({
  nested: {
    Payload: {
      edition,
      fields: {
        timestamp: optional('uint64', 1),
        metrics: { rule: 'repeated', type: 'Metric', id: 2 },
        seq: optional('uint64', 3),
        uuid: optional('string', 4),
      },
    },
    Metric: {
      edition,
      fields: {
        name: optional('string', 1),
        alias: optional('uint64', 2),
        timestamp: optional('uint64', 3),
        datatype: optional('uint32', 4),
        isHistorical: optional('bool', 5),
        isNull: optional('bool', 7),
        intValue: optional('uint32', 10),
        longValue: optional('uint64', 11),
        floatValue: optional('float', 12),
        doubleValue: optional('double', 13),
        booleanValue: optional('bool', 14),
        stringValue: optional('string', 15),
        bytesValue: optional('bytes', 16),
        datasetValue: optional('bytes', 17),
        templateValue: optional('bytes', 18),
        extensionValue: optional('bytes', 19),
      },
    },
  },
});
const Payload = root.lookupType('Payload');

/** Mark that some libraries set on payloads with compressed metrics. */
const COMPRESSED = 'SPBV1.0_COMPRESSED';

/** A 64-bit integer as protobufjs returns it. */
interface Long {
  low: number;
  high: number;
}

interface WireMetric {
  name?: string;
  alias?: Long;
  timestamp?: Long;
  datatype?: number;
  isHistorical?: boolean;
  isNull?: boolean;
  intValue?: number;
  longValue?: Long;
  floatValue?: number;
  doubleValue?: number;
  booleanValue?: boolean;
  stringValue?: string;
}

interface WirePayload {
  timestamp?: Long;
  seq?: Long;
  uuid?: string;
  metrics: Message<WireMetric>[];
}

/** Decodes a payload. Returns undefined for invalid bytes; never throws. */
export function readPayload(bytes: Uint8Array): SparkplugPayload | undefined {
  let message: WirePayload;
  try {
    message = Payload.decode(bytes) as unknown as WirePayload;
  } catch {
    return undefined;
  }
  if (message.uuid === COMPRESSED) return undefined;
  const timestamp = numberOf(own(message, 'timestamp'));
  const seq = numberOf(own(message, 'seq'));
  // Bytes of another format can decode as a payload that has no known field.
  if (timestamp === undefined && seq === undefined && message.metrics.length === 0) return undefined;
  return { timestamp, seq, metrics: message.metrics.map((metric) => metricOf(metric as WireMetric)) };
}

function metricOf(metric: WireMetric): RawMetric {
  const alias = own(metric, 'alias');
  return {
    name: own(metric, 'name'),
    alias: alias && bigOf(alias).toString(),
    timestamp: numberOf(own(metric, 'timestamp')),
    datatype: own(metric, 'datatype'),
    historical: own(metric, 'isHistorical') ?? false,
    value: rawValueOf(metric),
  };
}

function rawValueOf(metric: WireMetric): RawValue {
  if (own(metric, 'isNull')) return { in: 'null' };
  if (Object.hasOwn(metric, 'intValue')) return { in: 'int', bits: BigInt(metric.intValue ?? 0) };
  if (Object.hasOwn(metric, 'longValue')) return { in: 'long', bits: bigOf(metric.longValue as Long) };
  if (Object.hasOwn(metric, 'floatValue')) return { in: 'float', number: metric.floatValue ?? 0 };
  if (Object.hasOwn(metric, 'doubleValue')) return { in: 'double', number: metric.doubleValue ?? 0 };
  if (Object.hasOwn(metric, 'booleanValue')) return { in: 'boolean', truth: metric.booleanValue ?? false };
  if (Object.hasOwn(metric, 'stringValue')) return { in: 'string', text: metric.stringValue ?? '' };
  const others = ['bytesValue', 'datasetValue', 'templateValue', 'extensionValue'];
  return { in: others.some((field) => Object.hasOwn(metric, field)) ? 'other' : 'nothing' };
}

/**
 * Returns the value of a field that was sent, otherwise undefined. Checks own properties, because protobufjs stores
 * default values on the prototype.
 */
function own<T extends object, K extends keyof T>(message: T, field: K): T[K] | undefined {
  return Object.hasOwn(message, field) ? message[field] : undefined;
}

function bigOf({ low, high }: Long): bigint {
  return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
}

function numberOf(long: Long | undefined): number | undefined {
  return long && Number(bigOf(long));
}

/** A metric in a command message to an edge node. */
export type OwnMetric = { name: string } & ({ truth: boolean } | { text: string } | { whole: number });

const BOOLEAN = 11;
const STRING = 12;
const INT64 = 4;

export function writePayload(timestamp: number, metrics: readonly OwnMetric[]): Buffer {
  const bytes = Payload.encode({ timestamp, metrics: metrics.map((metric) => wireOf(metric, timestamp)) }).finish();
  return Buffer.from(bytes);
}

function wireOf(metric: OwnMetric, timestamp: number): object {
  const { name } = metric;
  if ('truth' in metric) return { name, timestamp, datatype: BOOLEAN, booleanValue: metric.truth };
  if ('text' in metric) return { name, timestamp, datatype: STRING, stringValue: metric.text };
  return { name, timestamp, datatype: INT64, longValue: metric.whole };
}
