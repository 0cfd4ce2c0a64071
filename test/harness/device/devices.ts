/** Sensors with channels, a device token, and data points at a site. */
import { createHash } from 'node:crypto';
import { randomToken } from '../../../server/platform/clock.ts';
import type { Database } from '../../../server/platform/database.ts';
import { createSite, insertRow, type SiteRow } from '../database/factories.ts';

export interface TestChannel {
  uuid: string;
  key: number;
  name: string;
  channel_number: number;
  datapointUuid: string;
}

export interface TestSensor {
  uuid: string;
  uid: string;
  token: string;
  customerUuid: string;
  site: SiteRow;
  assetUuid: string;
  channels: TestChannel[];
}

export interface NewSensor {
  customer: { uuid: string };
  uid?: string;
  site?: SiteRow;
  /** Columns of the sensor's row. */
  columns?: Record<string, unknown>;
  /** Columns of each channel's row; channels are numbered from 1. */
  channels?: Record<string, unknown>[];
  sensorType?: 1 | 2 | 3;
}

let count = 0;

export async function createSensor(db: Database, values: NewSensor): Promise<TestSensor> {
  count += 1;
  const number = count;
  const customer = { tocsin_customer_uuid: values.customer.uuid };
  const sensorType = values.sensorType ?? 2;
  const site = values.site ?? (await createSite(db, { customer: values.customer }));
  const sensor = await insertRow<{ uuid: string; uid: string }>(db, 'tocsin.sensor', {
    ...customer,
    uid: values.uid ?? `logger-${number}`,
    sensor_type: sensorType,
    ...values.columns,
  });
  const asset = await insertRow<{ uuid: string }>(db, 'tocsin.asset', {
    ...customer,
    tocsin_site_uuid: site.uuid,
    tocsin_sensor_uuid: sensor.uuid,
    name: `Asset ${number}`,
  });
  const channels: TestChannel[] = [];
  for (const [index, columns] of (values.channels ?? [{}]).entries()) {
    const channel = await insertRow<Omit<TestChannel, 'datapointUuid'>>(db, 'tocsin.sensor_channel', {
      ...customer,
      tocsin_sensor_uuid: sensor.uuid,
      name: `Channel ${index + 1}`,
      channel_number: index + 1,
      ...columns,
    });
    const datapoint = await insertRow<{ uuid: string }>(db, 'tocsin.asset_datapoint', {
      ...customer,
      tocsin_asset_uuid: asset.uuid,
      tocsin_sensor_uuid: sensor.uuid,
      tocsin_sensor_channel_uuid: channel.uuid,
      tocsin_datapoint_name: channel.name,
      sensor_type: sensorType,
    });
    channels.push({ ...channel, datapointUuid: datapoint.uuid });
  }
  const token = await giveToken(db, values.customer, sensor);
  return {
    uuid: sensor.uuid,
    uid: sensor.uid,
    token,
    customerUuid: values.customer.uuid,
    site,
    assetUuid: asset.uuid,
    channels,
  };
}

/** Adds a token to the sensor and returns it. */
export async function giveToken(db: Database, customer: { uuid: string }, sensor: { uuid: string }): Promise<string> {
  const token = randomToken(32);
  await insertRow(db, 'tocsin_private.device_token', {
    tocsin_customer_uuid: customer.uuid,
    tocsin_sensor_uuid: sensor.uuid,
    token_hash: createHash('sha256').update(token).digest(),
  });
  return token;
}
