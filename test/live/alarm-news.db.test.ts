import { afterAll, beforeAll, expect, test } from 'vitest';
import { disposeTestDatabases } from '../harness/database/database.ts';
import { createSite, serviceQuery } from '../harness/database/factories.ts';
import { type Staff, startTestApp, type TestApp } from '../harness/server/app.ts';
import { openLivePage } from '../harness/server/live.ts';

let app: TestApp;
let staff: Staff;
let strangers: Staff;
beforeAll(async () => {
  app = await startTestApp();
  staff = await app.staff();
  strangers = await app.staff();
});
afterAll(async () => {
  await app.close();
  await disposeTestDatabases();
});

const query = 'subscription { alarmNews { count company } }';

test('a page is notified at once of every change of its customer’s alarms only', async () => {
  const owner = await app.browser(staff.owner);
  const page = openLivePage(app, owner, { query });
  const foreign = openLivePage(app, await app.browser(strangers.owner), { query });
  await expect.poll(() => [page.events.length, foreign.events.length]).toEqual([1, 1]);
  const site = await createSite(app.db, { customer: staff.customer });
  const { createAlarm } = await owner.data(
    'mutation ($alarm: AlarmInput!) { createAlarm(input: { alarm: $alarm }) { alarm { uuid } } }',
    { alarm: { message: 'Fence broken', tocsinSiteUuid: site.uuid, dateTime: app.clock.now().toISOString() } },
  );
  await expect.poll(() => page.events.length).toBe(2);
  await owner.data('mutation ($uuid: UUID!) { resolveAlarm(input: { uuid: $uuid }) { result { uuid } } }', {
    uuid: createAlarm.alarm.uuid,
  });
  await expect.poll(() => page.events.length).toBeGreaterThan(2);
  expect(foreign.events.length).toBe(1);
  page.close();
  foreign.close();
});

test('a page is notified of a new time zone of its company, but not of a new SMS price or of other companies', async () => {
  const owner = await app.browser(staff.owner);
  const page = openLivePage(app, owner, { query });
  const foreign = openLivePage(app, await app.browser(strangers.owner), { query });
  await expect.poll(() => [page.events.length, foreign.events.length]).toEqual([1, 1]);
  const change = (patch: object) =>
    owner.data(
      'mutation ($uuid: UUID!, $patch: CustomerPatch!) { updateCustomer(input: { uuid: $uuid, patch: $patch }) { clientMutationId } }',
      { uuid: staff.customer.uuid, patch },
    );
  await owner.data('mutation { setSmsPrice(input: { price: 0.05, currency: "EUR" }) { clientMutationId } }');
  await change({ timeZone: 'Asia/Tokyo' });
  await expect.poll(() => page.events.length).toBeGreaterThan(1);
  expect(page.events).toMatchObject([
    { count: 1, company: 1 },
    { count: 2, company: 2 },
  ]);
  expect(foreign.events.length).toBe(1);
  page.close();
  foreign.close();
});

test('the subscription ends with the session', async () => {
  const page = openLivePage(app, await app.browser(staff.operator), { query });
  await expect.poll(() => page.events.length).toBe(1);
  await serviceQuery(app.db, 'delete from tocsin_private.session where user_uuid = $1', [staff.operator.uuid]);
  await app.subscriptions?.check();
  expect((await page.ended).error).toMatchObject({ code: 4403 });
});
