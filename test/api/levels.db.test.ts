/** Permissions of each level for users and plant data. Also tests the checks that apply to every request. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createUser, insertRow, linkUser, serviceQuery, type UserRow } from '../harness/database/factories.ts';
import { PASSWORD, type Staff, startTestApp, type TestApp, type TestBrowser } from '../harness/server/app.ts';
import { create, done, forbidden, list, missing, outcome, remove, update } from './api.ts';
import { buildStation, openAlarm, places, type Station, unique } from './pumps.ts';

let app: TestApp;
let staff: Staff;
let owner: TestBrowser;
let manager: TestBrowser;
let operator: TestBrowser;
let partner: TestBrowser;
let linked: Station;
let unlinked: Station;

beforeAll(async () => {
  app = await startTestApp();
  staff = await app.staff();
  linked = await buildStation(app.db, staff.customer);
  unlinked = await buildStation(app.db, staff.customer);
  await linkUser(app.db, staff.operator, linked.site);
  owner = await app.browser(staff.owner);
  manager = await app.browser(staff.manager);
  operator = await app.browser(staff.operator);
  partner = await app.browser(staff.partner);
});
afterAll(() => app?.close());

const person = (level: number, more: Record<string, unknown> = {}): Promise<UserRow> =>
  createUser(app.db, { customer: staff.customer, level, password: PASSWORD, ...more });
const newcomer = (level: number, more: Record<string, unknown> = {}) => ({
  username: unique('n'),
  displayName: 'Newcomer',
  email: `${unique('n')}@plant.example`,
  level,
  ...more,
});

/**
 * The refusal that a manager of level 5 receives when assigning level 5 or a lower number to a user. It contains the
 * name of the field, so that the form can show the message there.
 */
const notTheirsToGive = {
  code: 'FORBIDDEN',
  field: 'level',
  message: 'Your level is 5. Enter a higher number: you can assign only levels below your own.',
};

