/** Readings for tests of charts and roll-ups, and a simple aggregation that computes the expected results. */
import { rollup } from '../../server/engine/rollup.ts';
import type { Clock } from '../../server/platform/clock.ts';
import type { Database } from '../../server/platform/database.ts';
import { serviceQuery } from '../harness/database/factories.ts';

export interface Reading {
  time: number;
  /** Server time of the reading. */
  arrived: number;
  value: number;
}

export interface Bucket {
  start: number;
  min: number;
  max: number;
  mean: number;
  count: number;
  last: number;
}

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Returns a generator of seeded random numbers from 0 to 1. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export async function keyOf(db: Database, channel: { uuid: string }): Promise<number> {
  return (await serviceQuery(db, 'select key from tocsin.sensor_channel where uuid = $1', [channel.uuid]))[0].key;
}

/** Stores readings as the pipeline does, without changing existing readings. */
export async function store(db: Database, key: number, readings: readonly Reading[]): Promise<void> {
  await serviceQuery(
    db,
    `insert into tocsin.reading (channel_key, device_time, server_time, value)
     select $1, to_timestamp(t.time / 1000), to_timestamp(t.arrived / 1000), t.value
     from unnest($2::float8[], $3::float8[], $4::float8[]) t (time, arrived, value)
     on conflict (channel_key, device_time) do nothing`,
    [key, readings.map(({ time }) => time), readings.map(({ arrived }) => arrived), readings.map(({ value }) => value)],
  );
}

/** Deletes all readings and roll-ups. */
export async function forget(db: Database): Promise<void> {
  for (const table of [
    'tocsin.reading',
    'tocsin.rollup_minute',
    'tocsin.rollup_hour',
    'tocsin.rollup_day',
    'tocsin_private.milestone',
  ])
    await serviceQuery(db, `delete from ${table}`);
}

export async function rolledUp(db: Database): Promise<number> {
  const rows = await serviceQuery(db, `select at from tocsin_private.milestone where name = 'rolled-up'`);
  return rows[0]?.at.getTime() ?? Number.NEGATIVE_INFINITY;
}

/** Creates all roll-ups that are due at the clock's time. */
export async function rollUpAll(db: Database, clock: Clock): Promise<void> {
  const module = rollup({ db, clock });
  for (let tick = 0; tick < 100; tick += 1) {
    await module.tick(clock.now());
    if ((await rolledUp(db)) >= clock.now().getTime() - 2 * MINUTE) return;
  }
  throw new Error('The roll-up does not come to an end.');
}

/** Computes the values of each bucket directly from its readings. */
export function sumUp(readings: readonly Reading[], span: number): Bucket[] {
  const buckets = new Map<number, Reading[]>();
  for (const reading of readings) {
    const start = Math.floor(reading.time / span) * span;
    buckets.set(start, [...(buckets.get(start) ?? []), reading]);
  }
  return [...buckets]
    .sort(([a], [b]) => a - b)
    .map(([start, inside]) => {
      const values = inside.map(({ value }) => value);
      const last = inside.reduce((latest, reading) => (reading.time > latest.time ? reading : latest));
      return {
        start,
        min: Math.min(...values),
        max: Math.max(...values),
        mean: values.reduce((sum, value) => sum + value, 0) / values.length,
        count: values.length,
        last: last.value,
      };
    });
}
