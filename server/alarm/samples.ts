import type { Transaction } from '../platform/database.ts';

export interface Sample {
  /** By the device's clock. */
  at: number;
  value: number;
}

/** A moment of a channel; conditions, which have several, have none. */
interface Moment {
  context: { channelKey: number | null };
  step: { at: number };
}

/** How many readings are frozen on an alarm: those that led to it, and those known already of the time after. */
const BEFORE = 30;
const AFTER = 10;

export function sampleKey({ context, step }: Moment): string {
  return `${context.channelKey} ${step.at}`;
}

/** The readings around each opening, oldest first. */
export async function loadSamples(tx: Transaction, openings: readonly Moment[]): Promise<Map<string, Sample[]>> {
  const wanted = openings.filter(({ context }) => context.channelKey !== null);
  if (wanted.length === 0) return new Map();
  const { rows } = await tx.query<{ key: number; at: number; samples: Sample[] }>(
    `select w.key, w.at, coalesce((
       select json_agg(json_build_object('at', round(extract(epoch from r.device_time) * 1000), 'value', r.value) order by r.device_time)
       from (
         (select device_time, value from tocsin.reading where channel_key = w.key and device_time <= to_timestamp(w.at / 1000)
          order by device_time desc limit ${BEFORE})
         union all
         (select device_time, value from tocsin.reading where channel_key = w.key and device_time > to_timestamp(w.at / 1000)
          order by device_time limit ${AFTER})
       ) r), '[]') as samples
     from json_to_recordset($1) as w (key int, at float8)`,
    [JSON.stringify(wanted.map(({ context, step }) => ({ key: context.channelKey, at: step.at })))],
  );
  return new Map(rows.map(({ key, at, samples }) => [`${key} ${at}`, samples]));
}