describe('people', () => {
  test('a manager lists people with a higher level number, not themself and nobody at or above their level', async () => {
    const peer = await person(5);
    const above = await person(3);
    const below = await person(6);
    const seen = (await list(manager, 'users', 'uuid')).map(({ uuid }) => uuid);
    expect(seen).toEqual(expect.arrayContaining([below.uuid, staff.operator.uuid]));
    for (const hidden of [staff.manager, staff.owner, staff.partner, peer, above])
      expect(seen).not.toContain(hidden.uuid);
  });

  test('records show names of people, even if the account is not visible', async () => {
    const alert = await insertRow(app.db, 'tocsin.rule_alert', {
      tocsin_customer_uuid: staff.customer.uuid,
      tocsin_site_uuid: linked.site.uuid,
      tocsin_rule_name: unique('Named '),
    });
    const named = { tocsin_customer_uuid: staff.customer.uuid, tocsin_rule_alert_uuid: alert.uuid };
    await insertRow(app.db, 'tocsin.rule_alert_user', { ...named, tocsin_user_uuid: staff.owner.uuid });
    const rows = await list(manager, 'ruleAlertUsers', 'tocsinRuleAlertUuid personName user { uuid }');
    expect(rows.find(({ tocsinRuleAlertUuid }) => tocsinRuleAlertUuid === alert.uuid)).toMatchObject({
      personName: staff.owner.display_name,
      user: null,
    });
    const stranger = (await app.staff()).owner;
    const names = (browser: TestBrowser) =>
      list(browser, 'personNames', 'uuid name', { personUuids: ['[UUID]!', [staff.owner.uuid, stranger.uuid]] });
    expect(await names(manager)).toEqual([{ uuid: staff.owner.uuid, name: staff.owner.display_name }]);
    expect(await names(partner)).toEqual([]);
  });

  test('an operator and a service account see only themselves', async () => {
    expect(await list(operator, 'users', 'uuid')).toEqual([{ uuid: staff.operator.uuid }]);
    expect(await list(partner, 'users', 'uuid')).toEqual([{ uuid: staff.partner.uuid }]);
  });

  test('a manager creates people below their level only', async () => {
    expect(await done(create(manager, 'user', newcomer(6), 'level'))).toEqual({ level: 6 });
    for (const level of [5, 4, 0]) {
      expect((await create(manager, 'user', newcomer(level))).refusal).toEqual(notTheirsToGive);
    }
    for (const level of [-1, 1001]) {
      expect((await create(manager, 'user', newcomer(level))).refusal).toEqual({
        code: 'BAD_USER_INPUT',
        field: 'level',
        message: 'Enter a level: a whole number from 0 to 1000.',
      });
    }
  });

  test('a manager changes and deletes people below their level only', async () => {
    const below = await person(40);
    await done(update(manager, 'user', below.uuid, { displayName: 'Renamed' }));
    await done(remove(manager, 'user', below.uuid));
    for (const untouchable of [await person(5), await person(1), staff.owner]) {
      expect((await update(manager, 'user', untouchable.uuid, { displayName: 'X' })).refusal).toEqual(missing);
      expect((await remove(manager, 'user', untouchable.uuid)).refusal).toEqual(missing);
    }
  });

  test('a manager raises nobody to their own level or above', async () => {
    const below = await person(40);
    await done(update(manager, 'user', below.uuid, { level: 6 }));
    for (const level of [5, 0]) {
      expect((await update(manager, 'user', below.uuid, { level })).refusal).toEqual(notTheirsToGive);
    }
    const [row] = await serviceQuery(app.db, 'select level from tocsin.user where uuid = $1', [below.uuid]);
    expect(row.level).toBe(6);
  });

  test('nobody raises, changes or deletes themself', async () => {
    for (const [browser, self] of [
      [owner, staff.owner],
      [manager, staff.manager],
      [operator, staff.operator],
      [partner, staff.partner],
    ] as const) {
      expect((await update(browser, 'user', self.uuid, { level: 0 })).refusal).toEqual(missing);
      expect((await update(browser, 'user', self.uuid, { level: 99 })).refusal).toEqual(missing);
      expect((await remove(browser, 'user', self.uuid)).refusal).toEqual(missing);
    }
  });

  test('operators and service accounts create nobody', async () => {
    expect((await create(operator, 'user', newcomer(500))).refusal).toEqual(forbidden.operator);
    expect((await create(partner, 'user', newcomer(500))).refusal).toEqual(forbidden.partner);
  });

  test('only an owner makes a service account', async () => {
    const account = () => newcomer(8, { tocsinPartnerAccount: true });
    expect((await create(manager, 'user', account())).refusal).toEqual(forbidden.manager);
    const made = await done(create(owner, 'user', account(), 'uuid tocsinPartnerAccount'));
    expect(made.tocsinPartnerAccount).toBe(true);
  });
});

