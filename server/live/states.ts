import type { Transaction } from '../platform/database.ts';
import type { LiveDatapoint, LiveSite } from './hub.ts';

export interface States {
  sites: LiveSite[];
  datapoints: LiveDatapoint[];
}

/**
 * Loads the states of the given sites and their data points; for null, of all sites. Omits rows that the transaction's
 * user is not allowed to see.
 */
export async function readStates(tx: Transaction, siteUuids: readonly string[] | null): Promise<States> {
  const { rows } = await tx.query<{ site: string; status: number; last_update: Date | null; datapoints: Row[] }>(
    `select s.uuid as site, s.site_status as status, s.last_update,
       coalesce((select json_agg(json_build_object('uuid', d.uuid, 'value', d.latest_value, 'time',
           round(extract(epoch from d.last_updated) * 1000), 'status', d.status, 'color', d.datapoint_color,
           'titleText', d.datapoint_title_text))
         from tocsin.asset a join tocsin.asset_datapoint d on d.tocsin_asset_uuid = a.uuid
         where a.tocsin_site_uuid = s.uuid), '[]') as datapoints
     from tocsin.site s where $1::uuid[] is null or s.uuid = any ($1::uuid[])`,
    [siteUuids],
  );
  return {
    sites: rows.map(({ site, status, last_update }) => ({
      siteUuid: site,
      status,
      lastUpdate: last_update?.getTime() ?? null,
    })),
    datapoints: rows.flatMap(({ site, datapoints }) =>
      datapoints.map(({ uuid, ...rest }) => ({ datapointUuid: uuid, siteUuid: site, ...rest })),
    ),
  };
}

interface Row {
  uuid: string;
  value: number | null;
  time: number | null;
  status: number;
  color: string;
  titleText: string;
}
