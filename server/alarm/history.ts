import type { Transaction } from '../platform/database.ts';

/** How far back anybody may look, and how much of it at once. */
export const historyLimits = { days: 400, readings: 2_000_000 } as const;

const DAY = 86_400_000;
/** 2000-01-01, from which PostgreSQL counts microseconds. */
const EPOCH_MS = 946_684_800_000;
const ROW_BYTES = 24;
/** So many readings after a range are looked at to see which of it arrived behind them. */
const LOOK_AHEAD = 2000;

/** The readings of one channel that were judged, or would have been, in order of their time. */
export interface History {
  times: Float64Array;
  values: Float64Array;
  /** How many more of the range there are that arrived after newer ones: they are charted, and change no alarm. */
  late: number;
}

export interface Range {
  from: number;
  until: number;
}

export type Refusal = { refused: { field: string; sentence: string } };

/** A range of time as a client wrote it. What lies after now has not happened, so it ends there at the latest. */
export function readRange(from: string, to: string, now: number): Range | Refusal {
  const [begin, end] = [readTime(from), readTime(to)];
  if (begin === undefined) return refuse('from', 'Say when the range begins, such as 2026-03-02T08:00:00Z.');
  if (end === undefined) return refuse('to', 'Say when the range ends, such as 2026-03-02T08:00:00Z.');
  if (begin >= end) return refuse('to', 'The range must end after it begins.');
  if (end - begin > historyLimits.days * DAY) {
    return refuse('from', `The range may be ${historyLimits.days} days long at most. Begin it later.`);
  }
  if (begin >= now) return refuse('from', 'The range lies in the future. Choose one for which there are readings.');
  return { from: begin, until: Math.min(end, now) };
}

export function refuse(field: string, sentence: string): Refusal {
  return { refused: { field, sentence } };
}

/** A time without a zone is in UTC. */
function readTime(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d/.test(text)) return undefined;
  const zoned = /T.*(Z|[+-]\d\d:?\d\d)$/i.test(text) || !text.includes('T') ? text : `${text}Z`;
  const time = Date.parse(zoned);
  return Number.isNaN(time) ? undefined : time;
}

interface Packed {
  readings: Buffer | null;
  ahead: number | null;
}

/**
 * One row for all readings, eight bytes for each number: as rows of their own they would take ten times as long. The policies
 * of the person who asks make the planner expect so much work that it would compile the query, which takes longer than to run it.
 */
const SELECT_HISTORY = `
  select (
    select string_agg(timestamptz_send(r.device_time) || float8send(r.value) || timestamptz_send(r.server_time), '')
    from (
      (select device_time, value, server_time from tocsin.reading
       where channel_key = $1 and device_time < to_timestamp($2::float8 / 1000) order by device_time desc limit 1)
      union all
      (select device_time, value, server_time from tocsin.reading
       where channel_key = $1 and device_time >= to_timestamp($2::float8 / 1000) and device_time <= to_timestamp($3::float8 / 1000)
       order by device_time limit $4)
    ) r) as readings, (
    select extract(epoch from min(n.server_time))::float8 * 1000 from (
      select server_time from tocsin.reading where channel_key = $1 and device_time > to_timestamp($3::float8 / 1000)
      order by device_time limit ${LOOK_AHEAD}) n) as ahead`;

/**
 * The readings of a range, and of a while before it, from which a rule's state at its beginning follows: a day, or twice the
 * debounce where that is longer. As whoever asks in this transaction; a channel they may not see has none.
 */
export async function loadHistory(
  tx: Transaction,
  channelKey: number,
  { from, until }: Range,
  holdMs: number,
): Promise<History | Refusal> {
  const most = historyLimits.readings;
  await tx.query(`select set_config('jit', 'off', true)`);
  const begin = from - Math.max(DAY, 2 * holdMs);
  const { rows } = await tx.query<Packed>(SELECT_HISTORY, [channelKey, begin, until, most + 1]);
  const { readings, ahead } = rows[0] as Packed;
  const count = (readings?.length ?? 0) / ROW_BYTES;
  if (count > most) {
    const sentence = `There are more than ${most} readings in this range. Choose a shorter one.`;
    return refuse('from', sentence);
  }
  return readings ? unpack(readings, from, ahead ?? Number.POSITIVE_INFINITY) : nothing();
}

/** How many of these times, which are in order, are not before a moment. */
export function countFrom(times: Float64Array, from: number): number {
  const first = times.findIndex((time) => time >= from);
  return first < 0 ? 0 : times.length - first;
}

function nothing(): History {
  return { times: new Float64Array(), values: new Float64Array(), late: 0 };
}

/** From the newest to the oldest, because what is late is told by those after it. */
function unpack(bytes: Buffer, from: number, ahead: number): History {
  const count = bytes.length / ROW_BYTES;
  const times = new Float64Array(count);
  const values = new Float64Array(count);
  let earliest = ahead;
  let place = count;
  let late = 0;
  for (let row = count - 1; row >= 0; row -= 1) {
    const at = row * ROW_BYTES;
    const arrived = readMoment(bytes, at + 16);
    if (arrived > earliest) {
      if (readMoment(bytes, at) >= from) late += 1;
      continue;
    }
    earliest = arrived;
    place -= 1;
    times[place] = readMoment(bytes, at);
    values[place] = bytes.readDoubleBE(at + 8);
  }
  return { times: times.subarray(place), values: values.subarray(place), late };
}

function readMoment(bytes: Buffer, at: number): number {
  return (bytes.readInt32BE(at) * 4_294_967_296 + bytes.readUInt32BE(at + 4)) / 1000 + EPOCH_MS;
}
