import { announceSites } from '../live/relay.ts';
import type { Transaction } from '../platform/database.ts';
import { recordset } from '../platform/recordset.ts';
import type { EvaluatedChannel } from '../rule/watch.ts';

/** A data point and a site whose alarm state must be updated. */
export interface AffectedPlace {
  datapointUuid: string | null;
  siteUuid: string | null;
}

/** Reading that a data point displays. Colour and title are null unless the channel is digital. */
export interface DisplayedReading {
  uuid: string;
  value: number;
  at: number;
  color: string | null;
  title: string | null;
}

export function displayedReadings({ datapoints }: EvaluatedChannel, value: number, at: number): DisplayedReading[] {
  const low = value === 0;
  return datapoints.map(({ datapointUuid: uuid, digital, lowColor, highColor, lowText, highText }) => ({
    uuid,
    value,
    at,
    color: digital ? (low ? lowColor : highColor) : null,
    title: digital ? (low ? lowText : highText) || null : null,
  }));
}

/**
 * Sets the state of data points and sites to alarm while an alarm is open, and to normal afterwards. Notifies live
 * viewers. Also stores the readings in `newest` with these data points. Write-behind stores the displayed readings of
 * all other data points.
 */
export async function updateAlarmStates(
  tx: Transaction,
  touched: readonly AffectedPlace[],
  newest: ReadonlyMap<string, DisplayedReading> = new Map(),
): Promise<void> {
  const datapoints = [...new Set(touched.flatMap(({ datapointUuid }) => datapointUuid ?? []))].toSorted();
  const sites = new Set(touched.flatMap(({ siteUuid }) => siteUuid ?? []));
  if (datapoints.length + sites.size === 0) return;
  const show = tx.query(
    // Rules with the same message share an alarm. The alarm row stores only the data point of the rule that opened it,
    // so the query finds the data points of the other rules through their rule states.
    `with datapoint as materialized (
       select d.uuid, exists (select from tocsin.alarm a where a.tocsin_datapoint_uuid = d.uuid and a.resolved_date is null)
         or exists (select from tocsin_private.rule_state s join tocsin.alarm a on a.uuid = s.alarm_uuid
           where s.watch_uuid = any (array(select r.uuid from tocsin.rule r where r.tocsin_datapoint_uuid = d.uuid) || d.uuid)
             and s.phase in ('open', 'clearing') and a.resolved_date is null) as alarm,
         n.value, to_timestamp(n.at / 1000) as at, n.color, n.title
       from unnest($1::uuid[]) as d (uuid)
       left join ${recordset('n', { uuid: 'uuid', value: 'float8', at: 'float8', color: 'text', title: 'text' }, 3)} on n.uuid = d.uuid),
     site as materialized (
       select s.uuid, exists (select from tocsin.alarm a where a.tocsin_site_uuid = s.uuid and a.resolved_date is null
         and a.severity <> 'silent') as alarm
       from unnest($2::uuid[]) as s (uuid)),
     shown as (
       update tocsin.asset_datapoint d
       set status = case when o.alarm then 2 when d.status = 2 or o.at is not null then 1 else d.status end,
         latest_value = case when o.at >= coalesce(d.last_updated, o.at) then o.value else d.latest_value end,
         datapoint_color = case when o.at >= coalesce(d.last_updated, o.at) then coalesce(o.color, d.datapoint_color) else d.datapoint_color end,
         datapoint_title_text = case when o.at >= coalesce(d.last_updated, o.at) then coalesce(o.title, d.datapoint_title_text)
           else d.datapoint_title_text end,
         last_updated = greatest(d.last_updated, o.at)
       from datapoint o where d.uuid = o.uuid and (o.at is not null or o.alarm and d.status <> 2 or not o.alarm and d.status = 2))
     update tocsin.site s set site_status = case when o.alarm then 2 else 1 end
     from site o where s.uuid = o.uuid and (o.alarm and s.site_status <> 2 or not o.alarm and s.site_status = 2)`,
    [datapoints, [...sites].toSorted(), JSON.stringify(datapoints.flatMap((uuid) => newest.get(uuid) ?? []))],
  );
  await Promise.all([show, announceSites(tx, [...sites])]);
}
