/**
 * Creates the device benchmark's plant in the database: sensors behind gateway sensors, with a data point for each
 * channel.
 */
import { createHash } from 'node:crypto';
import { serviceAccess } from '../../../server/access.ts';
import { databaseOf, readConfig } from '../../../server/config.ts';
import { systemClock } from '../../../server/platform/clock.ts';
import type { Database } from '../../../server/platform/database.ts';
import { silentLog } from '../../../server/platform/log.ts';
import { openDatabase } from '../../../server/platform/open-database.ts';
import { migrateDatabase } from '../../../server/start/prepare.ts';
import { createUser, setDefaultCustomer } from '../database/factories.ts';
import { createSensor } from './devices.ts';

export interface DevicePlant {
  gateways: { uid: string; token: string; sensors: string[] }[];
  sensors: { uid: string; token: string }[];
  channels: number;
  /** A sensor with its own site, for measurements under load. */
  probe: { uid: string; token: string; siteUuid: string };
  owner: { email: string; password: string };
}

const CHANNELS = 10;
const SENSORS = 1000;
const BEHIND_ONE = 25;

/** Creates the plant in the database of these settings. The database must be empty or must not exist yet. */
export async function makeDevicePlant(
  settings: Readonly<Record<string, string>>,
  sensorCount = SENSORS,
): Promise<DevicePlant> {
  const log = silentLog;
  const db = await openDatabase({ ...databaseOf(readConfig(settings)), log });
  try {
    await migrateDatabase(db, { clock: systemClock, log });
    return await fill(db, sensorCount);
  } finally {
    await db.close();
  }
}

async function fill(db: Database, sensorCount: number): Promise<DevicePlant> {
  const tokenOf = (uid: string) => createHash('sha256').update(`bench ${uid}`).digest('base64url');
  const sensors = Array.from({ length: sensorCount }, (_, index) => `s${index}`);
  const gateways = Array.from({ length: Math.ceil(sensorCount / BEHIND_ONE) }, (_, index) => `g${index}`);
  const customerUuid = await db.transaction(serviceAccess(systemClock), async (tx) => {
    const { rows: partners } = await tx.query(`insert into tocsin.partner (name) values ('Bench') returning id`);
    const { rows: customers } = await tx.query(
      `insert into tocsin.customer (tocsin_partner_id, name, table_name) values ($1, 'Bench', 'bench') returning uuid`,
      [partners[0].id],
    );
    const customer = customers[0].uuid as string;
    await tx.query(
      `insert into tocsin.site (tocsin_customer_uuid, site_id, name)
       select $1, 'B' || n, 'Bench ' || n from generate_series(1, 100) n`,
      [customer],
    );
    await tx.query(
      `insert into tocsin.sensor (tocsin_customer_uuid, uid, sensor_type) select $1, uid, 2 from unnest($2::text[]) uid`,
      [customer, gateways],
    );
    await tx.query(
      `insert into tocsin.sensor (tocsin_customer_uuid, uid, sensor_type, tocsin_gateway_uuid)
       select $1, uid, 2, (select s.uuid from tocsin.sensor s where s.uid = 'g' || (substr(u.uid, 2)::int / $3))
       from unnest($2::text[]) u (uid)`,
      [customer, sensors, BEHIND_ONE],
    );
    await tx.query(
      `insert into tocsin_private.device_token (tocsin_customer_uuid, tocsin_sensor_uuid, token_hash)
       select $1, s.uuid, sha256(convert_to(t.token, 'UTF8')) from unnest($2::text[], $3::text[]) t (uid, token)
       join tocsin.sensor s on s.uid = t.uid and s.tocsin_customer_uuid = $1`,
      [customer, [...sensors, ...gateways], [...sensors, ...gateways].map(tokenOf)],
    );
    await tx.query(
      `insert into tocsin.sensor_channel (tocsin_customer_uuid, tocsin_sensor_uuid, name, channel_number)
       select $1, s.uuid, 'Channel ' || n, n from tocsin.sensor s, generate_series(1, $2) n
       where s.uid like 's%' and s.tocsin_customer_uuid = $1`,
      [customer, CHANNELS],
    );
    await tx.query(
      `insert into tocsin.asset (tocsin_customer_uuid, tocsin_site_uuid, tocsin_sensor_uuid, name)
       select $1, site.uuid, s.uuid, s.uid from tocsin.sensor s
       join tocsin.site site on site.site_id = 'B' || (substr(s.uid, 2)::int / 10 + 1) and site.tocsin_customer_uuid = $1
       where s.uid like 's%' and s.tocsin_customer_uuid = $1`,
      [customer],
    );
    await tx.query(
      `insert into tocsin.asset_datapoint (tocsin_customer_uuid, tocsin_asset_uuid, tocsin_sensor_uuid, tocsin_sensor_channel_uuid,
         tocsin_datapoint_name, sensor_type)
       select $1, a.uuid, c.tocsin_sensor_uuid, c.uuid, c.name, 2 from tocsin.sensor_channel c
       join tocsin.asset a on a.tocsin_sensor_uuid = c.tocsin_sensor_uuid where c.tocsin_customer_uuid = $1`,
      [customer],
    );
    return customer;
  });
  // Runs ANALYZE now instead of waiting up to a minute for autovacuum.
  await db.migration((tx) => tx.query('analyze'));
  const customer = { uuid: customerUuid };
  const probe = await createSensor(db, { customer, uid: 'probe' });
  const password = 'a long enough password';
  const { email } = await createUser(db, { customer, level: 0, password });
  await setDefaultCustomer(db, customer);
  return {
    probe: { uid: probe.uid, token: probe.token, siteUuid: probe.site.uuid },
    owner: { email, password },
    channels: CHANNELS,
    sensors: sensors.map((uid) => ({ uid, token: tokenOf(uid) })),
    gateways: gateways.map((uid, index) => ({
      uid,
      token: tokenOf(uid),
      sensors: sensors.slice(index * BEHIND_ONE, (index + 1) * BEHIND_ONE),
    })),
  };
}
