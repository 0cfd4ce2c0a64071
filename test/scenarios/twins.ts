/**
 * Two identical plants on one database. Several processes serve the first plant, and a single process serves the second
 * plant.
 */
import type { Database } from '../../server/platform/database.ts';
import { createCustomer, createSite, insertRow, serviceQuery } from '../harness/database/factories.ts';
import { createSensor, type TestSensor } from '../harness/device/devices.ts';

export interface Twin {
  siteUuid: string;
  sensors: TestSensor[];
  /** Uuids of three rules: one with limits, one with limits and a debounce, and one with conditions on both sensors. */
  rules: string[];
  /** IDs of the queued commands. */
  commands: number[];
}

let count = 0;

export async function createTwins(db: Database): Promise<[Twin, Twin]> {
  count += 1;
  const name = `Twin ${count}`;
  return [await createTwin(db, name), await createTwin(db, name)];
}

async function createTwin(db: Database, name: string): Promise<Twin> {
  const customer = await createCustomer(db, { timeZone: 'Europe/London' });
  const own = { tocsin_customer_uuid: customer.uuid };
  const site = await createSite(db, { customer, name, siteId: name });
  const sensors: TestSensor[] = [];
  for (const number of [1, 2]) {
    const channels = [{ name: 'First' }, { name: 'Second' }];
    const sensor = await createSensor(db, { customer, site, uid: `${name} ${number}`.replaceAll(' ', '-'), channels });
    // Alarm texts contain the name of the asset, so both twins need the same names.
    await serviceQuery(db, 'update tocsin.asset set name = $2 where uuid = $1', [sensor.assetUuid, `Asset ${number}`]);
    sensors.push(sensor);
  }
  const rules: string[] = [];
  const limits = async (sensor: number, channel: number, columns: object) => {
    const { assetUuid, channels } = sensors[sensor] as TestSensor;
    const { uuid } = await insertRow(db, 'tocsin.rule', {
      ...own,
      tocsin_site_uuid: site.uuid,
      tocsin_asset_uuid: assetUuid,
      tocsin_datapoint_uuid: channels[channel]?.datapointUuid,
      name: `Rule ${rules.length}`,
      value_upper: 100,
      ...columns,
    });
    rules.push(uuid);
  };
  await limits(0, 0, {});
  await limits(0, 1, { debounce: 15, clear_upper: 90 });
  await limits(1, 0, { debounce: 5 });
  const above = (sensor: number, value: number) => {
    return { fact: sensors[sensor]?.channels[0]?.datapointUuid, operator: 'greaterThan', value };
  };
  for (const [index, debounce] of [0, 10].entries()) {
    const { uuid } = await insertRow(db, 'tocsin.rules_json', {
      ...own,
      rule_name: `Conditions ${index}`,
      site_id: name,
      rule_json: JSON.stringify({
        conditions: { all: [above(0, 80), above(1, 80 + index)] },
        event: { type: 'alarm', params: { debounce } },
      }),
    });
    rules.push(uuid);
  }
  return { siteUuid: site.uuid, sensors, rules, commands: [] };
}

/**
 * Returns all results that must be equal for both plants. Replaces uuids with positions, because the uuids of the
 * plants differ.
 */
export async function outcomeOf(db: Database, { siteUuid, sensors, rules, commands }: Twin): Promise<object> {
  const query = (text: string, ...values: unknown[]) => serviceQuery(db, text, values);
  const uuids = sensors.map(({ uuid }) => uuid);
  return {
    transitions: await query(
      `select array_position($1::uuid[], watch_uuid) as rule, from_phase, to_phase, because, at, noticed_at, value
       from tocsin.rule_transition where watch_uuid = any ($1::uuid[]) order by 1, id`,
      rules,
    ),
    alarms: await query(
      `select rule_name, message, severity, date_time, created_at, pending_since, resolved_date, resolved_how, occurrences, value,
         samples, (select json_agg(json_build_object('kind', e.kind, 'at', e.at, 'sentence', e.sentence) order by e.at, e.kind, e.sentence)
           from tocsin.alarm_event e where e.tocsin_alarm_uuid = a.uuid) as timeline
       from tocsin.alarm a where tocsin_site_uuid = $1 order by rule_name, date_time, created_at, resolved_date, value`,
      siteUuid,
    ),
    states: await query(
      `select array_position($1::uuid[], watch_uuid) as rule, phase, since, opened_at, due_at, value
       from tocsin_private.rule_state where watch_uuid = any ($1::uuid[]) order by 1`,
      rules,
    ),
    readings: await query(
      `select array_position($1::uuid[], c.tocsin_sensor_uuid) as sensor, c.channel_number, r.device_time, r.server_time, r.value
       from tocsin.reading r join tocsin.sensor_channel c on c.key = r.channel_key
       where c.tocsin_sensor_uuid = any ($1::uuid[]) order by 1, 2, 3`,
      uuids,
    ),
    datapoints: await query(
      `select array_position($1::uuid[], d.tocsin_sensor_uuid) as sensor, d.tocsin_datapoint_name, d.latest_value, d.last_updated, d.status
       from tocsin.asset_datapoint d where d.tocsin_sensor_uuid = any ($1::uuid[]) order by 1, 2`,
      uuids,
    ),
    site: await query('select site_status from tocsin.site where uuid = $1', siteUuid),
    commands: await query(
      `select array_position($1::bigint[], id) as command, sent_on, delivered_on, attempts, reply
       from tocsin.reply_message where id = any ($1::bigint[]) order by 1`,
      commands,
    ),
  };
}

/**
 * Returns the times of last contact of a plant's sensors and site. A killed process can lose these times if the frames
 * contained no new reading.
 */
export function contactsOf(db: Database, { siteUuid, sensors }: Twin): Promise<object[]> {
  return serviceQuery(
    db,
    `select last_contact as at from tocsin.sensor where uuid = any ($1::uuid[])
     union all select last_update from tocsin.site where uuid = $2 order by 1`,
    [sensors.map(({ uuid }) => uuid), siteUuid],
  );
}
