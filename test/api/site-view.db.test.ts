import { afterAll, beforeAll, expect, test } from 'vitest';
import { disposeTestDatabases } from '../harness/database/database.ts';
import {
  createSite,
  insertRow,
  linkUser,
  type SiteRow,
  serviceQuery,
  type UserRow,
} from '../harness/database/factories.ts';
import { createSensor } from '../harness/device/devices.ts';
import { type Staff, startTestApp, type TestApp } from '../harness/server/app.ts';

let app: TestApp;
let staff: Staff;
let site: SiteRow;
const HOUR = 3_600_000;

beforeAll(async () => {
  app = await startTestApp();
  staff = await app.staff();
  site = await createSite(app.db, { customer: staff.customer });
  await linkUser(app.db, staff.operator, site);
});
afterAll(async () => {
  await app.close();
  await disposeTestDatabases();
});

const QUERY = `query ($uuid: UUID!) { site(uuid: $uuid) {
  weekHealth { received expected } people { nodes { name isAlert isHealth escalateAfter } } } }`;

async function asked(by: UserRow, of: SiteRow = site) {
  return (await (await app.browser(by)).data(QUERY, { uuid: of.uuid })).site;
}

async function heard(of: SiteRow, slotStarts: readonly number[]): Promise<void> {
  for (const at of slotStarts)
    await insertRow(app.db, 'tocsin.health_slot', {
      tocsin_site_uuid: of.uuid,
      tocsin_customer_uuid: staff.customer.uuid,
      slot_start: new Date(at).toISOString(),
    });
}

test('the health of a week counts ended slots', async () => {
  const old = await createSite(app.db, { customer: staff.customer });
  const now = Math.floor(app.clock.now().getTime() / HOUR) * HOUR;
  await serviceQuery(
    app.db,
    'update tocsin.site set created_at = $2, tocsin_health_duration_hours = 6 where uuid = $1',
    [old.uuid, new Date(now - 30 * 24 * HOUR).toISOString()],
  );
  const slot = Math.floor(now / (6 * HOUR)) * 6 * HOUR;
  // The site sent data in four slots: the current slot, the slot before it, the first slot of the week, and the last
  // slot before that week.
  await heard(old, [slot, slot - 6 * HOUR, slot - 168 * HOUR, slot - 174 * HOUR]);
  expect((await asked(staff.owner, old)).weekHealth).toEqual({ received: 2, expected: 28 });
});

test('a site is expected to send from its creation on, or from its first data if that is earlier', async () => {
  const made = await createSite(app.db, { customer: staff.customer });
  const now = Math.floor(app.clock.now().getTime() / HOUR) * HOUR;
  await serviceQuery(
    app.db,
    'update tocsin.site set created_at = $2, tocsin_health_duration_hours = 1 where uuid = $1',
    [made.uuid, new Date(now - 5 * HOUR).toISOString()],
  );
  await heard(made, [now - HOUR]);
  expect((await asked(staff.owner, made)).weekHealth).toEqual({ received: 1, expected: 5 });
  await serviceQuery(app.db, 'update tocsin.site set created_at = $2 where uuid = $1', [
    made.uuid,
    new Date(now - 4.5 * HOUR).toISOString(),
  ]);
  expect((await asked(staff.owner, made)).weekHealth).toEqual({ received: 1, expected: 4 });
  await heard(made, [now - 5 * HOUR]);
  expect((await asked(staff.owner, made)).weekHealth).toEqual({ received: 2, expected: 5 });
});

