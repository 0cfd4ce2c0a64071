import { afterAll, beforeAll, expect, test } from 'vitest';
import { SESSION_CHECK_MS } from '../../server/graphql/websocket.ts';
import { disposeTestDatabases } from '../harness/database/database.ts';
import { linkUser, serviceQuery } from '../harness/database/factories.ts';
import { createSensor, type TestSensor } from '../harness/device/devices.ts';
import { type Staff, startTestApp, type TestApp, type TestBrowser } from '../harness/server/app.ts';
import { openLivePage } from '../harness/server/live.ts';

let app: TestApp;
let staff: Staff;
let owner: TestBrowser;
let sensor: TestSensor;
let other: TestSensor;

beforeAll(async () => {
  app = await startTestApp();
  staff = await app.staff();
  owner = await app.browser(staff.owner);
  sensor = await createSensor(app.db, { customer: staff.customer });
  other = await createSensor(app.db, { customer: staff.customer });
});
afterAll(async () => {
  await app.close();
  await disposeTestDatabases();
});

async function speak(from: TestSensor, value: number): Promise<void> {
  app.clock.advance(1000);
  const answer = await fetch(`${app.url.replace('localhost', '127.0.0.1')}/api/v1/ingest/${from.uid}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${from.token}` },
    body: `1=${value}`,
  });
  expect(answer.status).toBe(200);
}

const valuesOf = (
  page: { events: { datapoints: { datapointUuid: string; value: number | null }[] }[] },
  of: TestSensor,
) =>
  page.events
    .flatMap(({ datapoints }) => datapoints)
    .filter(({ datapointUuid }) => datapointUuid === of.channels[0]?.datapointUuid)
    .map(({ value }) => value);

test('sends the present values first, then changes and states', async () => {
  await speak(sensor, 1);
  await app.gateway?.pipeline.behind.flush();
  const page = openLivePage(app, owner, { siteUuids: [sensor.site.uuid] });
  await expect.poll(() => valuesOf(page, sensor)).toEqual([1]);
  expect(page.events[0]?.sites).toMatchObject([{ siteUuid: sensor.site.uuid, status: 1 }]);
  await speak(sensor, 2);
  await expect.poll(() => valuesOf(page, sensor)).toContain(2);
  await speak(other, 9);
  await app.gateway?.pipeline.behind.flush();
  await serviceQuery(app.db, 'update tocsin.site set tocsin_health_duration_hours = 1 where uuid = $1', [
    sensor.site.uuid,
  ]);
  app.clock.advance(3_600_000);
  await app.engine?.tick();
  await expect.poll(() => page.events.flatMap(({ sites }) => sites).at(-1)?.status).toBe(3);
  expect(valuesOf(page, other), 'a site without a subscription').toEqual([]);
  page.close();
});

test('sends nothing for an unknown site', async () => {
  const page = openLivePage(app, owner, { siteUuids: ['00000000-0000-4000-8000-000000000000'] });
  await expect.poll(() => page.events).toEqual([{ sites: [], datapoints: [] }]);
  page.close();
});

test('sends current values after a reconnect', async () => {
  const first = openLivePage(app, owner, { siteUuids: [sensor.site.uuid] });
  await expect.poll(() => first.events.length).toBeGreaterThan(0);
  first.close();
  await speak(sensor, 41);
  await speak(sensor, 42);
  await app.gateway?.pipeline.behind.flush();
  const second = openLivePage(app, owner, { siteUuids: [sensor.site.uuid] });
  await expect.poll(() => valuesOf(second, sensor)).toEqual([42]);
  second.close();
});

test('sends only what the user is allowed to see: linked sites, their customer, and nothing for the service account', async () => {
  const strangers = await app.staff();
  await linkUser(app.db, staff.operator, sensor.site);
  const pages = {
    owner: openLivePage(app, owner),
    operator: openLivePage(app, await app.browser(staff.operator)),
    partner: openLivePage(app, await app.browser(staff.partner)),
    stranger: openLivePage(app, await app.browser(strangers.owner), { siteUuids: [sensor.site.uuid] }),
  };
  await expect.poll(() => pages.owner.events.length && pages.operator.events.length).toBeTruthy();
  await speak(sensor, 51);
  await speak(other, 52);
  await expect
    .poll(() => [valuesOf(pages.owner, sensor), valuesOf(pages.owner, other)].flat())
    .toEqual(expect.arrayContaining([51, 52]));
  await expect.poll(() => valuesOf(pages.operator, sensor)).toContain(51);
  expect(valuesOf(pages.operator, other)).toEqual([]);
  expect(valuesOf(pages.stranger, sensor)).toEqual([]);
  await expect.poll(() => pages.partner.events.flatMap(({ sites }) => sites).length).toBeGreaterThan(0);
  expect(pages.partner.events.flatMap(({ datapoints }) => datapoints)).toEqual([]);
  expect(pages.stranger.events.flatMap(({ sites }) => sites)).toEqual([]);
  for (const page of Object.values(pages)) page.close();
});

