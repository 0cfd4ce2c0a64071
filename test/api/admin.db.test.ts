/** API calls by managers: concurrent changes, copies of sites, deletions, users and test messages. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createUser, insertRow, linkUser, serviceQuery } from '../harness/database/factories.ts';
import { type Staff, startTestApp, type TestApp, type TestBrowser } from '../harness/server/app.ts';
import { create, done, update } from './api.ts';
import { buildStation, type Station, unique } from './pumps.ts';

let app: TestApp;
let staff: Staff;
let other: Staff;
let manager: TestBrowser;
let operator: TestBrowser;
let station: Station;

beforeAll(async () => {
  app = await startTestApp();
  staff = await app.staff();
  other = await app.staff();
  manager = await app.browser(staff.manager);
  operator = await app.browser(staff.operator);
  station = await buildStation(app.db, staff.customer);
  await linkUser(app.db, staff.operator, station.site);
});
afterAll(() => app?.close());

describe('an outdated change of a record', () => {
  test('is refused, and the first change stays', async () => {
    const group = await done(create(manager, 'group', { level: 2, name: unique('Region ') }, 'uuid updatedAt'));
    app.clock.advance(1000);
    const first = await done(
      update(manager, 'group', group.uuid, { name: unique('North '), updatedAt: group.updatedAt }, 'name updatedAt'),
    );
    app.clock.advance(1000);
    const second = await update(manager, 'group', group.uuid, { name: unique('South '), updatedAt: group.updatedAt });
    expect(second.refusal).toMatchObject({
      code: 'CONFLICT',
      message: 'The record was changed in the meantime. Reload it, then make your change again.',
    });
    const third = await done(
      update(manager, 'group', group.uuid, { name: unique('East '), updatedAt: first.updatedAt }, 'name'),
    );
    expect(third.name).toMatch(/^East/);
  });

  test('is detected by the time of a site’s last change, which frames do not update', async () => {
    const [site] = (
      await manager.data(`{ sites(filter: { uuid: { equalTo: "${station.site.uuid}" } }) { nodes { lastUpdated } } }`)
    ).sites.nodes;
    await serviceQuery(app.db, 'update tocsin.site set last_update = now() where uuid = $1', [station.site.uuid]);
    app.clock.advance(1000);
    const { uuid } = station.site;
    await done(update(manager, 'site', uuid, { description: 'By the river', lastUpdated: site.lastUpdated }));
    const late = await update(manager, 'site', uuid, { description: 'By the road', lastUpdated: site.lastUpdated });
    expect(late.refusal?.code).toBe('CONFLICT');
  });

  test('is not detected if the request omits the time of the last change', async () => {
    const reason = await done(create(manager, 'group', { level: 3, name: unique('District ') }));
    app.clock.advance(1000);
    await done(update(manager, 'group', reason.uuid, { name: unique('Renamed ') }));
  });
});

describe('a copy of a site', () => {
  test('contains everything of the site, with new sensors, and rules that evaluate them', async () => {
    const own = { tocsin_customer_uuid: staff.customer.uuid };
    const { site, asset, datapoint } = station;
    const at = { tocsin_site_uuid: site.uuid, tocsin_asset_uuid: asset.uuid, tocsin_datapoint_uuid: datapoint.uuid };
    await insertRow(app.db, 'tocsin.rule', { ...own, ...at, name: 'Level high', value_upper: 4.5, debounce: 60 });
    const alert = await insertRow(app.db, 'tocsin.rule_alert', {
      ...own,
      tocsin_site_uuid: site.uuid,
      tocsin_rule_name: 'Level high',
      escalate_minutes: 5,
    });
    const member = { ...own, tocsin_rule_alert_uuid: alert.uuid, tocsin_user_uuid: staff.operator.uuid };
    await insertRow(app.db, 'tocsin.rule_alert_user', member);
    await insertRow(app.db, 'tocsin.rule_escalate_user', member);
    await insertRow(app.db, 'tocsin.reason', { ...own, rule_uuid: alert.uuid, reason: 'Storm', is_nuisance: true });
    const json = {
      conditions: { all: [{ fact: datapoint.uuid, operator: 'greaterThan', value: 3 }] },
      event: { type: 'alarm' },
    };
    await insertRow(app.db, 'tocsin.rules_json', {
      ...own,
      rule_name: 'Both',
      site_id: site.site_id,
      rule_json: JSON.stringify(json),
    });
    const copy = await manager.data(
      `mutation ($uuid: UUID!, $siteId: String!, $name: String!) {
        copySite(input: { uuid: $uuid, siteId: $siteId, name: $name }) { site { uuid name siteId
          assets { nodes { name assetDatapoints { nodes { uuid tocsinDatapointName latestValue status sensor { uid } } } } }
          ruleAlerts { nodes { tocsinRuleName escalateMinutes reasons { nodes { reason isNuisance } }
            ruleAlertUsers { nodes { tocsinUserUuid } } ruleEscalateUsers { nodes { tocsinUserUuid } } } }
          siteUsers { nodes { tocsinUserUuid } }
        } } }`,
      { uuid: site.uuid, siteId: 'NEW-1', name: 'New station' },
    );
    const made = copy.copySite.site;
    const [madeAsset] = made.assets.nodes;
    expect(madeAsset.name).toBe(asset.name);
    const [madePoint] = madeAsset.assetDatapoints.nodes;
    expect(madePoint).toMatchObject({ latestValue: null, status: 0, sensor: { uid: 'NEW-1-1' } });
    expect(made.ruleAlerts.nodes[0]).toMatchObject({ tocsinRuleName: 'Level high', escalateMinutes: 5 });
    expect(made.ruleAlerts.nodes[0].reasons.nodes).toEqual([{ reason: 'Storm', isNuisance: true }]);
    expect(made.siteUsers.nodes).toEqual([{ tocsinUserUuid: staff.operator.uuid }]);
    const rules = await serviceQuery(
      app.db,
      'select name, debounce, tocsin_datapoint_uuid from tocsin.rule where tocsin_site_uuid = $1',
      [made.uuid],
    );
    expect(rules).toEqual([{ name: 'Level high', debounce: 60, tocsin_datapoint_uuid: madePoint.uuid }]);
    const [conditions] = await serviceQuery(app.db, `select rule_json from tocsin.rules_json where site_id = 'NEW-1'`);
    expect(conditions.rule_json).toContain(madePoint.uuid);
  });

  test('is refused if the ID is taken, and leaves nothing behind', async () => {
    const before = await serviceQuery(app.db, 'select count(*)::int as n from tocsin.sensor');
    const answer = await manager.graphql(
      `mutation { copySite(input: { uuid: "${station.site.uuid}", siteId: "${station.site.site_id}", name: "Twice" }) { site { uuid } } }`,
    );
    expect(answer.errors?.[0]).toMatchObject({ message: 'Another site has this ID. Choose another ID.' });
    expect(await serviceQuery(app.db, 'select count(*)::int as n from tocsin.sensor')).toEqual(before);
  });

  test('is refused for an operator and for another customer’s site', async () => {
    const stranger = await app.browser(other.manager);
    for (const browser of [operator, stranger]) {
      const answer = await browser.graphql(
        `mutation { copySite(input: { uuid: "${station.site.uuid}", siteId: "${unique('X-')}", name: "Mine" }) { site { uuid } } }`,
      );
      expect(answer.errors?.[0]?.message).toBe('The record was deleted, or you are not allowed to change it.');
    }
  });
});

test('lists what a deletion removes and what it keeps', async () => {
  const place = await buildStation(app.db, staff.customer);
  const own = { tocsin_customer_uuid: staff.customer.uuid };
  const at = {
    tocsin_site_uuid: place.site.uuid,
    tocsin_asset_uuid: place.asset.uuid,
    tocsin_datapoint_uuid: place.datapoint.uuid,
  };
  const rule = await insertRow(app.db, 'tocsin.rule', { ...own, ...at, name: 'High', value_upper: 1 });
  const ask = async (browser: TestBrowser, noun: string, uuid: string) => {
    const data = await browser.data(
      `{ deletionEffects(noun: "${noun}", uuid: "${uuid}") { nodes { noun rows stays } } }`,
    );
    return Object.fromEntries(data.deletionEffects.nodes.map((row: any) => [row.noun, row.rows]));
  };
  expect(await ask(manager, 'site', place.site.uuid)).toEqual({ asset: 1, asset_datapoint: 1, rule: 1 });
  expect(await ask(manager, 'sensor', place.sensor.uuid)).toEqual({ sensor_channel: 1, asset_datapoint: 1, rule: 1 });
  expect(await ask(manager, 'asset_datapoint', place.datapoint.uuid)).toEqual({ rule: 1 });
  expect(await ask(manager, 'group', place.office.uuid)).toEqual({ site: 1 });
  expect(await ask(await app.browser(other.manager), 'site', place.site.uuid)).toEqual({});
  // Deleting a data point resolves the alarms of its rules. Alarms that a person reported stay open.
  for (const source of ['limits', 'person']) {
    await insertRow(app.db, 'tocsin.alarm', {
      ...{ ...own, ...at, source, site_name: place.site.name, severity: 'minor', message: `By ${source}` },
      date_time: app.clock.now().toISOString(),
    });
  }
  expect(await ask(manager, 'asset_datapoint', place.datapoint.uuid)).toEqual({ rule: 1, alarm: 2, open_alarm: 1 });
  expect(await ask(manager, 'site', place.site.uuid)).toMatchObject({ alarm: 2, open_alarm: 2 });
  // Deleting a rule keeps its rule alert, so that a new rule with the same name can use it.
  expect(await ask(manager, 'rule', rule.uuid)).toEqual({});
  await insertRow(app.db, 'tocsin.rule_alert', { ...own, tocsin_site_uuid: place.site.uuid, tocsin_rule_name: 'High' });
  expect(await ask(manager, 'rule', rule.uuid)).toEqual({ kept_rule_alert: 1 });
  expect(await ask(manager, 'asset_datapoint', place.datapoint.uuid)).toMatchObject({ kept_rule_alert: 1 });
  expect(await ask(manager, 'site', place.site.uuid)).toMatchObject({ rule_alert: 1 });
});

describe('users', () => {
  const invite = (browser: TestBrowser, uuid: string) =>
    browser.graphql(`mutation { resendInvitation(input: { tocsinUserUuid: "${uuid}" }) { invited } }`);

  test('get a new password link at most once a minute, and only from people who manage them', async () => {
    const invited = await createUser(app.db, { customer: staff.customer, level: 30 });
    expect((await invite(manager, invited.uuid)).data.resendInvitation.invited).toBe(true);
    expect((await invite(manager, invited.uuid)).errors?.[0]?.message).toMatch(/less than a minute ago/);
    app.clock.advance(61_000);
    expect((await invite(manager, invited.uuid)).errors).toBeUndefined();
    expect((await invite(manager, staff.operator.uuid)).data.resendInvitation.invited).toBe(true);
    expect((await invite(manager, staff.operator.uuid)).errors?.[0]?.message).toMatch(/less than a minute ago/);
    expect(
      (await invite(manager, staff.manager.uuid)).errors?.[0]?.message,
      'a user cannot send a link to themself',
    ).toMatch(/record was deleted, or you are not allowed to change it/);
    for (const browser of [operator, await app.browser(other.manager)]) {
      expect((await invite(browser, invited.uuid)).errors?.[0]?.message).toMatch(
        /record was deleted, or you are not allowed to change it/,
      );
    }
    expect((await invite(manager, staff.owner.uuid)).errors?.[0]?.message).toMatch(
      /record was deleted, or you are not allowed to change it/,
    );
  });

  test('have each request for a link in the audit trail, and a second request within a minute is refused even after the mail was sent', async () => {
    const person = await createUser(app.db, { customer: staff.customer, level: 30, displayName: 'Otto Operator' });
    expect((await invite(manager, person.uuid)).errors).toBeUndefined();
    await app.engine?.tick();
    expect((await invite(manager, person.uuid)).errors?.[0]?.message).toMatch(/less than a minute ago/);
    const { audits } = await (await app.browser(staff.owner)).data(
      `{ audits(filter: { rowKey: { equalTo: "${person.uuid}" }, noun: { equalTo: "password_link" } }) {
        nodes { action tocsinUserUuid userDisplayName before after } } }`,
    );
    expect(audits.nodes).toEqual([
      {
        action: 'password_link.request',
        tocsinUserUuid: staff.manager.uuid,
        userDisplayName: staff.manager.display_name,
        before: null,
        after: { display_name: 'Otto Operator', email: person.email },
      },
    ]);
    app.clock.advance(61_000);
    expect((await invite(manager, person.uuid)).errors).toBeUndefined();
  });

  test('let a manager see and end their sessions if their level number is higher', async () => {
    const guest = await createUser(app.db, { customer: staff.customer, level: 40, password: 'a long enough password' });
    const browser = await app.browser(guest);
    const sessions = `{ userSessions(tocsinUserUuid: "${guest.uuid}") { nodes { createdAt lastSeenAt address } } }`;
    expect((await manager.data(sessions)).userSessions.nodes).toHaveLength(1);
    expect((await browser.data(sessions)).userSessions.nodes).toHaveLength(1);
    expect((await operator.graphql(sessions)).errors?.[0]?.message).toMatch(
      /record was deleted, or you are not allowed to change it/,
    );
    const end = (uuid: string) => `mutation { endUserSessions(input: { tocsinUserUuid: "${uuid}" }) { endedCount } }`;
    expect((await manager.graphql(end(staff.owner.uuid))).errors?.[0]?.message).toMatch(
      /record was deleted, or you are not allowed to change it/,
    );
    expect((await manager.data(end(guest.uuid))).endUserSessions.endedCount).toBe(1);
    expect((await browser.graphql('{ sites { totalCount } }')).status).toBe(401);
  });

  test('sends a test message like any notification, with a rate limit', async () => {
    const send = (method: number) =>
      manager.graphql(
        `mutation { sendTestMessage(input: { tocsinUserUuid: "${staff.operator.uuid}", methodType: ${method} }) { notificationUuid } }`,
      );
    const { data } = await send(1);
    await app.engine?.tick();
    const [sent] = await serviceQuery(
      app.db,
      'select state, provider, kind, message_type from tocsin.notification where uuid = $1',
      [data.sendTestMessage.notificationUuid],
    );
    expect(sent).toEqual({ state: 'sent', provider: 'outbox', kind: 'other', message_type: 4 });
    expect((await send(3)).errors?.[0]?.message).toBe('The profile has no phone number. Add one on the Users page.');
    for (let count = 0; count < 4; count += 1) await send(1);
    expect((await send(1)).errors?.[0]?.message).toMatch(/At most five test messages/);
    const states = (await manager.data('{ senderStates { nodes { methodType name isConfigured sentOn } } }'))
      .senderStates.nodes;
    expect(states.map(({ methodType, name }: any) => [methodType, name])).toEqual([
      [1, 'outbox'],
      [2, 'outbox'],
      [3, 'outbox'],
      [4, 'outbox'],
    ]);
    // A message in the outbox does not count as sent.
    expect(states[0].sentOn).toBeNull();
    // The state of the current sender does not count messages that a different sender accepted.
    await serviceQuery(
      app.db,
      `update tocsin.notification set provider = 'email', sent_at = notify_time, provider_answer = 'Taken' where uuid = $1`,
      [data.sendTestMessage.notificationUuid],
    );
    const later = await manager.data('{ senderStates { nodes { sentOn failedOn } } }');
    expect(later.senderStates.nodes[0]).toEqual({ sentOn: null, failedOn: null });
    // The list shows the most recent error, even if it concerns an older message.
    const failed = '2026-01-02T05:00:00+00:00';
    await serviceQuery(
      app.db,
      `update tocsin.notification set provider = 'outbox', state = 'failed', failed_at = $2, provider_answer = 'Refused by receipt',
         notify_time = $2::timestamptz - interval '3 hours' where uuid = $1`,
      [data.sendTestMessage.notificationUuid, failed],
    );
    await serviceQuery(
      app.db,
      `update tocsin.notification set provider = 'outbox', state = 'failed', failed_at = $2::timestamptz - interval '1 hour',
         provider_answer = 'Refused at once', notify_time = $2::timestamptz - interval '1 hour'
       where tocsin_user_uuid = $3 and kind = 'other' and uuid <> $1`,
      [data.sendTestMessage.notificationUuid, failed, staff.operator.uuid],
    );
    const errors = (await manager.data('{ senderStates { nodes { failedOn problem } } }')).senderStates.nodes;
    expect(new Date(errors[0].failedOn)).toEqual(new Date(failed));
    expect(errors[0].problem).toBe('Refused by receipt');
    expect((await operator.data('{ senderStates { nodes { name } } }')).senderStates.nodes).toEqual([]);
  });
});