describe('the plant', () => {
  test('an operator sees linked sites and their contents, and changes none of it', async () => {
    await openAlarm(app.db, linked, { message: 'Level high', at: '2026-03-02T07:00:00Z' });
    await openAlarm(app.db, unlinked, { message: 'Level high', at: '2026-03-02T07:00:00Z' });
    const data = await operator.data(`{
      sites { nodes { uuid } } assets { nodes { uuid } } sensors { nodes { uuid } } alarms { nodes { tocsinSiteUuid } }
      assetDatapoints { nodes { uuid } } sensorChannels { nodes { uuid } } }`);
    expect(data).toEqual({
      sites: { nodes: [{ uuid: linked.site.uuid }] },
      assets: { nodes: [{ uuid: linked.asset.uuid }] },
      sensors: { nodes: [{ uuid: linked.sensor.uuid }] },
      alarms: { nodes: [{ tocsinSiteUuid: linked.site.uuid }] },
      assetDatapoints: { nodes: [{ uuid: linked.datapoint.uuid }] },
      sensorChannels: { nodes: [{ uuid: linked.channel.uuid }] },
    });
    expect((await update(operator, 'site', linked.site.uuid, { name: 'Mine' })).refusal).toEqual(missing);
    expect((await remove(operator, 'site', linked.site.uuid)).refusal).toEqual(missing);
    expect((await create(operator, 'site', { siteId: unique('X-'), name: 'Mine' })).refusal).toEqual(
      forbidden.operator,
    );
    const link = { tocsinSiteUuid: unlinked.site.uuid, tocsinUserUuid: staff.operator.uuid };
    expect((await create(operator, 'siteUser', link)).refusal).toEqual(forbidden.operator);
  });

  test('a service account manages sites and sensors, not assets, rules, people or alarms', async () => {
    const site = await done(create(partner, 'site', { siteId: unique('P-'), name: 'By the partner' }));
    await done(update(partner, 'site', site.uuid, { name: 'Renamed' }));
    const sensor = await done(create(partner, 'sensor', { uid: unique('PN-'), sensorType: 1 }));
    await done(create(partner, 'sensorChannel', { tocsinSensorUuid: sensor.uuid, name: 'Door', channelNumber: 1 }));
    const data = await partner.data(
      '{ assets { totalCount } assetDatapoints { totalCount } alarms { totalCount } rules { totalCount } siteUsers { totalCount } }',
    );
    expect(Object.values(data)).toEqual(Array(5).fill({ totalCount: 0 }));
    const asset = { tocsinSiteUuid: site.uuid, name: 'Pump' };
    expect((await create(partner, 'asset', asset)).refusal).toEqual(forbidden.partner);
    expect((await create(partner, 'group', { level: 2, name: unique('G ') })).refusal).toEqual(forbidden.partner);
    await done(remove(partner, 'site', site.uuid));
  });

  test('only owners read the audit trail and the outbox', async () => {
    expect((await list(owner, 'audits', 'id')).length).toBeGreaterThan(0);
    for (const browser of [manager, operator, partner]) {
      expect(await browser.data('{ audits { totalCount } outboxes { totalCount } }')).toEqual({
        audits: { totalCount: 0 },
        outboxes: { totalCount: 0 },
      });
    }
  });

  test('a manager links only people they can see', async () => {
    const peer = await person(5);
    const link = (user: { uuid: string }) =>
      create(manager, 'siteUser', { tocsinSiteUuid: linked.site.uuid, tocsinUserUuid: user.uuid });
    // A user who exists but is hidden causes the same refusal as a user who does not exist.
    for (const somebody of [peer, { uuid: '00000000-0000-4000-8000-000000000000' }]) {
      expect((await link(somebody)).refusal).toEqual({
        code: 'BAD_USER_INPUT',
        field: 'tocsinUserUuid',
        message: 'This person does not exist. Choose another.',
      });
    }
    await done(link(await person(30)));
  });
});