test('stops sending a site that the user is no longer linked to, and closes with the session', async () => {
  const operator = await app.browser(staff.operator);
  const page = openLivePage(app, operator);
  await expect.poll(() => page.events.length).toBeGreaterThan(0);
  await serviceQuery(app.db, 'delete from tocsin.site_user where tocsin_user_uuid = $1', [staff.operator.uuid]);
  await app.subscriptions?.check();
  await speak(sensor, 61);
  const watching = openLivePage(app, owner, { siteUuids: [sensor.site.uuid] });
  await expect.poll(() => watching.events.length).toBeGreaterThan(0);
  await speak(sensor, 62);
  await expect.poll(() => valuesOf(watching, sensor)).toContain(62);
  expect(valuesOf(page, sensor)).not.toContain(61);
  expect(valuesOf(page, sensor)).not.toContain(62);
  await operator.post('/api/v1/auth/logout', {});
  await app.subscriptions?.check();
  expect(await page.ended).toMatchObject({ error: { code: 4403 } });
  watching.close();
});

test('refuses connections without a session, from another origin, or for anything but subscriptions', async () => {
  const anonymous = openLivePage(app, await app.browser());
  expect(await anonymous.ended).toHaveProperty('error');
  const foreign = openLivePage(app, owner, { headers: { origin: 'https://evil.example' } });
  expect(await foreign.ended).toHaveProperty('error');
  const query = openLivePage(app, owner, { query: 'query Sites { sites { nodes { uuid } } }' });
  expect(JSON.stringify(await query.ended)).toContain('This endpoint is for subscriptions');
  const introspection = openLivePage(app, owner, { query: 'subscription Plant { __schema { types { name } } }' });
  expect(JSON.stringify(await introspection.ended)).toContain('error');
});

test('checks the sessions of all pages with one query, often enough to disconnect a disabled user within 5 s', async () => {
  expect(SESSION_CHECK_MS * 2).toBeLessThan(5000);
  const people = await app.staff();
  const pages = await Promise.all(
    [people.owner, people.manager, people.operator].map(async (who) => openLivePage(app, await app.browser(who))),
  );
  await expect.poll(() => pages.every(({ events }) => events.length > 0)).toBe(true);
  await serviceQuery(app.db, 'update tocsin.user set status = false where uuid = any ($1)', [
    [people.manager.uuid, people.operator.uuid],
  ]);
  let questions = 0;
  const { pool } = app.db;
  const query = pool.query as (...args: any[]) => any;
  Object.assign(pool, {
    query(this: unknown, ...args: any[]) {
      questions += 1;
      return query.apply(this, args);
    },
  });
  await app.subscriptions?.checkSessions();
  Object.assign(pool, { query });
  expect(questions).toBe(1);
  for (const page of pages.slice(1)) expect(await page.ended).toMatchObject({ error: { code: 4403 } });
  const stillOpen = await Promise.race([pages[0]!.ended, Promise.resolve('open')]);
  expect(stillOpen).toBe('open');
  pages[0]!.close();
});

test('disconnects a disabled user by a timer', async () => {
  const running = await startTestApp({ timers: true });
  try {
    const { operator } = await running.staff();
    const page = openLivePage(running, await running.browser(operator));
    await expect.poll(() => page.events.length).toBeGreaterThan(0);
    await serviceQuery(running.db, 'update tocsin.user set status = false where uuid = $1', [operator.uuid]);
    expect(await page.ended).toMatchObject({ error: { code: 4403 } });
  } finally {
    await running.close();
  }
});

test('applies a changed level after the check of sessions', async () => {
  const people = await app.staff();
  const own = await createSensor(app.db, { customer: people.customer });
  const page = openLivePage(app, await app.browser(people.manager));
  await expect.poll(() => page.events.length).toBeGreaterThan(0);
  await serviceQuery(app.db, 'update tocsin.user set level = 20 where uuid = $1', [people.manager.uuid]);
  await app.subscriptions?.checkSessions();
  const watching = openLivePage(app, await app.browser(people.owner));
  await expect.poll(() => watching.events.length).toBeGreaterThan(0);
  await speak(own, 71);
  await expect.poll(() => valuesOf(watching, own)).toContain(71);
  expect(valuesOf(page, own)).not.toContain(71);
  page.close();
  watching.close();
});
