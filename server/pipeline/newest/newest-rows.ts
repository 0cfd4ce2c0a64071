import type { DisplayedReading } from '../../alarm/alarm-states.ts';
import type { Transaction } from '../../platform/database.ts';
import { recordset } from '../../platform/recordset.ts';
import type { Channel } from '../sensor.ts';

/** Interval at which an unchanged state is written again, in case a user or an evaluation has changed the row. */
const SHOW_AGAIN_MS = 60_000;

/** Time of the last contact of a site, with its GSM data. */
export interface SiteContact {
  at: number;
  provider?: string;
  signal?: number;
}

/** Writes only values and times, which keeps the update cheap. It runs for every data point about once a second. */
export async function writeValues(tx: Transaction, rows: readonly DisplayedReading[]): Promise<void> {
  await tx.query(
    `update tocsin.asset_datapoint d set latest_value = n.value, last_updated = to_timestamp(n.at / 1000)
     from ${recordset('n', { uuid: 'uuid', value: 'float8', at: 'float8' })}
     where d.uuid = n.uuid and (d.last_updated is null or d.last_updated <= to_timestamp(n.at / 1000))`,
    [inOrder(rows)],
  );
}

/**
 * Writes state, colour and text. A data point with a new reading becomes normal unless it is in alarm, because only an
 * evaluation ends an alarm. Only digital channels have colour and text.
 */
export async function writeDatapoints(tx: Transaction, datapoints: readonly DisplayedReading[]): Promise<void> {
  await tx.query(
    `update tocsin.asset_datapoint d
     set status = case when d.status in (0, 3) then 1 else d.status end,
       datapoint_color = coalesce(n.color, d.datapoint_color), datapoint_title_text = coalesce(n.title, d.datapoint_title_text)
     from ${recordset('n', { uuid: 'uuid', at: 'float8', color: 'text', title: 'text' })}
     -- Skips the row if an evaluation has already written a newer reading.
     where d.uuid = n.uuid and (d.last_updated is null or d.last_updated <= to_timestamp(n.at / 1000))
       and (d.status in (0, 3) or n.color <> d.datapoint_color or n.title <> d.datapoint_title_text)`,
    [inOrder(datapoints)],
  );
}

/**
 * Returns a key that consists of the digital state and the current minute. When the key changes, state, colour and text
 * must be written again.
 */
export function stateOf({ latest: { value, time } }: Channel): string {
  return `${value === 0 ? 'low' : 'high'} ${Math.floor((time ?? 0) / SHOW_AGAIN_MS)}`;
}

/** Sorts the rows by uuid, so that two processes rarely deadlock. If they do, the failed write is retried. */
function inOrder(rows: readonly { uuid: string }[]): string {
  return JSON.stringify(rows.toSorted((a, b) => (a.uuid < b.uuid ? -1 : 1)));
}

/**
 * Writes the times of last contact. Returns the sites that until now had no data, were offline or had an open silence
 * alarm.
 */
export async function writeContacts(
  tx: Transaction,
  sensors: readonly (readonly [string, number])[],
  sites: readonly (readonly [string, SiteContact])[],
): Promise<string[]> {
  await tx.query(
    `update tocsin.sensor s set last_contact = to_timestamp(n.at / 1000)
     from ${recordset('n', { uuid: 'uuid', at: 'float8' })}
     where s.uuid = n.uuid and (s.last_contact is null or s.last_contact < to_timestamp(n.at / 1000))`,
    [inOrder(sensors.map(([uuid, at]) => ({ uuid, at })))],
  );
  if (sites.length === 0) return [];
  const rows = inOrder(sites.map(([uuid, site]) => ({ uuid, ...site })));
  const { rows: heard } = await tx.query<{ uuid: string }>(
    `select s.uuid from tocsin.site s where s.uuid = any ($1::uuid[]) and (s.site_status in (0, 3) or exists (
       select from tocsin.alarm a where a.tocsin_site_uuid = s.uuid and a.source = 'silence' and a.resolved_date is null))`,
    [sites.map(([uuid]) => uuid)],
  );
  await tx.query(
    `update tocsin.site s set last_update = greatest(s.last_update, to_timestamp(n.at / 1000)),
       gsm_signal_strength = case when s.last_update is null or s.last_update <= to_timestamp(n.at / 1000)
         then coalesce(n.signal, s.gsm_signal_strength) else s.gsm_signal_strength end,
       site_status = case when s.site_status in (0, 3) then
         case when exists (select from tocsin.asset a join tocsin.asset_datapoint d on d.tocsin_asset_uuid = a.uuid
           where a.tocsin_site_uuid = s.uuid and d.status = 2) then 2 else 1 end
         else s.site_status end
     from ${recordset('n', { uuid: 'uuid', at: 'float8', signal: 'int' })} where s.uuid = n.uuid`,
    [rows],
  );
  const silent = heard.map(({ uuid }) => uuid);
  if (!sites.some(([, { provider }]) => provider !== undefined)) return silent;
  // The GSM provider is updated separately, because a new provider counts as an edit of the site.
  await tx.query(
    `update tocsin.site s set gsm_provider = n.provider
     from ${recordset('n', { uuid: 'uuid', provider: 'text', at: 'float8' })}
     where s.uuid = n.uuid and n.provider is not null and s.last_update <= to_timestamp(n.at / 1000) and s.gsm_provider is distinct from n.provider`,
    [rows],
  );
  return silent;
}