describe('each level, independent of the console', () => {
  const roles = ['owner', 'manager', 'operator', 'partner'] as const;
  type Role = (typeof roles)[number];
  /** Two stations of another customer. The operator is linked only to the first station. */
  let stations: [Station, Station];
  let browsers: Record<Role, TestBrowser>;
  beforeAll(async () => {
    const people = await app.staff();
    const { customer } = people;
    stations = [await buildStation(app.db, customer), await buildStation(app.db, customer)];
    await linkUser(app.db, people.operator, stations[0].site);
    for (const station of stations) {
      await insertRow(app.db, 'tocsin.rule', {
        tocsin_customer_uuid: customer.uuid,
        tocsin_site_uuid: station.site.uuid,
        tocsin_asset_uuid: station.asset.uuid,
        tocsin_datapoint_uuid: station.datapoint.uuid,
        name: unique('Level high '),
        value_upper: 4,
      });
      await openAlarm(app.db, station, { message: 'Level high', at: '2026-03-02T07:00:00Z' });
    }
    browsers = {
      owner: await app.browser(people.owner),
      manager: await app.browser(people.manager),
      operator: await app.browser(people.operator),
      partner: await app.browser(people.partner),
    };
  });

  /** The total count of each list, keyed by list and role. */
  const counts: Record<string, Record<Role, number>> = {
    sites: { owner: 2, manager: 2, operator: 1, partner: 2 },
    sensors: { owner: 2, manager: 2, operator: 1, partner: 2 },
    sensorChannels: { owner: 2, manager: 2, operator: 1, partner: 2 },
    groups: { owner: 2, manager: 2, operator: 1, partner: 2 },
    assets: { owner: 2, manager: 2, operator: 1, partner: 0 },
    assetDatapoints: { owner: 2, manager: 2, operator: 1, partner: 0 },
    rules: { owner: 2, manager: 2, operator: 1, partner: 0 },
    alarms: { owner: 2, manager: 2, operator: 1, partner: 0 },
    siteUsers: { owner: 1, manager: 1, operator: 1, partner: 0 },
    // Owners see all users. Managers see only users with a higher level number. All other users see only themselves.
    users: { owner: 4, manager: 1, operator: 1, partner: 1 },
  };

  test.each(roles)('%s counts only what they can see', async (role) => {
    const fields = Object.keys(counts).map((field) => `${field} { totalCount }`);
    const data = await browsers[role].data(`{ ${fields.join(' ')} }`);
    const wanted = Object.entries(counts).map(([field, of]) => [field, { totalCount: of[role] }]);
    expect(data).toEqual(Object.fromEntries(wanted));
    const { audits } = await browsers[role].data('{ audits { totalCount } }');
    expect(audits.totalCount > 0).toBe(role === 'owner');
  });

  const managers: readonly Role[] = ['owner', 'manager'];
  const maintainers: readonly Role[] = [...managers, 'partner'];
  const first = () => stations[0];
  let channelNumber = 1;
  const newChannel = () =>
    insertRow(app.db, 'tocsin.sensor_channel', {
      tocsin_customer_uuid: first().site.tocsin_customer_uuid,
      tocsin_sensor_uuid: first().sensor.uuid,
      name: 'New',
      channel_number: ++channelNumber,
    });
  /** The records that the "Add" buttons of the admin pages create. Each entry states which roles see the button. */
  const made: Record<
    string,
    [who: readonly Role[], values: () => Record<string, unknown> | Promise<Record<string, unknown>>]
  > = {
    site: [maintainers, () => ({ siteId: unique('NEW-'), name: 'New' })],
    sensor: [maintainers, () => ({ uid: unique('new-'), sensorType: 1 })],
    replyMessage: [maintainers, () => ({ uid: first().sensor.uid, replyCommand: 'REBOOT' })],
    asset: [managers, () => ({ tocsinSiteUuid: first().site.uuid, name: unique('New ') })],
    assetDatapoint: [
      managers,
      async () => ({
        tocsinAssetUuid: first().asset.uuid,
        tocsinSensorUuid: first().sensor.uuid,
        tocsinSensorChannelUuid: (await newChannel()).uuid,
        tocsinDatapointName: 'New',
        sensorType: 2,
      }),
    ],
    rule: [managers, () => ({ ...places(first()), name: unique('New '), valueUpper: 4 })],
    ruleAlert: [managers, () => ({ tocsinSiteUuid: first().site.uuid, tocsinRuleName: unique('New ') })],
    group: [managers, () => ({ level: 3, name: unique('New ') })],
    user: [managers, () => newcomer(40)],
    alarmDefaultMessage: [managers, () => ({ message: unique('{site} ') })],
  };

  // This test runs after the counting tests, because it creates rows.
  test.each(roles)('%s creates what the console offers them, and nothing else', async (role) => {
    for (const [noun, [who, values]] of Object.entries(made)) {
      const id = noun === 'replyMessage' ? 'id' : 'uuid';
      const { refusal } = await create(browsers[role], noun, await values(), id);
      expect(refusal, noun).toEqual(who.includes(role) || role === 'owner' ? undefined : forbidden[role]);
    }
  });

  test.each(roles)('%s handles the alarms of visible sites only', async (role) => {
    const seen = counts.alarms?.[role] ?? 0;
    for (const [index, station] of stations.entries()) {
      const { uuid } = await openAlarm(app.db, station, { message: `Flood of ${role}`, at: '2026-03-02T07:00:00Z' });
      const answer = await browsers[role].graphql(
        `mutation ($uuid: UUID!) {
          acknowledgeAlarm(input: { uuid: $uuid, reason: "On the way" }) { result { uuid } }
          resolveAlarm(input: { uuid: $uuid }) { result { uuid } } }`,
        { uuid },
      );
      const { refusal } = outcome(answer, answer.data?.resolveAlarm?.result);
      expect(refusal?.code).toEqual(index < seen ? undefined : missing.code);
      const [alarm] = await serviceQuery(app.db, 'select resolved_date from tocsin.alarm where uuid = $1', [uuid]);
      expect(alarm.resolved_date !== null).toBe(index < seen);
    }
  });
});

