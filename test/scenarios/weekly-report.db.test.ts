/**
 * The weekly alarm performance report: queued once for each week, with the rights of the person who subscribed to it.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { weeklyReport } from '../../server/engine/weekly-report.ts';
import { HandClock } from '../../server/platform/clock.ts';
import { silentLog } from '../../server/platform/log.ts';
import { createCustomer, createUser, insertRow, serviceQuery, type UserRow } from '../harness/database/factories.ts';
import { PASSWORD, startTestApp, type TestApp, type TestBrowser } from '../harness/server/app.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
// A Monday before daylight saving time starts in New York and London.
const BEGIN = new Date('2026-03-02T12:00:00Z');

interface Place {
  customer: { uuid: string };
  owner: UserRow;
  browser: TestBrowser;
}

let app: TestApp;
let clock: HandClock;
let london: Place;
let york: Place;
beforeAll(async () => {
  clock = new HandClock(BEGIN);
  app = await startTestApp({ clock });
  london = await place('Europe/London');
  york = await place('America/New_York');
});
afterAll(() => app?.close());
beforeEach(async () => {
  clock.set(BEGIN);
  await serviceQuery(app.db, 'delete from tocsin_private.report_subscription');
  await serviceQuery(app.db, 'delete from tocsin.notification');
  await serviceQuery(app.db, 'update tocsin.user set status = true');
  await serviceQuery(app.db, 'update tocsin.customer set status = 1');
});

async function place(timeZone: string): Promise<Place> {
  const customer = await createCustomer(app.db, { timeZone });
  const owner = await createUser(app.db, { customer, level: 0, password: PASSWORD, varified: true });
  return { customer, owner, browser: await app.browser(owner) };
}

const order = (browser: TestBrowser, weekday: number, hour: number) =>
  browser.graphql(
    `mutation ($weekday: Int!, $hour: Int!) { setWeeklyReport(input: { weekday: $weekday, hour: $hour }) {
       weeklyReport { weekday hour address } } }`,
    { weekday, hour },
  );
const stop = (browser: TestBrowser) => browser.graphql('mutation { endWeeklyReport(input: {}) { ended } }');
const mine = async (browser: TestBrowser) =>
  (await browser.data('{ myWeeklyReport { weekday hour address } }')).myWeeklyReport;

const engine = () => weeklyReport({ db: app.db, clock, log: silentLog, publicUrl: 'https://tocsin.example' });

/**
 * Advances the clock step by step. Runs the engine module of the weekly report after each step, and returns the times
 * at which a mail was queued.
 */
async function pass(ms: number, step = HOUR): Promise<string[]> {
  const before = await queued();
  const end = clock.now().getTime() + ms;
  while (clock.now().getTime() < end) {
    clock.set(new Date(Math.min(end, clock.now().getTime() + step)));
    await engine().tick(clock.now());
  }
  return (await queued()).slice(before.length).map(({ at }) => new Date(at).toISOString());
}

const queued = () =>
  serviceQuery<{ at: Date; address: string; subject: string; text: string }>(
    app.db,
    `select notify_time as at, address, subject, notify_message as text from tocsin.notification where kind = 'other' order by notify_time, address`,
  );

test('the report is queued each week at the local hour, across the changes to and from daylight saving time', async () => {
  await order(london.browser, 1, 8);
  await order(york.browser, 7, 7);
  // The clocks change on 8 March in New York and on 29 March in London.
  expect(await pass(35 * DAY)).toEqual([
    '2026-03-08T11:00:00.000Z',
    '2026-03-09T08:00:00.000Z',
    '2026-03-15T11:00:00.000Z',
    '2026-03-16T08:00:00.000Z',
    '2026-03-22T11:00:00.000Z',
    '2026-03-23T08:00:00.000Z',
    '2026-03-29T11:00:00.000Z',
    '2026-03-30T07:00:00.000Z',
    '2026-04-05T11:00:00.000Z',
    '2026-04-06T07:00:00.000Z',
  ]);
});

