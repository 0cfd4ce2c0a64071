/**
 * The audit trail records every configuration change: the user, the row, and its values before and after. Nobody can
 * change the audit trail.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serviceAccess } from '../../server/access.ts';
import { createUser, insertRow, serviceQuery } from '../harness/database/factories.ts';
import { PASSWORD, type Staff, startTestApp, type TestApp, type TestBrowser } from '../harness/server/app.ts';
import { base64 } from '../harness/server/auth-app.ts';
import { create, done, list, remove, update } from './api.ts';
import { buildStation, highLevel, openAlarm, places, type Station, unique } from './pumps.ts';

let app: TestApp;
let staff: Staff;
let owner: TestBrowser;
let manager: TestBrowser;
let station: Station;

beforeAll(async () => {
  app = await startTestApp();
  staff = await app.staff();
  owner = await app.browser(staff.owner);
  manager = await app.browser(staff.manager);
  station = await buildStation(app.db, staff.customer);
});
afterAll(() => app?.close());

/** Returns the audit entries of one row as the owner sees them, oldest first. */
function trail(uuid: string): Promise<any[]> {
  return list(owner, 'audits', 'action noun tocsinUserUuid userDisplayName before after createdAt', {
    filter: ['AuditFilter', { rowKey: { equalTo: uuid } }],
    orderBy: ['[AuditOrderBy!]', ['CREATED_AT_ASC', 'ID_ASC']],
  });
}

const nouns: Record<string, { values(): Record<string, unknown>; patch: Record<string, unknown>; column: string }> = {
  site: {
    values: () => ({ siteId: unique('A-'), name: 'Weir', tocsinHealthDurationHours: 12 }),
    patch: { tocsinHealthDurationHours: 24 },
    column: 'tocsin_health_duration_hours',
  },
  user: {
    values: () => ({
      username: unique('a'),
      displayName: 'Ann',
      email: `${unique('a')}@plant.example`,
      level: 30,
    }),
    patch: { level: 20 },
    column: 'level',
  },
  rule: {
    values: () => ({ ...places(station), name: 'High', valueUpper: 4.5 }),
    patch: { valueUpper: 5.5 },
    column: 'value_upper',
  },
};

test('names users with rows, even deleted ones, and refuses a manager', async () => {
  const who = { customer: staff.customer, level: 5, displayName: 'Len Leaver', password: PASSWORD };
  const leaver = await createUser(app.db, who);
  const browser = await app.browser(leaver);
  for (const name of ['Sluice', 'Lock']) {
    await done(create(browser, 'site', { siteId: unique('L-'), name, tocsinHealthDurationHours: 12 }));
  }
  await done(create(manager, 'site', { siteId: unique('L-'), name: 'Dam', tocsinHealthDurationHours: 12 }));
  await done(remove(owner, 'user', leaver.uuid));
  const people = await list(owner, 'auditPeople', 'uuid name');
  expect(people.filter(({ uuid }) => uuid === leaver.uuid)).toEqual([{ uuid: leaver.uuid, name: 'Len Leaver' }]);
  expect(people.map(({ uuid }) => uuid)).toContain(staff.manager.uuid);
  expect(new Set(people.map(({ uuid }) => uuid)).size).toBe(people.length);
  expect(await list(manager, 'auditPeople', 'uuid')).toEqual([]);
});

describe.each(Object.entries(nouns))('%s', (noun, { values, patch, column }) => {
  test('records creating, changing and deleting with their user', async () => {
    const sent = values();
    const { uuid } = await done(create(owner, noun, sent));
    app.clock.advance(1000);
    await done(update(manager, noun, uuid, patch));
    app.clock.advance(1000);
    await done(remove(owner, noun, uuid));

    const [created, changed, deleted, ...more] = await trail(uuid);
    expect(more).toEqual([]);
    const [field, value] = Object.entries(patch)[0]!;
    const by = (user: { uuid: string; display_name: string }) => ({
      noun,
      tocsinUserUuid: user.uuid,
      userDisplayName: user.display_name,
    });
    expect(created).toMatchObject({ ...by(staff.owner), action: `${noun}.create`, before: null });
    expect(created.after).toMatchObject({ uuid, [column]: sent[field], tocsin_customer_uuid: staff.customer.uuid });
    expect(changed).toMatchObject({ ...by(staff.manager), action: `${noun}.update` });
    expect(changed.before[column]).toBe(sent[field]);
    expect(changed.after[column]).toBe(value);
    expect(deleted).toMatchObject({ ...by(staff.owner), action: `${noun}.delete`, after: null });
    expect(deleted.before[column]).toBe(value);
    expect(new Date(deleted.createdAt)).toEqual(app.clock.now());
  });

  test('records nothing when saving without a change', async () => {
    const sent = values();
    const { uuid } = await done(create(owner, noun, sent));
    const same = Object.fromEntries(Object.entries(sent).slice(0, 2));
    await done(update(owner, noun, uuid, same));
    expect((await trail(uuid)).map(({ action }) => action)).toEqual([`${noun}.create`]);
  });
});

