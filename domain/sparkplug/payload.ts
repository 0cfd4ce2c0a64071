import { frameLimits } from '../frame/frame.ts';
/** A parsed Sparkplug B payload, before aliases and types are resolved. */
export interface SparkplugPayload {
  /** Milliseconds since 1970. */
  timestamp: number | undefined;
  seq: number | undefined;
  metrics: RawMetric[];
}

export interface RawMetric {
  name: string | undefined;
  /** Alias as decimal text, because a 64-bit alias can exceed the largest safe integer. */
  alias: string | undefined;
  timestamp: number | undefined;
  datatype: number | undefined;
  historical: boolean;
  value: RawValue;
}

/**
 * Value of a metric, with the protobuf field that contained it. The metric's type determines how an integer is read.
 * Only births must contain the type.
 */
export type RawValue =
  | { in: 'int' | 'long'; bits: bigint }
  | { in: 'float' | 'double'; number: number }
  | { in: 'boolean'; truth: boolean }
  | { in: 'string'; text: string }
  | { in: 'other' | 'null' | 'nothing' };

/** A metric with name and type resolved, as the sensor log stores it. */
export interface ReadableMetric {
  name?: string;
  alias?: number | string;
  type?: string;
  timestamp?: number;
  historical?: true;
  value?: number | string | boolean | null;
  unread?: UnreadReason;
}

/** Reason why a metric has no value. */
export type UnreadReason = 'no-type' | 'no-single-value';

const types: Record<number, { name: string; bits?: number; signed?: boolean }> = {
  1: { name: 'Int8', bits: 8, signed: true },
  2: { name: 'Int16', bits: 16, signed: true },
  3: { name: 'Int32', bits: 32, signed: true },
  4: { name: 'Int64', bits: 64, signed: true },
  5: { name: 'UInt8', bits: 8 },
  6: { name: 'UInt16', bits: 16 },
  7: { name: 'UInt32', bits: 32 },
  8: { name: 'UInt64', bits: 64 },
  9: { name: 'Float' },
  10: { name: 'Double' },
  11: { name: 'Boolean' },
  12: { name: 'String' },
  13: { name: 'DateTime', bits: 64 },
  14: { name: 'Text' },
  15: { name: 'UUID' },
  16: { name: 'DataSet' },
  17: { name: 'Bytes' },
  18: { name: 'File' },
  19: { name: 'Template' },
};

/**
 * Resolves a metric. If the metric has no name or no type, the function uses the one from the birth message (`born`).
 */
export function toReadable(metric: RawMetric, born?: { name: string; datatype: number | undefined }): ReadableMetric {
  const name = metric.name || born?.name;
  const datatype = metric.datatype ?? born?.datatype;
  return {
    ...(name !== undefined && { name }),
    ...(metric.alias !== undefined && { alias: shortest(metric.alias) }),
    ...(datatype !== undefined && { type: types[datatype]?.name ?? `type ${datatype}` }),
    ...(metric.timestamp !== undefined && { timestamp: metric.timestamp }),
    ...(metric.historical && { historical: true as const }),
    ...understood(metric.value, datatype),
  };
}

function understood(raw: RawValue, datatype: number | undefined): Pick<ReadableMetric, 'value' | 'unread'> {
  switch (raw.in) {
    case 'int':
    case 'long':
      return integerOf(raw.bits, datatype);
    case 'float':
      return { value: finite(raw.number, shortestFloat(raw.number)) };
    case 'double':
      return { value: finite(raw.number, raw.number) };
    case 'boolean':
      return { value: raw.truth };
    case 'string':
      return { value: raw.text };
    case 'null':
      return { value: null };
    default:
      return { unread: 'no-single-value' };
  }
}

/**
 * Converts an integer. If its type is unknown, the metric has no value, because -5 and 4,294,967,291 have the same
 * bits.
 */
function integerOf(bits: bigint, datatype: number | undefined): Pick<ReadableMetric, 'value' | 'unread'> {
  const type = datatype === undefined ? undefined : types[datatype];
  if (type?.name === 'Boolean') {
    return { value: bits !== 0n };
  }
  if (type?.bits === undefined) {
    return { unread: 'no-type' };
  }
  return { value: Number(type.signed ? BigInt.asIntN(type.bits, bits) : BigInt.asUintN(type.bits, bits)) };
}

/**
 * Returns `written`, or the number as text if it is infinity or NaN, which JSON cannot represent. The decoder then
 * refuses the text with the correct reason.
 */
function finite(number: number, written: number): number | string {
  return Number.isFinite(number) ? written : String(number);
}

/** Returns the shortest decimal of a 32-bit float: 20.1 instead of 20.100000381469727. */
function shortestFloat(number: number): number {
  for (let digits = 6; digits < 9; digits += 1) {
    const short = Number(number.toPrecision(digits));
    if (Math.fround(short) === number) {
      return short;
    }
  }
  return number;
}

function shortest(decimals: string): number | string {
  return Number.isSafeInteger(Number(decimals)) ? Number(decimals) : decimals;
}

/** Reason why a payload is unreadable. */
export type PayloadProblem = 'not-sparkplug' | 'too-many-values';

/**
 * Splits the metrics of a large birth into frames. A frame has at most as many characters as the byte limit, unless a
 * single metric is larger.
 */
export function splitMetrics(metrics: readonly ReadableMetric[]): ReadableMetric[][] {
  const parts: ReadableMetric[][] = [];
  let room = 0;
  for (const metric of metrics) {
    const letters = JSON.stringify(metric).length;
    const last = parts.at(-1);
    if (last && last.length < frameLimits.values && letters <= room) {
      last.push(metric);
      room -= letters;
    } else {
      parts.push([metric]);
      room = frameLimits.bytes - letters;
    }
  }
  return parts;
}

/**
 * Returns the frame for the sensor log: JSON with the resolved metrics, and the original bytes as base64, so that
 * nothing is lost. A stored frame can be sent again over any protocol. The time of a metric is omitted if it equals
 * that of the message. Frames of a split birth do not contain the original bytes.
 */
export function toStoredFrame(
  topic: string,
  said: { payload: SparkplugPayload; metrics: ReadableMetric[] } | PayloadProblem,
  base64: string | undefined,
): string {
  if (typeof said === 'string') {
    return JSON.stringify({ topic, unread: said, payload: base64 });
  }
  const { timestamp, seq } = said.payload;
  const metrics = said.metrics.map(({ timestamp: own, ...metric }) => {
    return own === undefined || own === timestamp ? metric : { ...metric, timestamp: own };
  });
  return JSON.stringify({ topic, timestamp, seq, metrics, payload: base64 });
}
