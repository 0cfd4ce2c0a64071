/** The queries about the plant, its people and its rules in section 7 of the specification. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createUser, insertRow, linkUser, serviceQuery } from '../harness/database/factories.ts';
import { type Staff, startTestApp, type TestApp, type TestBrowser } from '../harness/server/app.ts';
import { create, done, list } from './api.ts';
import { buildStation, places, type Station, unique } from './pumps.ts';

let app: TestApp;
let staff: Staff;
let owner: TestBrowser;
let operator: TestBrowser;
let hill: Station;
let quay: Station;
let stranger: Station;

beforeAll(async () => {
  app = await startTestApp();
  staff = await app.staff();
  hill = await buildStation(app.db, staff.customer, { name: 'Hill' });
  quay = await buildStation(app.db, staff.customer, { name: 'Quay' });
  stranger = await buildStation(app.db, (await app.staff()).customer, { name: 'Elsewhere' });
  await linkUser(app.db, staff.operator, quay.site);
  owner = await app.browser(staff.owner);
  operator = await app.browser(staff.operator);
});
afterAll(() => app?.close());

const equalTo = (value: unknown) => ({ equalTo: value });

test('returns a customer’s sites in the requested order, and none of other customers', async () => {
  const of = (customer: string) =>
    owner.data(
      `query ($c: UUID!) { sites(filter: { tocsinCustomerUuid: { equalTo: $c } }, orderBy: NAME_DESC) { totalCount nodes { name customer { name } } } }`,
      { c: customer },
    );
  const name = staff.customer.name;
  expect((await of(staff.customer.uuid)).sites).toEqual({
    totalCount: 2,
    nodes: [
      { name: 'Quay', customer: { name } },
      { name: 'Hill', customer: { name } },
    ],
  });
  expect((await of(stranger.site.tocsin_customer_uuid)).sites).toEqual({ totalCount: 0, nodes: [] });
});

test('returns the sites to which a user is linked', async () => {
  const query = `query ($u: UUID!) { siteUsers(filter: { tocsinUserUuid: { equalTo: $u } }) { nodes { tocsinSiteUuid site { name } } } }`;
  const expected = [{ tocsinSiteUuid: quay.site.uuid, site: { name: 'Quay' } }];
  expect((await owner.data(query, { u: staff.operator.uuid })).siteUsers.nodes).toEqual(expected);
  expect((await operator.data(query, { u: staff.operator.uuid })).siteUsers.nodes).toEqual(expected);
  expect(await list(operator, 'sites', 'name')).toEqual([{ name: 'Quay' }]);
});

test('finds a single site by its uuid, and not another customer’s', async () => {
  const query = 'query ($uuid: UUID!) { site(uuid: $uuid) { name siteId group5 { name } tocsinHealthDurationHours } }';
  expect((await owner.data(query, { uuid: hill.site.uuid })).site).toEqual({
    name: 'Hill',
    siteId: hill.site.site_id,
    group5: { name: hill.office.name },
    tocsinHealthDurationHours: 24,
  });
  expect((await owner.data(query, { uuid: stranger.site.uuid })).site).toBeNull();
});

test('returns groups by level, and the customer’s own list with the customer first, as level 1', async () => {
  await done(create(owner, 'group', { level: 2, name: 'North' }));
  const byLevel = await list(owner, 'groups', 'name level status', {
    filter: ['GroupFilter', { level: equalTo(2) }],
  });
  expect(byLevel).toEqual([{ name: 'North', level: 2, status: true }]);
  const all = await list(owner, 'customerGroups', 'uuid name level status');
  expect(all[0]).toEqual({ uuid: staff.customer.uuid, name: staff.customer.name, level: 1, status: true });
  expect(all.map(({ level }) => level)).toEqual([1, 2, 5, 5]);
});

test('returns assets by site and customer, or by site alone', async () => {
  const bySite = { tocsinSiteUuid: equalTo(hill.site.uuid) };
  const fields = 'name status tocsinCustomerUuid';
  const expected = [{ name: hill.asset.name, status: true, tocsinCustomerUuid: staff.customer.uuid }];
  expect(await list(owner, 'assets', fields, { filter: ['AssetFilter', bySite] })).toEqual(expected);
  const both = { ...bySite, tocsinCustomerUuid: equalTo(staff.customer.uuid) };
  expect(await list(owner, 'assets', fields, { filter: ['AssetFilter', both] })).toEqual(expected);
});

test('returns all sensors, or those of a customer and type', async () => {
  const digital = await done(create(owner, 'sensor', { uid: unique('DI-'), sensorType: 1 }, 'uid'));
  const all = await list(owner, 'sensors', 'uid sensorType status');
  expect(all.map(({ uid }) => uid).sort()).toEqual([digital.uid, hill.sensor.uid, quay.sensor.uid].sort());
  const filter = { tocsinCustomerUuid: equalTo(staff.customer.uuid), sensorType: equalTo(1) };
  expect(await list(owner, 'sensors', 'uid', { filter: ['SensorFilter', filter] })).toEqual([{ uid: digital.uid }]);
});

test('returns the channels of a sensor in the order of their numbers', async () => {
  const sensor = await done(create(owner, 'sensor', { uid: unique('MX-'), sensorType: 1 }));
  for (const channelNumber of [7, 2, 11]) {
    await done(create(owner, 'sensorChannel', { tocsinSensorUuid: sensor.uuid, name: 'Door', channelNumber }));
  }
  const channels = await list(owner, 'sensorChannels', 'channelNumber', {
    filter: ['SensorChannelFilter', { tocsinSensorUuid: equalTo(sensor.uuid) }],
    orderBy: ['[SensorChannelOrderBy!]', ['CHANNEL_NUMBER_ASC']],
  });
  expect(channels.map(({ channelNumber }) => channelNumber)).toEqual([2, 7, 11]);
  expect((await list(owner, 'sensorChannels', 'uuid')).length).toBeGreaterThanOrEqual(5);
});

test('returns all data points, or those of an asset', async () => {
  const all = await list(owner, 'assetDatapoints', 'uuid');
  expect(all.map(({ uuid }) => uuid).sort()).toEqual([hill.datapoint.uuid, quay.datapoint.uuid].sort());
  const byAsset = await list(owner, 'assetDatapoints', 'uuid uom status latestValue sensor { uid }', {
    filter: ['AssetDatapointFilter', { tocsinAssetUuid: equalTo(hill.asset.uuid) }],
  });
  expect(byAsset).toEqual([
    { uuid: hill.datapoint.uuid, uom: 'm', status: 0, latestValue: null, sensor: { uid: hill.sensor.uid } },
  ]);
});

test('returns the users of a customer, or those above a level except one', async () => {
  const byCustomer = await list(owner, 'users', 'uuid', {
    filter: ['UserFilter', { tocsinCustomerUuid: equalTo(staff.customer.uuid) }],
  });
  const { manager, operator: worker, partner } = staff;
  expect(byCustomer.map(({ uuid }) => uuid).sort()).toEqual(
    [staff.owner, manager, worker, partner].map(({ uuid }) => uuid).sort(),
  );
  const above = await list(owner, 'users', 'uuid level', {
    filter: ['UserFilter', { level: { greaterThan: 0 }, uuid: { notEqualTo: manager.uuid } }],
    orderBy: ['[UserOrderBy!]', ['LEVEL_ASC']],
  });
  expect(above).toEqual([
    { uuid: partner.uuid, level: 5 },
    { uuid: worker.uuid, level: 20 },
  ]);
});

test('returns audits oldest first, with their user', async () => {
  const names = [unique('Group '), unique('Group ')];
  for (const name of names) {
    await done(create(owner, 'group', { level: 3, name }));
    app.clock.advance(1000);
  }
  const audits = await list(owner, 'audits', 'action createdAt updatedAt userDisplayName after', {
    orderBy: ['[AuditOrderBy!]', ['CREATED_AT_ASC']],
  });
  const times = audits.map(({ createdAt }) => Date.parse(createdAt));
  expect(times).toEqual([...times].sort((a, b) => a - b));
  const mine = audits.filter(({ after }) => names.includes(after?.name));
  expect(mine.map(({ after }) => after.name)).toEqual(names);
  expect(mine[0]).toMatchObject({ action: 'group.create', userDisplayName: staff.owner.display_name });
});

test('returns reasons by rule, and the reasons of a site or user by their links', async () => {
  const rule = await done(create(owner, 'ruleAlert', { tocsinSiteUuid: hill.site.uuid, tocsinRuleName: 'High level' }));
  const other = await done(create(owner, 'ruleAlert', { tocsinSiteUuid: hill.site.uuid, tocsinRuleName: 'Low level' }));
  const pump = await done(create(owner, 'reason', { ruleUuid: rule.uuid, reason: 'Pump repaired' }));
  await done(create(owner, 'reason', { ruleUuid: other.uuid, reason: 'False alarm' }));
  const byRule = await list(owner, 'reasons', 'uuid reason', {
    filter: ['ReasonFilter', { ruleUuid: equalTo(rule.uuid) }],
  });
  expect(byRule).toEqual([{ uuid: pump.uuid, reason: 'Pump repaired' }]);
  const byWords = { reason: { includesInsensitive: 'pump rep' } };
  expect(await list(owner, 'reasons', 'uuid', { filter: ['ReasonFilter', byWords] })).toEqual([{ uuid: pump.uuid }]);

  const link = { tocsinReasonUuid: pump.uuid, tocsinSiteUuid: hill.site.uuid };
  await done(create(owner, 'siteReason', link));
  await done(create(owner, 'userReason', { ...link, tocsinUserUuid: staff.operator.uuid }));
  const ofSite = { tocsinSiteUuid: equalTo(hill.site.uuid) };
  expect(await list(owner, 'siteReasons', 'reason { reason }', { filter: ['SiteReasonFilter', ofSite] })).toEqual([
    { reason: { reason: 'Pump repaired' } },
  ]);
  const ofUser = { ...ofSite, tocsinUserUuid: equalTo(staff.operator.uuid) };
  expect(
    await list(owner, 'userReasons', 'reason { reason } user { displayName }', {
      filter: ['UserReasonFilter', ofUser],
    }),
  ).toEqual([{ reason: { reason: 'Pump repaired' }, user: { displayName: staff.operator.display_name } }]);
});

test('returns a site’s health, GSM and assets with data points and channels', async () => {
  await serviceQuery(
    app.db,
    `update tocsin.site set gsm_provider = 'Three', gsm_signal_strength = -71, tocsin_health_duration_hours = 6 where uuid = $1`,
    [quay.site.uuid],
  );
  const { site } = await operator.data(
    `query ($uuid: UUID!) { site(uuid: $uuid) {
       tocsinHealthDurationHours gsmProvider gsmSignalStrength
       assets { nodes { name assetDatapoints(orderBy: TOCSIN_ASSET_DATAPOINT_ORDER_ASC) { nodes {
         uuid sensorChannel { name channelNumber channelAlarmCondition } } } } } } }`,
    { uuid: quay.site.uuid },
  );
  const sensorChannel = { name: 'Level', channelNumber: 1, channelAlarmCondition: 2 };
  expect(site).toEqual({
    tocsinHealthDurationHours: 6,
    gsmProvider: 'Three',
    gsmSignalStrength: -71,
    assets: {
      nodes: [{ name: quay.asset.name, assetDatapoints: { nodes: [{ uuid: quay.datapoint.uuid, sensorChannel }] } }],
    },
  });
});

test('returns all rules, or those of an asset, data point and site', async () => {
  const high = await done(create(owner, 'rule', { ...places(hill), name: 'High', valueUpper: 4.5, debounce: 30 }));
  const low = await done(create(owner, 'rule', { ...places(quay), name: 'Low', valueLower: 0.5 }));
  const all = await list(owner, 'rules', 'uuid');
  expect(all.map(({ uuid }) => uuid).sort()).toEqual([high.uuid, low.uuid].sort());
  const { tocsinSiteUuid, tocsinAssetUuid, tocsinDatapointUuid } = places(hill);
  const filter = {
    tocsinSiteUuid: equalTo(tocsinSiteUuid),
    tocsinAssetUuid: equalTo(tocsinAssetUuid),
    tocsinDatapointUuid: equalTo(tocsinDatapointUuid),
  };
  const fields = 'name valueLower valueUpper debounce datapoint { uom }';
  expect(await list(owner, 'rules', fields, { filter: ['RuleFilter', filter] })).toEqual([
    { name: 'High', valueLower: null, valueUpper: 4.5, debounce: 30, datapoint: { uom: 'm' } },
  ]);
});

test('returns rule alerts as a list and by uuid, with alert users, escalate users and reasons', async () => {
  const colleague = await createUser(app.db, { customer: staff.customer, level: 30, displayName: 'Night shift' });
  const alert = await done(create(owner, 'ruleAlert', { tocsinSiteUuid: quay.site.uuid, tocsinRuleName: 'Flood' }));
  const ofAlert = { tocsinRuleAlertUuid: alert.uuid };
  const told = { ...ofAlert, tocsinUserUuid: staff.operator.uuid, isResolve: true };
  await done(create(owner, 'ruleAlertUser', told));
  await done(create(owner, 'ruleEscalateUser', { ...ofAlert, tocsinUserUuid: colleague.uuid }));
  await done(create(owner, 'reason', { ruleUuid: alert.uuid, reason: 'Rain' }));

  const fields = `tocsinRuleName indAck site { name } reasons { nodes { reason } }
    ruleAlertUsers { nodes { tocsinUserUuid isAlert isResolve isHealth } }
    ruleEscalateUsers { nodes { user { displayName } } }`;
  const expected = {
    tocsinRuleName: 'Flood',
    indAck: true,
    site: { name: 'Quay' },
    reasons: { nodes: [{ reason: 'Rain' }] },
    ruleAlertUsers: {
      nodes: [{ tocsinUserUuid: staff.operator.uuid, isAlert: true, isResolve: true, isHealth: false }],
    },
    ruleEscalateUsers: { nodes: [{ user: { displayName: 'Night shift' } }] },
  };
  const byId = await owner.data(`query ($uuid: UUID!) { ruleAlert(uuid: $uuid) { ${fields} } }`, { uuid: alert.uuid });
  expect(byId.ruleAlert).toEqual(expected);
  const listed = await list(owner, 'ruleAlerts', fields, {
    filter: ['RuleAlertFilter', { tocsinSiteUuid: equalTo(quay.site.uuid) }],
  });
  expect(listed).toEqual([expected]);
  for (const name of [staff.operator.display_name, 'night SHIFT']) {
    const joined = { tocsinSiteUuid: equalTo(quay.site.uuid), people: { includesInsensitive: name } };
    const found = await list(owner, 'ruleAlerts', 'uuid', { filter: ['RuleAlertFilter', joined] });
    expect(found, name).toEqual([{ uuid: alert.uuid }]);
  }
  const nobody = { people: { includesInsensitive: 'Day shift' } };
  expect(await list(owner, 'ruleAlerts', 'uuid', { filter: ['RuleAlertFilter', nobody] })).toEqual([]);

  const filter = { tocsinRuleAlertUuid: equalTo(alert.uuid) };
  expect(await list(owner, 'ruleAlertUsers', 'isResolve', { filter: ['RuleAlertUserFilter', filter] })).toEqual([
    { isResolve: true },
  ]);
  expect(
    await list(owner, 'ruleEscalateUsers', 'tocsinUserUuid', { filter: ['RuleEscalateUserFilter', filter] }),
  ).toEqual([{ tocsinUserUuid: colleague.uuid }]);
});

test('returns default messages and the actions of an asset', async () => {
  await done(create(owner, 'alarmDefaultMessage', { message: '{site}: {datapoint} is {value}' }));
  expect(await list(owner, 'alarmDefaultMessages', 'message')).toEqual([{ message: '{site}: {datapoint} is {value}' }]);
  await insertRow(app.db, 'tocsin.action', {
    tocsin_customer_uuid: staff.customer.uuid,
    tocsin_site_uuid: quay.site.uuid,
    tocsin_asset_uuid: quay.asset.uuid,
    action: 3,
    reply_command: 'STOP',
  });
  await done(create(owner, 'action', { ...places(hill), action: 1, notifyTo: staff.manager.uuid, escalate: true }));
  const filter = { tocsinAssetUuid: equalTo(hill.asset.uuid) };
  const fields = 'action acknowledge escalate notifyTo tocsinUsers';
  expect(await list(owner, 'actions', fields, { filter: ['ActionFilter', filter] })).toEqual([
    { action: 1, acknowledge: false, escalate: true, notifyTo: staff.manager.uuid, tocsinUsers: '' },
  ]);
});

test('returns only users with a higher level number to a manager', async () => {
  const manager = await app.browser(staff.manager);
  const below = await createUser(app.db, { customer: staff.customer, level: 6 });
  const uuids = (await list(manager, 'users', 'uuid')).map(({ uuid }) => uuid);
  expect(uuids).toContain(below.uuid);
  expect(uuids).not.toContain(staff.manager.uuid);
  const { users } = await manager.data('{ users { totalCount nodes { level } } }');
  expect(users.totalCount).toBe(users.nodes.length);
  const { user } = await manager.data('query ($uuid: UUID!) { user(uuid: $uuid) { uuid } }', {
    uuid: staff.manager.uuid,
  });
  expect(user.uuid).toBe(staff.manager.uuid);
});
