import { serviceAccess } from '../access.ts';
import { beginOpenings } from '../alarm/dependencies.ts';
import { openSilentAlarms } from '../alarm/silent-sites.ts';
import { announceSites } from '../live/relay.ts';
import { NotificationQueue } from '../notification/queue.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { EngineModule } from './engine.ts';
import { readListening } from './listening.ts';

/** SQL condition for a site that is silent. Each silence opens only one alarm, even if a user resolves that alarm. */
const IS_SILENT = `s.site_status in (1, 2) and s.last_update <= $1::timestamptz - s.tocsin_health_duration_hours * interval '1 hour'
  and $2::timestamptz <= $1::timestamptz - s.tocsin_health_duration_hours * interval '1 hour'
  and not exists (select from tocsin.alarm a where a.tocsin_site_uuid = s.uuid and a.source = 'silence' and s.site_status = 2
    and a.date_time > s.last_update)
  and not exists (select from tocsin_private.maintenance_of(null, null, s.uuid, tocsin_private.clock()) m where m.suppresses = 'health')`;

/**
 * Marks a site as offline if none of its sensors sends a frame for the health duration, and a data point as stale if
 * its sensor sends no frame for that time. The next frame ends both states. A site in alarm stays in alarm. A site that
 * never sent a frame becomes offline without an alarm. A maintenance window can suppress health: its sites become
 * offline only after its end, if they are still silent. Only time in which a gateway was listening counts
 * (listening.ts). After a long interruption of listening, every health duration starts again.
 */
export function silence(db: Database, clock: Clock): EngineModule {
  return {
    name: 'silence',
    every: 30_000,
    tick: async (now) => {
      await db.transaction(serviceAccess(clock), async (tx) => {
        const heard = await readListening(tx);
        if (!heard) return;
        const { since, until } = heard;
        const { rows: candidates } = await tx.query<{ uuid: string }>(
          `select s.uuid from tocsin.site s where ${IS_SILENT}`,
          [until, since],
        );
        const uuids = candidates.map(({ uuid }) => uuid);
        const notifications = new NotificationQueue(now.getTime());
        // Evaluations acquire their locks in the order dependencies, places of floods, sites. This transaction uses the
        // same order to prevent deadlocks.
        if (uuids.length > 0) await beginOpenings(tx, uuids);
        await notifications.floods.load(tx, uuids);
        const { rows: silent } = await tx.query<{ uuid: string; status: number }>(
          `update tocsin.site s set site_status = case when s.site_status = 2 then 2 else 3 end
           where s.uuid = any ($3::uuid[]) and ${IS_SILENT} returning s.uuid`,
          [until, since, uuids],
        );
        const { rows: neverHeard } = await tx.query<{ uuid: string }>(
          `update tocsin.site s set site_status = 3
           where s.site_status = 0 and greatest(s.created_at, $2::timestamptz) <= $1::timestamptz - s.tocsin_health_duration_hours * interval '1 hour'
           returning s.uuid`,
          [until, since],
        );
        const { rows: stale } = await tx.query<{ uuid: string }>(
          `update tocsin.asset_datapoint d set status = 3
           from tocsin.asset a, tocsin.site s, tocsin.sensor e
           where a.uuid = d.tocsin_asset_uuid and s.uuid = a.tocsin_site_uuid and e.uuid = d.tocsin_sensor_uuid and d.status = 1
             and coalesce(e.last_contact, d.last_updated) <= $1::timestamptz - s.tocsin_health_duration_hours * interval '1 hour'
             and $2::timestamptz <= $1::timestamptz - s.tocsin_health_duration_hours * interval '1 hour'
           returning s.uuid`,
          [until, since],
        );
        const sites = silent.map(({ uuid }) => uuid);
        await openSilentAlarms(tx, sites, now.getTime(), Date.parse(since), notifications);
        await announceSites(tx, [...new Set([...sites, ...[...neverHeard, ...stale].map(({ uuid }) => uuid)])]);
      });
    },
  };
}
