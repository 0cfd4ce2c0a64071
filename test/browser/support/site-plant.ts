/** A cold store with a logger, for tests of sites and trends. */
import type { Page } from 'playwright-core';
import type { ConsoleApp } from '../../harness/browser/console.ts';
import type { VisitOptions } from '../../harness/browser/visits.ts';
import { createSite, insertRow, linkUser, type SiteRow, serviceQuery } from '../../harness/database/factories.ts';
import { createSensor, type TestSensor } from '../../harness/device/devices.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

export interface ColdStore {
  site: SiteRow;
  /** Sensor whose channel 1 measures a temperature and has a rule, and whose channel 2 measures a current. */
  room: TestSensor;
  /** Sensor whose channel 1 is a door contact with the states Closed and Open. */
  door: TestSensor;
  temperature: string;
  current: string;
}

/**
 * Creates a cold store at a site to which the operator is linked. A temperature above −15 °C opens an alarm at once.
 */
export async function createColdStore(app: ConsoleApp, name: string): Promise<ColdStore> {
  const { customer, operator, manager } = app.people;
  const own = { tocsin_customer_uuid: customer.uuid };
  const site = await createSite(app.db, { customer, name });
  await linkUser(app.db, operator, site);
  const room = await createSensor(app.db, {
    customer,
    site,
    uid: `${name.toLowerCase().replaceAll(' ', '-')}-room`,
    channels: [{ name: 'Temperature' }, { name: 'Current' }],
  });
  const door = await createSensor(app.db, {
    customer,
    site,
    uid: `${name.toLowerCase().replaceAll(' ', '-')}-door`,
    sensorType: 1,
    channels: [
      {
        name: 'Door',
        channel_low_text: 'Closed',
        channel_high_text: 'Open',
        channel_normal_color: '#00aa00',
        channel_alarm_color: '#aa0000',
        channel_alarm_condition: 2,
      },
    ],
  });
  const [temperature, current] = room.channels.map(({ datapointUuid }) => datapointUuid) as [string, string];
  await serviceQuery(app.db, `update tocsin.asset_datapoint set uom = '°C' where uuid = $1`, [temperature]);
  await serviceQuery(
    app.db,
    `update tocsin.asset_datapoint set uom = 'A', tocsin_asset_datapoint_order = 2 where uuid = $1`,
    [current],
  );
  await insertRow(app.db, 'tocsin.rule', {
    ...own,
    tocsin_site_uuid: site.uuid,
    tocsin_asset_uuid: room.assetUuid,
    tocsin_datapoint_uuid: temperature,
    name: `${name} warm`,
    value_upper: -15,
    priority: 'critical',
  });
  const alert = await insertRow<{ uuid: string }>(app.db, 'tocsin.rule_alert', {
    ...own,
    tocsin_site_uuid: site.uuid,
    tocsin_rule_name: `${name} warm`,
  });
  const join = { ...own, tocsin_rule_alert_uuid: alert.uuid };
  await insertRow(app.db, 'tocsin.rule_alert_user', { ...join, tocsin_user_uuid: operator.uuid, is_alert: true });
  await insertRow(app.db, 'tocsin.rule_escalate_user', { ...join, tocsin_user_uuid: manager.uuid });
  await insertRow(app.db, 'tocsin.reason', { ...own, rule_uuid: alert.uuid, reason: 'Loading' });
  return { site, room, door, temperature, current };
}

/** Sends a frame over HTTP, as a device would. */
export async function speak(app: ConsoleApp, sensor: TestSensor, body: string): Promise<void> {
  app.clock.advance(1000);
  const answer = await fetch(`${app.url.replace('localhost', '127.0.0.1')}/api/v1/ingest/${sensor.uid}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sensor.token}` },
    body,
  });
  if (!answer.ok) throw new Error(await answer.text());
}

/** Stores readings at a fixed interval for the last hours. `value` is an SQL expression of the time `t`. */
export async function addHistory(
  app: ConsoleApp,
  datapoint: string,
  hours: number,
  everySeconds: number,
  value: string,
) {
  const to = app.clock.now();
  const from = new Date(to.getTime() - hours * HOUR);
  await app.db.migration((tx) =>
    tx.query('call tocsin_private.ensure_partitions($1::timestamptz, $2::timestamptz)', [
      from.toISOString(),
      to.toISOString(),
    ]),
  );
  await serviceQuery(
    app.db,
    `insert into tocsin.reading (channel_key, device_time, server_time, value)
     select c.key, t, t, ${value} from tocsin.asset_datapoint d
     join tocsin.sensor_channel c on c.uuid = d.tocsin_sensor_channel_uuid
     cross join generate_series($2::timestamptz, $3::timestamptz, make_interval(secs => $4)) t
     where d.uuid = $1`,
    [datapoint, from.toISOString(), to.toISOString(), everySeconds],
  );
}

/** Opens a window whose clock shows the plant's time. */
export function openAtPlantTime(app: ConsoleApp, path: string, options: VisitOptions): Promise<Page> {
  return app.visit(path, { ...options, time: app.clock.now() });
}