test('the report has the figures of the previous seven days with their targets, and a link to the report of these days', async () => {
  const site = await insertRow<{ uuid: string }>(app.db, 'tocsin.site', {
    ...{
      tocsin_customer_uuid: london.customer.uuid,
      site_id: 'P-1',
      name: 'North pump',
      created_at: new Date('2026-01-01'),
    },
  });
  for (const day of ['2026-03-01', '2026-03-02', '2026-03-08', '2026-03-09']) {
    await insertRow(app.db, 'tocsin.alarm', {
      ...{ tocsin_customer_uuid: london.customer.uuid, tocsin_site_uuid: site.uuid, site_name: 'North pump' },
      ...{ rule_uuid: '10000000-0000-4000-8000-000000000001', rule_name: 'High level', message: `High level ${day}` },
      ...{ created_at: new Date(`${day}T06:00:00Z`), date_time: new Date(`${day}T06:00:00Z`) },
    });
  }
  await order(london.browser, 1, 8);
  await pass(8 * DAY);
  const [mail, ...others] = await queued();
  expect(others).toEqual([]);
  expect(mail).toMatchObject({ address: london.owner.email, subject: 'Alarm performance, 2 Mar to 8 Mar 2026' });
  expect(mail?.text).toContain('2 alarms in seven days.');
  expect(mail?.text).toMatch(/Alarms per recipient per day: .*within 150/);
  expect(mail?.text).toContain('- High level, North pump: 2');
  expect(mail?.text).toContain('https://tocsin.example/reports/performance?from=2026-03-02&to=2026-03-08');
});

test('the report is never queued twice, even by several processes at the same time', async () => {
  await order(london.browser, 1, 8);
  clock.set(new Date('2026-03-09T08:00:00Z'));
  await Promise.all(Array.from({ length: 4 }, () => engine().tick(clock.now())));
  await engine().tick(clock.now());
  expect(await queued()).toHaveLength(1);
});

test('the report is sent only once after a downtime of several weeks', async () => {
  await order(london.browser, 1, 8);
  expect(await pass(25 * DAY, 25 * DAY)).toEqual(['2026-03-27T12:00:00.000Z']);
  expect((await queued())[0]?.subject).toBe('Alarm performance, 16 Mar to 22 Mar 2026');
  expect(await pass(DAY)).toEqual([]);
});

test('a new or changed subscription is first due in the future', async () => {
  await order(london.browser, 1, 8);
  expect(await pass(HOUR)).toEqual([]);
  await order(london.browser, 1, 11);
  expect(await pass(HOUR)).toEqual([]);
  expect(await mine(london.browser)).toEqual({ weekday: 1, hour: 11, address: london.owner.email });
  expect(await pass(7 * DAY)).toEqual(['2026-03-09T11:00:00.000Z']);
});

test('disabled users, users of a disabled customer and users who stopped it get nothing', async () => {
  await order(london.browser, 1, 8);
  await order(york.browser, 1, 8);
  await serviceQuery(app.db, 'update tocsin.user set status = false where uuid = $1', [london.owner.uuid]);
  await serviceQuery(app.db, 'update tocsin.customer set status = 0 where uuid = $1', [york.customer.uuid]);
  expect(await pass(8 * DAY)).toEqual([]);
  await serviceQuery(app.db, 'update tocsin.user set status = true');
  await serviceQuery(app.db, 'update tocsin.customer set status = 1');
  // Disabling the users ended their sessions, so they sign in again.
  for (const one of [london, york]) one.browser = await app.browser(one.owner);
  expect((await stop(london.browser)).data.endWeeklyReport.ended).toBe(true);
  await stop(york.browser);
  expect(await mine(london.browser)).toBeNull();
  expect(await pass(8 * DAY)).toEqual([]);
});

test.each([
  [0, 8, 'weekday', 'Choose the weekday of the report, from 1 (Monday) to 7 (Sunday).'],
  [8, 8, 'weekday', 'Choose the weekday of the report, from 1 (Monday) to 7 (Sunday).'],
  [1, 24, 'hour', 'Choose a whole hour from 0 to 23.'],
])('refuses weekday %i and hour %i at the field', async (weekday, hour, field, message) => {
  const { errors } = await order(london.browser, weekday, hour);
  expect(errors?.[0]).toMatchObject({ message, extensions: { code: 'BAD_USER_INPUT', field } });
});

test('the report is refused for operators and partner accounts', async () => {
  const row = london.customer as never;
  const operator = await createUser(app.db, { customer: row, level: 20, password: PASSWORD, varified: true });
  const partner = await createUser(app.db, {
    customer: row,
    level: 0,
    partnerAccount: true,
    password: PASSWORD,
    varified: true,
  });
  for (const person of [operator, partner]) {
    const { errors } = await order(await app.browser(person), 1, 8);
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'FORBIDDEN' });
  }
  expect(await serviceQuery(app.db, 'select 1 from tocsin_private.report_subscription')).toEqual([]);
});
