import { fieldSentences } from '../../domain/field-sentences.ts';
import type { Transaction } from '../platform/database.ts';

/** Limits of one request: longest range in days, and maximum number of readings. */
export const historyLimits = { days: 400, readings: 2_000_000 } as const;

const DAY = 86_400_000;
/** Start of PostgreSQL's time scale: 2000-01-01, in milliseconds since 1970. */
const EPOCH_MS = 946_684_800_000;
/** A binary array of PostgreSQL has a header, and the length of each element before it. */
const HEADER_BYTES = 20;
const LENGTH_BYTES = 4;
const ELEMENT_BYTES = LENGTH_BYTES + 8;

/** Readings of one data point that rules evaluate, in order of device time. */
export interface History {
  times: Float64Array;
  values: Float64Array;
  /** Server time of each reading. Both server times and device times are in ascending order. */
  arrivals: Float64Array;
  /**
   * Server times of late readings, which arrived after a reading with a newer device time. Charts show late readings,
   * but rules ignore them.
   */
  late: Float64Array;
}

export interface Range {
  from: number;
  until: number;
}

export type HistoryRefusal = { refused: { field: string; sentence: string } };

/** Parses a time range from a client. An end in the future is replaced by the current time. */
export function readRange(from: string, to: string, now: number): Range | HistoryRefusal {
  const [begin, end] = [readTime(from), readTime(to)];
  if (begin === undefined) return refuse('from', 'Enter the start of the range, such as 2026-03-02T08:00:00Z.');
  if (end === undefined) return refuse('to', 'Enter the end of the range, such as 2026-03-02T08:00:00Z.');
  if (begin >= end) return refuse('to', fieldSentences['range-order']);
  if (end - begin > historyLimits.days * DAY) {
    return refuse('from', `The range can cover at most ${historyLimits.days} days. Choose a later start.`);
  }
  if (begin >= now) return refuse('from', 'The range is in the future. Choose an earlier one.');
  return { from: begin, until: Math.min(end, now) };
}

export function refuse(field: string, sentence: string): HistoryRefusal {
  return { refused: { field, sentence } };
}

/** Parses a time in milliseconds; undefined if invalid. A time without a zone is UTC. */
function readTime(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d/.test(text)) return undefined;
  const zoned = /T.*(Z|[+-]\d\d:?\d\d)$/i.test(text) || !text.includes('T') ? text : `${text}Z`;
  const time = Date.parse(zoned);
  return Number.isNaN(time) ? undefined : time;
}

interface Packed {
  ahead: number | null;
  times: Buffer | null;
  values: Buffer | null;
  arrivals: Buffer | null;
}

interface Chunk {
  count: number;
  times: DataView;
  values: DataView;
  arrivals: DataView;
}

/**
 * Loads the readings of a range, and earlier readings that determine the rule's state at its start. The earlier period
 * is one day or twice the debounce, whichever is longer. Returns no readings if the user is not allowed to see the data
 * point.
 */
export async function loadHistory(
  tx: Transaction,
  datapointUuid: string,
  { from, until }: Range,
  holdMs: number,
  most: number = historyLimits.readings,
): Promise<History | HistoryRefusal> {
  const begin = from - Math.max(DAY, 2 * holdMs);
  const { rows } = await tx.query<Packed>(
    `select h.ahead, h.times, h.values, h.arrivals
     from tocsin_definer.readings_of_datapoint($1, to_timestamp($2::float8 / 1000), to_timestamp($3::float8 / 1000), $4) h`,
    [datapointUuid, begin, until, most + 1],
  );
  const chunks = rows.flatMap(chunkOf);
  const count = chunks.reduce((sum, chunk) => sum + chunk.count, 0);
  if (count > most) {
    return refuse('from', `There are more than ${most} readings in this range. Choose a shorter one.`);
  }
  // Sorts the chunks by device time, newest first, to find late readings. A reading is late if another reading with a
  // newer device time arrived before it.
  chunks.sort((a, b) => readMoment(b.times, 0) - readMoment(a.times, 0));
  return unpack(chunks, count, from, rows[0]?.ahead ?? Number.POSITIVE_INFINITY);
}

/** Returns the number of times at or after `from`. `times` must be ascending. */
export function countFrom(times: Float64Array, from: number): number {
  const first = times.findIndex((time) => time >= from);
  return first < 0 ? 0 : times.length - first;
}

function chunkOf({ times, values, arrivals }: Packed): Chunk[] {
  if (times === null || values === null || arrivals === null) return [];
  const count = (times.length - HEADER_BYTES) / ELEMENT_BYTES;
  return [{ count, times: viewOf(times), values: viewOf(values), arrivals: viewOf(arrivals) }];
}

function viewOf({ buffer, byteOffset, length }: Buffer): DataView {
  return new DataView(buffer, byteOffset + HEADER_BYTES, length - HEADER_BYTES);
}

/** Unpacks chunks that are sorted newest first, and separates the late readings. */
function unpack(chunks: readonly Chunk[], count: number, from: number, ahead: number): History {
  const times = new Float64Array(count);
  const values = new Float64Array(count);
  const arrivals = new Float64Array(count);
  let earliest = ahead;
  let place = count;
  const late: number[] = [];
  for (const chunk of chunks) {
    for (let index = chunk.count - 1; index >= 0; index -= 1) {
      const arrived = readMoment(chunk.arrivals, index);
      const time = readMoment(chunk.times, index);
      if (arrived > earliest) {
        if (time >= from) late.push(arrived);
        continue;
      }
      earliest = arrived;
      place -= 1;
      times[place] = time;
      values[place] = chunk.values.getFloat64(index * ELEMENT_BYTES + LENGTH_BYTES);
      arrivals[place] = arrived;
    }
  }
  return {
    times: times.subarray(place),
    values: values.subarray(place),
    arrivals: arrivals.subarray(place),
    late: Float64Array.from(late),
  };
}

function readMoment(view: DataView, index: number): number {
  const at = index * ELEMENT_BYTES + LENGTH_BYTES;
  return (view.getInt32(at) * 4_294_967_296 + view.getUint32(at + 4)) / 1000 + EPOCH_MS;
}
