/** What an outside trial found in the calls of section 7. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Staff, startTestApp, type TestApp, type TestBrowser } from '../harness/app.ts';
import { createUser, insertRow, serviceQuery } from '../harness/factories.ts';
import { create, done, list, update } from './api.ts';
import { buildStation, type Station } from './pumps.ts';

let app: TestApp;
let staff: Staff;
let station: Station;
let owner: TestBrowser;
let manager: TestBrowser;

beforeAll(async () => {
  app = await startTestApp();
  staff = await app.staff();
  station = await buildStation(app.db, staff.customer);
  owner = await app.browser(staff.owner);
  manager = await app.browser(staff.manager);
});
afterAll(() => app?.close());

const site = () => ({ tocsinSiteUuid: station.site.uuid });

describe('mandatory text of blanks alone is refused, whichever blanks they are', () => {
  const attempts: [noun: string, field: string, values: () => Record<string, unknown>][] = [
    ['site', 'name', () => ({ siteId: 'PS-BLANK' })],
    ['site', 'siteId', () => ({ name: 'Station' })],
    ['asset', 'name', site],
    ['group', 'name', () => ({ level: 5 })],
    ['sensorChannel', 'name', () => ({ tocsinSensorUuid: station.sensor.uuid, channelNumber: 9 })],
    [
      'rule',
      'name',
      () => ({
        ...site(),
        tocsinAssetUuid: station.asset.uuid,
        tocsinDatapointUuid: station.datapoint.uuid,
        valueUpper: 5,
      }),
    ],
    ['ruleAlert', 'tocsinRuleName', site],
    ['user', 'displayName', () => ({ username: 'blank', email: 'blank@example.com', level: 20 })],
    ['alarm', 'message', site],
    ['alarmDefaultMessage', 'message', () => ({})],
  ];
  test.each(attempts)('%s.%s', async (noun, field, values) => {
    for (const blanks of [' ', '\t', '\u00a0\u2003', '\u3000']) {
      const { refusal } = await create(owner, noun, { ...values(), [field]: blanks });
      expect(refusal, JSON.stringify(blanks)).toMatchObject({
        code: 'BAD_USER_INPUT',
        field,
        message: 'Enter text, not only spaces.',
      });
    }
  });

  test('text of letters alone is kept', async () => {
    expect(await done(create(owner, 'asset', { ...site(), name: 'vvv' }, 'name'))).toEqual({ name: 'vvv' });
  });

  test('reason.reason', async () => {
    const alert = await done(create(owner, 'ruleAlert', { ...site(), tocsinRuleName: 'With reasons' }));
    const { refusal } = await create(owner, 'reason', { ruleUuid: alert.uuid, reason: '  ' });
    expect(refusal).toMatchObject({ field: 'reason' });
  });

  test('a row from before with blanks can still be changed in its other fields', async () => {
    const asset = await insertRow(app.db, 'tocsin.asset', {
      tocsin_customer_uuid: staff.customer.uuid,
      tocsin_site_uuid: station.site.uuid,
      name: '  ',
    });
    expect(await done(update(owner, 'asset', asset.uuid, { description: 'Old' }, 'description'))).toEqual({
      description: 'Old',
    });
  });
});

test('createAlarm with resolvedDate a moment ago and no dateTime succeeds', async () => {
  const resolvedDate = new Date(app.clock.now().getTime() - 800).toISOString();
  const alarm = await done(
    create(owner, 'alarm', { ...site(), message: 'Found closed', resolvedDate }, 'dateTime resolvedDate'),
  );
  expect(Date.parse(alarm.dateTime)).toBe(Date.parse(alarm.resolvedDate));
});

test('users of a manager are those below them, without the manager', async () => {
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

test("a reason names its rule alert by the rule's uuid", async () => {
  const values = {
    ...site(),
    tocsinAssetUuid: station.asset.uuid,
    tocsinDatapointUuid: station.datapoint.uuid,
    valueUpper: 9,
  };
  const rule = await done(create(owner, 'rule', { ...values, name: 'Level of reasons' }));
  const early = await create(owner, 'reason', { ruleUuid: rule.uuid, reason: 'Too early' });
  expect(early.refusal).toMatchObject({ code: 'BAD_USER_INPUT', field: 'ruleUuid' });
  const alert = await done(create(owner, 'ruleAlert', { ...site(), tocsinRuleName: 'Level of reasons' }));
  const reason = await done(create(owner, 'reason', { ruleUuid: rule.uuid, reason: 'Pump cleaned' }, 'ruleUuid'));
  expect(reason.ruleUuid).toBe(alert.uuid);
  const [count] = await serviceQuery(app.db, 'select count(*)::int as n from tocsin.reason where rule_uuid = $1', [
    alert.uuid,
  ]);
  expect(count.n).toBe(1);
});