test('names each recipient once to everybody who sees the site, and to nobody else', async () => {
  const own = { tocsin_customer_uuid: staff.customer.uuid };
  const names = [
    ['Level high', 30],
    ['Level low', 10],
  ] as const;
  for (const [name, minutes] of names) {
    const alert = await insertRow(app.db, 'tocsin.rule_alert', {
      ...own,
      tocsin_site_uuid: site.uuid,
      tocsin_rule_name: name,
      escalate_minutes: minutes,
    });
    const link = { ...own, tocsin_rule_alert_uuid: alert.uuid };
    await insertRow(app.db, 'tocsin.rule_alert_user', {
      ...link,
      tocsin_user_uuid: staff.operator.uuid,
      is_alert: true,
    });
    await insertRow(app.db, 'tocsin.rule_escalate_user', { ...link, tocsin_user_uuid: staff.manager.uuid });
  }
  // A rule alert notifies nobody if the site has no rule with the name of this rule alert.
  expect((await asked(staff.owner)).people.nodes).toEqual([]);
  const sensor = await createSensor(app.db, { customer: staff.customer, site, channels: [{ name: 'Level' }] });
  for (const [name] of names)
    await insertRow(app.db, 'tocsin.rule', {
      ...own,
      tocsin_site_uuid: site.uuid,
      tocsin_asset_uuid: sensor.assetUuid,
      tocsin_datapoint_uuid: sensor.channels[0]?.datapointUuid,
      name,
      value_upper: 4,
    });
  const people = [
    { name: staff.operator.display_name, isAlert: true, isHealth: false, escalateAfter: null },
    { name: staff.manager.display_name, isAlert: false, isHealth: false, escalateAfter: 10 },
  ];
  for (const person of [staff.owner, staff.manager, staff.operator])
    expect((await asked(person)).people.nodes, person.display_name).toEqual(people);
  expect((await asked(staff.partner)).people.nodes).toEqual([]);
  // An alarm that needs no acknowledgement is never escalated.
  await serviceQuery(app.db, 'update tocsin.rule_alert set ind_ack = false where escalate_minutes = 10', []);
  expect((await asked(staff.owner)).people.nodes[1]).toMatchObject({ escalateAfter: 30 });
  const strangers = await app.staff();
  expect(await asked(strangers.owner)).toBeNull();
  expect(await asked(strangers.operator)).toBeNull();
  await serviceQuery(app.db, 'delete from tocsin.site_user where tocsin_user_uuid = $1', [staff.operator.uuid]);
  expect(await asked(staff.operator)).toBeNull();
});

test('the lead data point is one outside its limits, else one with a rule, else one about the plant and not the device', async () => {
  const known = await createSite(app.db, { customer: staff.customer });
  const names = ['Battery voltage', 'GSM signal', 'Door', 'Inflow', 'Level'];
  const sensor = await createSensor(app.db, {
    customer: staff.customer,
    site: known,
    channels: names.map((name) => ({ name })),
  });
  await serviceQuery(
    app.db,
    `update tocsin.asset_datapoint set tocsin_asset_datapoint_order = array_position($2::text[], tocsin_datapoint_name),
       sensor_type = case tocsin_datapoint_name when 'Door' then 1 else 2 end where tocsin_sensor_uuid = $1`,
    [sensor.uuid, names],
  );
  const point = (name: string) => sensor.channels[names.indexOf(name)]?.datapointUuid;
  const owner = await app.browser(staff.owner);
  const lead = async () =>
    (
      await owner.data('query ($uuid: UUID!) { site(uuid: $uuid) { leadDatapoint { tocsinDatapointName } } }', {
        uuid: known.uuid,
      })
    ).site.leadDatapoint.tocsinDatapointName;
  const watch = (name: string) =>
    insertRow(app.db, 'tocsin.rule', {
      tocsin_customer_uuid: staff.customer.uuid,
      tocsin_site_uuid: known.uuid,
      tocsin_asset_uuid: sensor.assetUuid,
      tocsin_datapoint_uuid: point(name),
      name: `${name} low`,
      value_lower: 10,
    });
  expect(await lead()).toBe('Inflow');
  await watch('Battery voltage');
  await watch('Level');
  expect(await lead(), 'of two data points with rules, the one about the plant').toBe('Level');
  await serviceQuery(app.db, 'update tocsin.asset_datapoint set latest_value = 9, status = 1 where uuid = $1', [
    point('Battery voltage'),
  ]);
  expect(await lead()).toBe('Battery voltage');
  await serviceQuery(app.db, 'delete from tocsin.asset_datapoint where uuid = any ($1)', [
    [point('Battery voltage'), point('Inflow'), point('Level')],
  ]);
  expect(await lead(), 'a digital data point comes before the signal').toBe('Door');
});