describe('a request', () => {
  const query = { query: '{ sites { totalCount } }' };

  test('needs a session', async () => {
    const response = await (await app.browser()).post('/graphql', query);
    expect(response.statusCode).toBe(401);
    expect(response.json()).toEqual({
      errors: [{ message: 'You are not signed in. Sign in first.', extensions: { code: 'UNAUTHENTICATED' } }],
    });
  });

  test('needs the session’s own XSRF token', async () => {
    const refused = async (headers: Record<string, string>, because = '') => {
      const sentence = `This request could not be matched to your session${because}. Reload the page and try again.`;
      const response = await owner.post('/graphql', query, { xsrf: false, headers });
      expect(response.statusCode).toBe(403);
      expect(response.json()).toEqual({ errors: [{ message: sentence, extensions: { code: 'SESSION_MISMATCH' } }] });
    };
    await refused({}, ': the header X-XSRF-TOKEN with the value of the cookie XSRF-TOKEN is missing');
    await refused({ 'x-xsrf-token': 'nonsense' });
    await refused({ 'x-xsrf-token': manager.cookies.get('XSRF-TOKEN')! });
    expect((await owner.post('/graphql', query)).statusCode).toBe(200);
  });

  test('is refused from a page of another origin', async () => {
    const response = await owner.post('/graphql', query, { headers: { origin: 'https://evil.example' } });
    expect(response.statusCode).toBe(403);
    expect(response.json().errors[0].message).toMatch(/another site/);
  });

  test('fails at once after its user is disabled, demoted or deleted', async () => {
    const [disabled, demoted, deleted] = [await person(8), await person(8), await person(8)];
    const browsers = [await app.browser(disabled), await app.browser(demoted), await app.browser(deleted)] as const;
    for (const browser of browsers) expect((await browser.graphql('{ sites { totalCount } }')).status).toBe(200);
    await done(update(owner, 'user', disabled.uuid, { status: false }));
    await done(update(owner, 'user', demoted.uuid, { level: 50 }));
    await done(remove(owner, 'user', deleted.uuid));
    expect((await browsers[0].post('/graphql', query)).statusCode).toBe(401);
    expect((await browsers[1].data('{ sites { totalCount } }')).sites.totalCount).toBe(0);
    expect((await browsers[2].post('/graphql', query)).statusCode).toBe(401);
    // After the user is enabled again, the old cookie stays invalid.
    await done(update(owner, 'user', disabled.uuid, { status: true }));
    expect((await browsers[0].post('/graphql', query)).statusCode).toBe(401);
  });
});

describe('invitations', () => {
  test('are queued for a new user and sent by the engine', async () => {
    const values = newcomer(30);
    const made = await done(create(owner, 'user', values, 'uuid email varified'));
    expect(made.varified).toBe(false);
    const mails = async () =>
      (await list(owner, 'outboxes', 'address subject body')).filter(({ address }) => address === values.email);
    expect(await mails()).toEqual([]);
    await app.engine!.tick();
    const [mail, ...more] = await mails();
    expect(more).toEqual([]);
    expect(mail.body).toContain(`/auth/activation?uuid=${made.uuid}&code=`);
    await app.engine!.tick();
    expect(await mails()).toHaveLength(1);
  });

  test('ignore a code, password or verified flag of the client', async () => {
    const sent = { otp: '123456', password: 'hunter22222', varified: true };
    const values = newcomer(30, sent);
    const made = await done(create(owner, 'user', values, 'uuid varified'));
    expect(made.varified).toBe(false);
    const patch = { ...sent, displayName: 'Saved again' };
    expect(await done(update(owner, 'user', made.uuid, patch, 'varified'))).toEqual({ varified: false });
    const credentials = 'select from tocsin_private.credential where user_uuid = $1';
    expect(await serviceQuery(app.db, credentials, [made.uuid])).toEqual([]);
    const login = await (await app.browser()).login(values.email, sent.password, {
      tocsin_customer_id: staff.customer.uuid,
    });
    expect(login.statusCode).toBe(401);
    const code = {
      uuid: made.uuid,
      otp: sent.otp,
      password: btoa('another long one'),
      cpassword: btoa('another long one'),
    };
    expect((await (await app.browser()).auth('activate', code)).statusCode).toBeGreaterThanOrEqual(400);
  });

  test('are not sent to a user who is created disabled', async () => {
    const values = newcomer(30, { status: false });
    await done(create(owner, 'user', values));
    await app.engine!.tick();
    const addresses = (await list(owner, 'outboxes', 'address')).map(({ address }) => address);
    expect(addresses).not.toContain(values.email);
  });
});
