/** Inserts pumping stations for the tests of this folder, with the database role of the server. */
import type { Database } from '../../server/platform/database.ts';
import { createSite, insertRow, type SiteRow } from '../harness/database/factories.ts';

interface Row {
  uuid: string;
}

export interface Station {
  /** The unit office of the site. */
  office: Row & { name: string };
  site: SiteRow;
  asset: Row & { name: string };
  sensor: Row & { uid: string };
  channel: Row;
  datapoint: Row;
}

let count = 0;
export function unique(prefix: string): string {
  count += 1;
  return `${prefix}${count}`;
}

/** Inserts a site of a unit office, with a pump and a sensor. The sensor's only channel measures a level. */
export async function buildStation(
  db: Database,
  customer: { uuid: string },
  values: { office?: Station['office']; name?: string } = {},
): Promise<Station> {
  const own = { tocsin_customer_uuid: customer.uuid };
  const office: Station['office'] =
    values.office ?? (await insertRow(db, 'tocsin.group', { ...own, level: 5, name: unique('Office ') }));
  const plain = await createSite(db, { customer, name: values.name ?? unique('Station '), siteId: unique('PS-') });
  const site = await placeSite(db, plain, office);
  const sensor = await insertRow(db, 'tocsin.sensor', { ...own, uid: unique('NM-'), sensor_type: 2 });
  const channel = await insertRow(db, 'tocsin.sensor_channel', {
    ...own,
    tocsin_sensor_uuid: sensor.uuid,
    name: 'Level',
    channel_number: 1,
  });
  const asset = await insertRow(db, 'tocsin.asset', { ...own, tocsin_site_uuid: site.uuid, name: unique('Pump ') });
  const datapoint = await insertRow(db, 'tocsin.asset_datapoint', {
    ...own,
    tocsin_asset_uuid: asset.uuid,
    tocsin_sensor_uuid: sensor.uuid,
    tocsin_sensor_channel_uuid: channel.uuid,
    tocsin_datapoint_name: unique('Level '),
    uom: 'm',
    sensor_type: 2,
  });
  return { office, site, asset, sensor, channel, datapoint };
}

async function placeSite(db: Database, site: SiteRow, office: Row): Promise<SiteRow> {
  const { rows } = await db.transaction({ role: 'tocsin_service', settings: {} }, (tx) =>
    tx.query('update tocsin.site set tocsin_group5_uuid = $2 where uuid = $1 returning *', [site.uuid, office.uuid]),
  );
  return rows[0];
}

/** Returns the uuids of a station's site, asset and data point, for a rule or an action. */
export function places({ site, asset, datapoint }: Station) {
  return {
    tocsinSiteUuid: site.uuid,
    tocsinAssetUuid: asset.uuid,
    tocsinDatapointUuid: datapoint.uuid,
  };
}

/** Returns the rules JSON of an alarm for a high level at the station. */
export function highLevel({ datapoint }: Station, word: 'all' | 'any' = 'all'): string {
  const comparison = { fact: datapoint.uuid, operator: 'greaterThan', value: 4 };
  return JSON.stringify({ conditions: { [word]: [comparison] }, event: { type: 'alarm' } });
}

/** Inserts an alarm. Without `resolved`, the alarm is open. */
export function openAlarm(
  db: Database,
  { site }: Station,
  values: { message: string; at: string; resolved?: string; created?: string },
): Promise<Row> {
  return insertRow(db, 'tocsin.alarm', {
    tocsin_customer_uuid: site.tocsin_customer_uuid,
    tocsin_site_uuid: site.uuid,
    site_name: site.name,
    message: values.message,
    date_time: values.at,
    resolved_date: values.resolved,
    created_at: values.created ?? values.at,
  });
}

/** Inserts a notification about an alarm. By default, it is a delivered SMS of one segment. */
export function addNotification(
  db: Database,
  { site }: Station,
  values: {
    at: string;
    message?: string;
    method?: number;
    type?: number;
    segments?: number;
    state?: string;
    ack?: string;
  },
): Promise<Row> {
  return insertRow(db, 'tocsin.notification', {
    tocsin_customer_uuid: site.tocsin_customer_uuid,
    tocsin_site_uuid: site.uuid,
    recipient_name: 'Aoife Byrne',
    address: '+353871234567',
    method_type: values.method ?? 3,
    message_type: values.type ?? 1,
    notify_message: values.message ?? unique('High level '),
    notify_time: values.at,
    state: values.state ?? 'delivered',
    segments: values.segments ?? 1,
    ack_time: values.ack,
    ack_by_recipient_name: values.ack && 'Aoife Byrne',
  });
}
