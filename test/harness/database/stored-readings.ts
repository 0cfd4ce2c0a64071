import type { Database } from '../../../server/platform/database.ts';
import { serviceQuery } from './factories.ts';

/**
 * Returns how many times each reading is stored, keyed by uid and device time. Leaves out readings with a device time
 * before `since`, in milliseconds.
 */
export async function storedReadings(db: Database, since = 0): Promise<Map<string, number>> {
  const rows = await serviceQuery<{ uid: string; time: number; count: number }>(
    db,
    `select s.uid, round(extract(epoch from r.device_time) * 1000)::float8 as time, count(*)::int as count
     from tocsin.reading r join tocsin.sensor_channel c on c.key = r.channel_key
     join tocsin.sensor s on s.uuid = c.tocsin_sensor_uuid where r.device_time >= to_timestamp($1 / 1000.0) group by 1, 2`,
    [since],
  );
  return new Map(rows.map(({ uid, time, count }) => [`${uid} ${time}`, count]));
}

/** Returns the readings that are not stored. `since` must not be later than the device time of any of these readings. */
export async function missing(
  db: Database,
  readings: readonly { uid: string; time: number }[],
  since = 0,
): Promise<string[]> {
  const stored = await storedReadings(db, since);
  return readings.map(({ uid, time }) => `${uid} ${time}`).filter((key) => !stored.has(key));
}
