import { serviceAccess } from '../access.ts';
import { announceSites } from '../live/relay.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { EngineModule } from './engine.ts';

/**
 * A site is silent when nothing arrived from any of its sensors for its health duration; a datapoint is stale when its own
 * sensor has been silent that long. An alarm stays an alarm. The next frame ends both.
 */
export function silence(db: Database, clock: Clock): EngineModule {
  return {
    name: 'silence',
    every: 30_000,
    tick: async (now) => {
      await db.transaction(serviceAccess(clock), async (tx) => {
        const { rows: silent } = await tx.query<{ uuid: string }>(
          `update tocsin.site s set site_status = 3
           where s.site_status = 1 and s.last_update <= $1::timestamptz - s.tocsin_health_duration_hours * interval '1 hour'
           returning s.uuid`,
          [now.toISOString()],
        );
        const { rows: stale } = await tx.query<{ uuid: string }>(
          `update tocsin.asset_datapoint d set status = 3
           from tocsin.asset a, tocsin.site s, tocsin.sensor e
           where a.uuid = d.tocsin_asset_uuid and s.uuid = a.tocsin_site_uuid and e.uuid = d.tocsin_sensor_uuid and d.status = 1
             and coalesce(e.last_contact, d.last_updated) <= $1::timestamptz - s.tocsin_health_duration_hours * interval '1 hour'
           returning s.uuid`,
          [now.toISOString()],
        );
        await announceSites(tx, [...new Set([...silent, ...stale].map(({ uuid }) => uuid))]);
      });
    },
  };
}
