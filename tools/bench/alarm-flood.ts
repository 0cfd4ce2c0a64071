import { asService, onDatabase } from '../../test/harness/device/alarm-plant.ts';

/**
 * Counts how often a recipient was notified of an alarm neither separately nor in a digest. Also counts the digests
 * that followed another digest to the same address within a minute. Stop the server first.
 */
export function notifiedInFlood(settings: Readonly<Record<string, string>>) {
  return onDatabase(settings, (db) =>
    asService(db, async (tx) => {
      const { rows: unreported } = await tx.query<{ pairs: number }>(
        `with reported as (
           select e.tocsin_alarm_uuid as alarm, n.tocsin_user_uuid as person from tocsin.alarm_event e
           join lateral (select n.tocsin_user_uuid from tocsin.notification n
             where n.digest_uuids && array[(e.detail ->> 'digest')::uuid]) n on true where e.kind = 'digest'
           union select n.tocsin_alarm_uuid, n.tocsin_user_uuid from tocsin.notification n where n.kind = 'alarm')
         select count(*)::int as pairs from tocsin.alarm a cross join unnest(a.recipient_uuids) p (person)
         where a.resolved_date is null and not exists (select from reported r where r.alarm = a.uuid and r.person = p.person)`,
      );
      const { rows: sent } = await tx.query<{ alone: number; digests: number; crowded: number }>(
        `select count(*) filter (where n.kind = 'alarm')::int as alone, count(*) filter (where n.kind = 'digest')::int as digests,
           count(*) filter (where n.kind = 'digest' and n.gap < interval '1 minute')::int as crowded
         from (select n.kind, n.notify_time - lag(n.notify_time) over (partition by n.address, n.method_type, n.kind order by n.sequence_number)
             as gap from tocsin.notification n) n`,
      );
      return { unreported: unreported[0]?.pairs, ...sent[0] };
    }),
  );
}
