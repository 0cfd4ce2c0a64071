import { NEAR_NOW_MS } from '../../../domain/frame/when.ts';
import type { Transaction } from '../../platform/database.ts';
import type { Job } from '../job.ts';
import type { Channel, Latest } from '../sensor.ts';

/**
 * Loads newest readings that are not cached, for example after a takeover. Also loads `Latest.given`, so that
 * `settleTimes` does not assign a time that a stored reading already has. For `given`, the query considers readings
 * with a device time from `now` on that was at most NEAR_NOW_MS ahead when they arrived, and any reading with a device
 * time of exactly `now`. These times are not in the cache, so the channel of a value without a device time is looked up
 * unless its newest reading is in the past.
 */
export async function lookUpNewest(tx: Transaction, jobs: readonly Job[], now: number): Promise<void> {
  const unknown = new Map<number, Latest>();
  for (const { sensorDeliveries } of jobs) {
    for (const { mapped } of sensorDeliveries) {
      const { channels, untimed } = mapped?.readings ?? { channels: [], untimed: [] };
      for (const { key, latest } of channels) {
        latest.inBatch = Number.NEGATIVE_INFINITY;
        if (latest.time === undefined) unknown.set(key, latest);
      }
      for (const index of untimed) {
        const { key, latest } = channels[index] as Channel;
        if ((latest.time ?? now) >= now) unknown.set(key, latest);
      }
    }
  }
  if (unknown.size === 0) return;
  const { rows } = await tx.query<{ key: number; ms: number | null; value: number | null; near: number | null }>(
    `select k.key, extract(epoch from r.device_time)::float8 * 1000 as ms, r.value, extract(epoch from n.device_time)::float8 * 1000 as near
     from unnest($1::int[]) as k (key)
     left join lateral (select device_time, value from tocsin.reading r where r.channel_key = k.key
       order by r.device_time desc limit 1) r on true
     left join lateral (select device_time from tocsin.reading n where n.channel_key = k.key
       and n.device_time >= to_timestamp($2::float8 / 1000)
       and (n.device_time = to_timestamp($2::float8 / 1000) or n.device_time <= n.server_time + $3 * interval '1 millisecond')
       order by n.device_time desc limit 1) n on true`,
    [`{${[...unknown.keys()].join(',')}}`, now, NEAR_NOW_MS],
  );
  for (const { key, ms, value, near } of rows) {
    const latest = unknown.get(key) as Latest;
    latest.time = ms === null ? null : Math.round(ms);
    latest.value = value ?? 0;
    if (near !== null) latest.given = Math.max(latest.given, Math.round(near));
  }
}
