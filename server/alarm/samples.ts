import type { Sample, SamplesOf } from '../../domain/alarm/samples.ts';
import type { Transaction } from '../platform/database.ts';
import { recordset } from '../platform/recordset.ts';

interface Moment {
  channelKey: number;
  at: number;
}

/**
 * Maximum number of readings before and after the opening of an alarm that are stored with the alarm. Readings after
 * the opening are stored only if they have already arrived.
 */
const BEFORE = 30;
const AFTER = 10;

/** Loads the readings before and after each moment with one query. */
export async function loadSamples(tx: Transaction, moments: readonly Moment[]): Promise<SamplesOf> {
  if (moments.length === 0) return () => [];
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
     from ${recordset('w', { key: 'int', at: 'float8' })}`,
    [JSON.stringify(moments.map(({ channelKey, at }) => ({ key: channelKey, at })))],
  );
  const found = new Map(rows.map(({ key, at, samples }) => [`${key} ${at}`, samples]));
  return (channelKey, at) => found.get(`${channelKey} ${at}`) ?? [];
}
