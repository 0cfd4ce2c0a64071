import { announceSites } from '../live/relay.ts';
import type { Transaction } from '../platform/database.ts';

/** Where something changed that is shown there. */
export interface Touched {
  datapointUuid: string | null;
  siteUuid: string | null;
}

/**
 * Keeps the state of datapoints and sites with their alarms: in alarm while one is open, normal when none is any more, and
 * tells whoever watches those sites.
 */
export async function showAlarms(tx: Transaction, touched: readonly Touched[]): Promise<void> {
  const datapoints = new Set(touched.flatMap(({ datapointUuid }) => datapointUuid ?? []));
  const sites = new Set(touched.flatMap(({ siteUuid }) => siteUuid ?? []));
  if (datapoints.size + sites.size === 0) return;
  const show = tx.query(
    // An alarm is of the rule that opened it, and others with the same words keep it open with it: their values are in alarm too.
    `with datapoint as materialized (
       select d.uuid, exists (select from tocsin.alarm a where a.tocsin_datapoint_uuid = d.uuid and a.resolved_date is null)
         or exists (select from tocsin_private.rule_state s join tocsin.alarm a on a.uuid = s.alarm_uuid
           where s.watch_uuid = any (array(select r.uuid from tocsin.rule r where r.tocsin_datapoint_uuid = d.uuid) || d.uuid)
             and s.phase in ('open', 'clearing') and a.resolved_date is null) as alarm
       from unnest($1::uuid[]) as d (uuid)),
     site as materialized (
       select s.uuid, exists (select from tocsin.alarm a where a.tocsin_site_uuid = s.uuid and a.resolved_date is null
         and a.severity <> 'silent') as alarm
       from unnest($2::uuid[]) as s (uuid)),
     shown as (
       update tocsin.asset_datapoint d set status = case when o.alarm then 2 else 1 end
       from datapoint o where d.uuid = o.uuid and (o.alarm and d.status <> 2 or not o.alarm and d.status = 2))
     update tocsin.site s set site_status = case when o.alarm then 2 else 1 end
     from site o where s.uuid = o.uuid and (o.alarm and s.site_status <> 2 or not o.alarm and s.site_status = 2)`,
    [[...datapoints].toSorted(), [...sites].toSorted()],
  );
  await Promise.all([show, announceSites(tx, [...sites])]);
}