test('records changes of every configurable noun for its customer', async () => {
  const alert = await done(create(owner, 'ruleAlert', { tocsinSiteUuid: station.site.uuid, tocsinRuleName: 'Level' }));
  const link = { tocsinSiteUuid: station.site.uuid, tocsinUserUuid: staff.operator.uuid };
  const toldBy = { tocsinRuleAlertUuid: alert.uuid, tocsinUserUuid: staff.operator.uuid };
  const reason = await done(create(owner, 'reason', { ruleUuid: alert.uuid, reason: 'Rain' }));
  const made: Record<string, Record<string, unknown>> = {
    group: { level: 2, name: unique('G ') },
    sensor: { uid: unique('AU-'), sensorType: 1 },
    sensorChannel: { tocsinSensorUuid: station.sensor.uuid, name: 'Door', channelNumber: 8 },
    asset: { tocsinSiteUuid: station.site.uuid, name: unique('Pump ') },
    siteUser: link,
    ruleAlertUser: toldBy,
    ruleEscalateUser: toldBy,
    siteReason: { tocsinReasonUuid: reason.uuid, tocsinSiteUuid: station.site.uuid },
    userReason: { tocsinReasonUuid: reason.uuid, ...link },
    alarmDefaultMessage: { message: unique('M ') },
    action: { ...places(station), action: 3, replyCommand: 'STOP' },
    rulesJson: { ruleName: unique('R '), siteId: station.site.site_id, ruleJson: highLevel(station) },
  };
  for (const [noun, values] of Object.entries(made)) {
    const { uuid } = await done(create(owner, noun, values));
    const records = await trail(uuid);
    expect(records.map(({ action, userDisplayName }) => [action, userDisplayName])).toEqual([
      [`${noun.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}.create`, staff.owner.display_name],
    ]);
  }
});

test('records what people do with an alarm, not what the pipeline does', async () => {
  const alarm = await openAlarm(app.db, station, { message: unique('High '), at: '2026-03-02T07:00:00Z' });
  expect(await trail(alarm.uuid)).toEqual([]);
  await done(update(owner, 'alarm', alarm.uuid, { reason: 'Rain' }));
  const [record] = await trail(alarm.uuid);
  expect(record).toMatchObject({ action: 'alarm.update', before: { reason: null }, after: { reason: 'Rain' } });
});

test('records no values and states that the pipeline updates', async () => {
  const { site, datapoint } = station;
  const before = [await trail(site.uuid), await trail(datapoint.uuid)];
  await app.db.transaction(serviceAccess(app.clock), async (tx) => {
    await tx.query('update tocsin.asset_datapoint set latest_value = 3.2, last_updated = $2 where uuid = $1', [
      datapoint.uuid,
      app.clock.now(),
    ]);
    await tx.query(
      'update tocsin.site set site_status = 1, gsm_signal_strength = -70, last_update = $2 where uuid = $1',
      [site.uuid, app.clock.now()],
    );
  });
  expect([await trail(site.uuid), await trail(datapoint.uuid)]).toEqual(before);
});

test('records no passwords, tokens or their hashes', async () => {
  const person = await createUser(app.db, { customer: staff.customer, level: 30, password: PASSWORD });
  const browser = await app.browser(person);
  const password = 'another long password';
  const changed = await browser.auth('changepassword', {
    uuid: person.uuid,
    ppassword: base64(PASSWORD),
    password: base64(password),
    cpassword: base64(password),
    otp: null,
  });
  expect(changed.statusCode).toBe(200);
  await insertRow(app.db, 'tocsin_private.device_token', {
    tocsin_customer_uuid: staff.customer.uuid,
    tocsin_sensor_uuid: station.sensor.uuid,
    token_hash: Buffer.from('hash of a token'),
  });
  const noted = await serviceQuery(
    app.db,
    `select noun from tocsin.audit where noun in ('credential', 'device_token')`,
  );
  expect(new Set(noted.map(({ noun }) => noun))).toEqual(new Set(['credential', 'device_token']));

  const secrets = await serviceQuery<{ secret: string }>(
    app.db,
    `select password_hash as secret from tocsin_private.credential
     union all select encode(token_hash, 'hex') from tocsin_private.device_token
     union all select encode(token_hash, 'hex') from tocsin_private.session
     union all select encode(code_hash, 'hex') from tocsin_private.one_time_code`,
  );
  expect(secrets.length).toBeGreaterThan(4);
  const [{ text }] = (await serviceQuery(app.db, `select string_agg(a::text, ' ') as text from tocsin.audit a`)) as [
    any,
  ];
  for (const { secret } of secrets) expect(text).not.toContain(secret);
  for (const word of ['argon2', 'password_hash', 'token_hash', 'code_hash', PASSWORD, password]) {
    expect(text).not.toContain(word);
  }
});

describe('the audit trail is append-only', () => {
  const attempts = [
    `update tocsin.audit set user_display_name = 'Nobody'`,
    'delete from tocsin.audit',
    'truncate tocsin.audit',
    'truncate tocsin.audit cascade',
  ];

  test.each(attempts)('refuses %s by the server itself', async (statement) => {
    const before = await serviceQuery(app.db, 'select count(*) from tocsin.audit');
    await expect(app.db.transaction(serviceAccess(app.clock), (tx) => tx.query(statement))).rejects.toMatchObject({
      code: '42501',
    });
    expect(await serviceQuery(app.db, 'select count(*) from tocsin.audit')).toEqual(before);
  });

  test.each(attempts)('ignores %s by the role that owns the tables', async (statement) => {
    const before = await serviceQuery(app.db, 'select * from tocsin.audit order by id');
    expect(before.length).toBeGreaterThan(0);
    // Row level security may hide the rows instead of refusing the statement. In either case, the audit trail must stay
    // unchanged.
    await app.db.migration((tx) => tx.query(statement)).catch((error) => expect(error.code).toBe('42501'));
    expect(await serviceQuery(app.db, 'select * from tocsin.audit order by id')).toEqual(before);
  });

  test('refuses writes of a user', async () => {
    const { errors } = await owner.graphql('mutation { createAudit(input: { audit: {} }) { clientMutationId } }');
    expect(errors?.[0]?.message).toMatch(/Cannot query field "createAudit"/);
  });
});
