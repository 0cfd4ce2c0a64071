/** Mutations that report, acknowledge and resolve alarms. Each alarm can be acknowledged and resolved only once. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createUser, linkUser, serviceQuery } from '../harness/database/factories.ts';
import { type Staff, startTestApp, type TestApp, type TestBrowser } from '../harness/server/app.ts';
import { create, done, missing, remove, update } from './api.ts';
import { buildStation, openAlarm, type Station, unique } from './pumps.ts';

let app: TestApp;
let staff: Staff;
let owner: TestBrowser;
let operator: TestBrowser;
let station: Station;

beforeAll(async () => {
  app = await startTestApp();
  staff = await app.staff();
  // Refusals show times in the customer's time zone, here UTC+5:45.
  await serviceQuery(app.db, `update tocsin.customer set time_zone = 'Asia/Kathmandu' where uuid = $1`, [
    staff.customer.uuid,
  ]);
  station = await buildStation(app.db, staff.customer);
  await linkUser(app.db, staff.operator, station.site);
  owner = await app.browser(staff.owner);
  operator = await app.browser(staff.operator);
});
afterAll(() => app?.close());

const fresh = () => openAlarm(app.db, station, { message: unique('Level high '), at: '2026-03-02T07:00:00Z' });
const acknowledgement = 'reason acknowledgeText acknowledgeJson acknowledgedBy acknowledgingUser { displayName }';

test('an alarm is reported for a site, with the server’s time and the site’s name', async () => {
  const values = { tocsinSiteUuid: station.site.uuid, message: unique('Smoke ') };
  const fields = 'uuid dateTime createdAt siteName resolvedDate reason acknowledgeJson severity';
  const alarm = await done(create(operator, 'alarm', values, fields));
  expect(alarm).toMatchObject({
    siteName: station.site.name,
    resolvedDate: null,
    reason: null,
    acknowledgeJson: null,
    severity: 'major',
  });
  expect(new Date(alarm.dateTime)).toEqual(app.clock.now());
  expect(new Date(alarm.createdAt)).toEqual(app.clock.now());
});

test('one call can report an alarm that is already acknowledged and resolved', async () => {
  const alarm = await done(
    create(
      owner,
      'alarm',
      {
        tocsinSiteUuid: station.site.uuid,
        message: unique('Door '),
        dateTime: '2026-03-02T06:00:00Z',
        reason: 'Cleaning',
        acknowledgeText: 'Key returned',
        resolvedDate: '2026-03-02T06:30:00Z',
      },
      `resolvedDate ${acknowledgement}`,
    ),
  );
  expect(new Date(alarm.resolvedDate)).toEqual(new Date('2026-03-02T06:30:00Z'));
  expect(alarm).toMatchObject({
    reason: 'Cleaning',
    acknowledgeText: 'Key returned',
    acknowledgedBy: staff.owner.uuid,
  });
});

test('acknowledging stores who, when, the reason, the note and the method', async () => {
  const { uuid } = await fresh();
  const alarm = await done(
    update(operator, 'alarm', uuid, { reason: 'Pump repaired', acknowledgeText: 'Fuse' }, acknowledgement),
  );
  const name = staff.operator.display_name;
  expect(alarm).toMatchObject({ acknowledgedBy: staff.operator.uuid, acknowledgingUser: { displayName: name } });
  const { at, ...rest } = alarm.acknowledgeJson;
  expect(rest).toEqual({
    by: staff.operator.uuid,
    name,
    reason: 'Pump repaired',
    text: 'Fuse',
    channel: 'console',
  });
  expect(new Date(at)).toEqual(app.clock.now());
});

test('refuses a second acknowledgement and names the first', async () => {
  const { uuid } = await fresh();
  await done(update(operator, 'alarm', uuid, { reason: 'Rain' }));
  const first = `${staff.operator.display_name} acknowledged this alarm first, on 2026-03-02 13:45.`;
  for (const patch of [{ reason: 'Repair' }, { reason: null }, { reason: 'Rain', acknowledgeText: 'Me too' }]) {
    expect((await update(owner, 'alarm', uuid, patch)).refusal).toEqual({
      code: 'BAD_USER_INPUT',
      field: 'reason',
      message: first,
    });
  }
  const { alarm } = await owner.data(`query ($uuid: UUID!) { alarm(uuid: $uuid) { ${acknowledgement} } }`, { uuid });
  expect(alarm).toMatchObject({ reason: 'Rain', acknowledgeText: null, acknowledgedBy: staff.operator.uuid });
});

test('accepts one of two simultaneous acknowledgements', async () => {
  const { uuid } = await fresh();
  const outcomes = await Promise.all([
    update(owner, 'alarm', uuid, { reason: 'Rain' }),
    update(operator, 'alarm', uuid, { reason: 'Repair' }),
  ]);
  expect(outcomes.filter(({ row }) => row)).toHaveLength(1);
  expect(outcomes.find(({ refusal }) => refusal)?.refusal?.message).toMatch(/ acknowledged this alarm first/);
});

test('acknowledging needs a reason', async () => {
  const { uuid } = await fresh();
  for (const patch of [{ acknowledgeText: 'Seen' }, { reason: ' ' }]) {
    expect((await update(operator, 'alarm', uuid, patch)).refusal).toMatchObject({
      field: 'reason',
      message: 'Choose a reason to acknowledge the alarm.',
    });
  }
});

test('resolves an alarm once, neither before its start nor in the future; a resolved alarm can still be acknowledged', async () => {
  const { uuid } = await fresh();
  const resolve = (resolvedDate: string | null) => update(operator, 'alarm', uuid, { resolvedDate }, 'resolvedDate');
  expect((await resolve('2026-03-02T06:59:59Z')).refusal).toMatchObject({
    field: 'resolvedDate',
    message: 'The resolution time is before the start of the alarm. Enter a later time.',
  });
  expect((await resolve('2026-03-03T08:00:00Z')).refusal).toMatchObject({
    field: 'resolvedDate',
    message: 'The resolution time is in the future. Enter an earlier time.',
  });
  expect(new Date((await resolve('2026-03-02T07:30:00Z')).row.resolvedDate)).toEqual(new Date('2026-03-02T07:30:00Z'));
  for (const again of ['2026-03-02T07:45:00Z', null]) {
    expect((await resolve(again)).refusal).toMatchObject({
      field: 'resolvedDate',
      message: 'This alarm was already resolved on 2026-03-02 13:15.',
    });
  }
  expect(await done(update(operator, 'alarm', uuid, { reason: 'Rain' }, 'reason'))).toEqual({ reason: 'Rain' });
});

test('allows one open alarm per message and site, and the next one after it is resolved', async () => {
  const values = { tocsinSiteUuid: station.site.uuid, message: unique('Power ') };
  const first = await done(create(owner, 'alarm', values));
  expect((await create(owner, 'alarm', values)).refusal).toEqual({
    code: 'CONFLICT',
    field: 'message',
    message: 'An alarm with this message is already open at the site. Acknowledge it, or enter another message.',
  });
  await done(update(owner, 'alarm', first.uuid, { resolvedDate: app.clock.now().toISOString() }));
  await done(create(owner, 'alarm', values));
});

test('lets an operator handle alarms of linked sites only, and a service account none', async () => {
  const elsewhere = await buildStation(app.db, staff.customer);
  const alarm = await openAlarm(app.db, elsewhere, { message: 'Level high', at: '2026-03-02T07:00:00Z' });
  expect((await update(operator, 'alarm', alarm.uuid, { reason: 'Rain' })).refusal).toEqual(missing);
  const report = { tocsinSiteUuid: elsewhere.site.uuid, message: 'Smoke' };
  const noSite = {
    code: 'BAD_USER_INPUT',
    field: 'tocsinSiteUuid',
    message: 'This site does not exist. Choose another.',
  };
  expect((await create(operator, 'alarm', report)).refusal).toEqual(noSite);
  const nowhere = { ...report, tocsinSiteUuid: '00000000-0000-4000-8000-000000000000' };
  for (const browser of [operator, owner]) expect((await create(browser, 'alarm', nowhere)).refusal).toEqual(noSite);
  const partner = await app.browser(staff.partner);
  expect((await update(partner, 'alarm', alarm.uuid, { reason: 'Rain' })).refusal).toEqual(missing);
  expect((await create(partner, 'alarm', report)).refusal).toMatchObject({ code: 'FORBIDDEN' });
});

test('keeps the acknowledgement when its user is deleted', async () => {
  const leaver = await createUser(app.db, {
    customer: staff.customer,
    level: 40,
    displayName: 'Leaver',
    password: 'a long enough password',
  });
  await linkUser(app.db, leaver, station.site);
  const { uuid } = await fresh();
  await done(update(await app.browser(leaver), 'alarm', uuid, { reason: 'Rain' }));
  await done(remove(owner, 'user', leaver.uuid));
  const { alarm } = await owner.data(`query ($uuid: UUID!) { alarm(uuid: $uuid) { ${acknowledgement} } }`, { uuid });
  expect(alarm).toMatchObject({ reason: 'Rain', acknowledgedBy: null, acknowledgeJson: { name: 'Leaver' } });
});

test('a deletion includes dependent rows and keeps history', async () => {
  const doomed = await buildStation(app.db, staff.customer);
  const alarm = await done(
    create(owner, 'alarm', { tocsinSiteUuid: doomed.site.uuid, message: 'Level high', reason: 'Rain' }),
  );
  await done(remove(owner, 'site', doomed.site.uuid));
  expect(
    (await owner.data('query ($u: UUID!) { asset(uuid: $u) { uuid } }', { u: doomed.asset.uuid })).asset,
  ).toBeNull();
  const query = 'query ($u: UUID!) { alarm(uuid: $u) { siteName site { uuid } reason } }';
  expect((await owner.data(query, { u: alarm.uuid })).alarm).toEqual({
    siteName: doomed.site.name,
    site: null,
    reason: 'Rain',
  });
});

test('createAlarm with resolvedDate a moment ago and no dateTime succeeds', async () => {
  const resolvedDate = new Date(app.clock.now().getTime() - 800).toISOString();
  const alarm = await done(
    create(
      owner,
      'alarm',
      { tocsinSiteUuid: station.site.uuid, message: 'Found closed', resolvedDate },
      'dateTime resolvedDate',
    ),
  );
  expect(Date.parse(alarm.dateTime)).toBe(Date.parse(alarm.resolvedDate));
});
