import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, startConsole, troubles } from '../harness/console.ts';
import { createSensor } from '../harness/devices.ts';
import { createSite, createUser, insertRow, serviceQuery, type UserRow } from '../harness/factories.ts';
import { goTo } from '../harness/settled.ts';
import { expectGoodLooks } from './accessible.ts';
import { inWindow } from './admin.ts';
import { fillHistory } from './rule-plant.ts';

let app: ConsoleApp;
let visitor: Page;
let owner: Page;
/** Where the pages of one thing are. */
const records = {} as Record<'site' | 'group' | 'asset' | 'user' | 'rule', string>;
beforeAll(async () => {
  app = await startConsole();
  await plant();
  visitor = await app.open('/error/4xx', { time: app.clock.now() });
});
afterAll(async () => {
  await app?.close();
  expect(troubles.splice(0)).toEqual([]);
});

/** One of everything that has a page or a form of its own, with alarms, readings and changes to show. */
async function plant(): Promise<void> {
  const { customer } = app.people;
  const own = { tocsin_customer_uuid: customer.uuid };
  const site = await createSite(app.db, { customer, name: 'Looked at', siteId: 'LA-1' });
  const sensor = await createSensor(app.db, { customer, site, channels: [{ name: 'Level' }] });
  await fillHistory(app, sensor, [2, 2, 2, 2, 2, 2, 5, 2, 2, 2, 2, 2]);
  const group = await insertRow(app.db, 'tocsin.group', { ...own, level: 4, name: 'Seen' });
  const user: UserRow = await createUser(app.db, { customer, level: 30, displayName: 'Looked At', varified: false });
  const rule = await insertRow(app.db, 'tocsin.rule', {
    ...own,
    tocsin_site_uuid: site.uuid,
    tocsin_asset_uuid: sensor.assetUuid,
    tocsin_datapoint_uuid: sensor.channels[0]?.datapointUuid,
    name: 'Level high',
    value_upper: 4,
  });
  Object.assign(records, {
    site: site.uuid,
    group: group.uuid,
    asset: sensor.assetUuid,
    user: user.uuid,
    rule: rule.uuid,
  });
  const browser = await app.browser(app.people.owner);
  for (const resolvedDate of [null, '2026-03-02T07:30:00Z'])
    await browser.data('mutation ($alarm: AlarmInput!) { createAlarm(input: { alarm: $alarm }) { alarm { uuid } } }', {
      alarm: {
        message: 'Pump tripped',
        tocsinSiteUuid: site.uuid,
        dateTime: '2026-03-02T07:00:00Z',
        resolvedDate,
      },
    });
  await browser.data(
    'mutation ($uuid: UUID!) { updateSite(input: { uuid: $uuid, patch: { address: "1 Quay" } }) { site { uuid } } }',
    { uuid: site.uuid },
  );
}

const { panel } = inWindow(() => owner);

/** Each part of the form as it comes forward. The list behind it has been looked at by itself. */
async function expectGoodParts(name: string | RegExp): Promise<void> {
  await panel(name).getByRole('button', { name: 'Save' }).waitFor();
  await expectGoodLooks(owner, '[data-panel]');
  for (const tab of (await panel(name).getByRole('tab').all()).slice(1)) {
    await tab.click();
    await expectGoodLooks(owner, '[data-panel]');
  }
}

describe('accessible, without a serious problem, wide and light as well as on a dark phone', () => {
  test.each(['/auth/login', '/auth/forgot', '/auth/activation', '/auth/verify', '/error/4xx', '/error/5xx'])(
    '%s',
    async (path) => {
      await goTo(visitor, path);
      expect(new URL(visitor.url()).pathname).toBe(path);
      await expectGoodLooks(visitor);
    },
  );
});

describe('accessible so for whoever is signed in, in the same window', () => {
  beforeAll(async () => {
    await app.leave(visitor);
    owner = await app.open('/error/4xx', { as: app.people.owner, time: app.clock.now() });
  });

  test.each([
    '/dashboard',
    '/dashboard/alarms',
    // The page of all reports and the one of alarms are looked at where there is much to show: reports-figures.
    '/reports/health',
    '/reports/sms',
    '/reports/acknowledgements',
    '/reports/delivery',
    '/admin/sites',
    '/admin/sensors',
    '/admin/sensor-log',
    '/admin/sensor-command',
    '/admin/assets',
    '/admin/datapoints',
    '/admin/rules',
    '/admin/rules?record=new',
    '/admin/rules?tab=alerts&record=new',
    '/admin/rules?tab=conditions&record=new',
    '/admin/rules?tab=reasons&record=new',
    '/admin/rules?tab=actions&record=new',
    '/admin/groups',
    '/admin/users',
    '/admin/alarm-default-message',
    '/admin/alarm-default-message?record=new',
    '/admin/audits',
    '/admin/channels',
    '/admin/company',
  ])('%s', async (path) => {
    await goTo(owner, path);
    expect(owner.url()).toContain(path);
    const hasForm = path.endsWith('record=new');
    if (hasForm) await owner.getByRole('button', { name: 'Save', exact: true }).waitFor();
    expect(await owner.title()).toMatch(/. · Tocsin$/);
    // What stands around the pages is looked at with the first of an area.
    await expectGoodLooks(owner, hasForm || ['/dashboard', '/admin/sites'].includes(path) ? undefined : 'main');
  });

  test.each([
    ['sites', 'site', 'Looked at'],
    ['groups', 'group', 'Seen'],
    ['assets', 'asset', /^Asset/],
    ['users', 'user', 'Looked At'],
  ] as const)('the form of one of the %s, with each of its parts', async (page, noun, name) => {
    await goTo(owner, `/admin/${page}?record=${records[noun]}`);
    await expectGoodParts(name);
  });

  test('the page of a site', async () => {
    await goTo(owner, `/admin/sites/${records.site}`);
    await owner.getByRole('heading', { level: 1, name: 'Looked at' }).waitFor();
    await expectGoodLooks(owner);
  });

  test('a rule with its history', async () => {
    await goTo(owner, `/admin/rules?record=${records.rule}`);
    await owner.getByRole('img', { name: /History in/ }).waitFor();
    await owner.getByText('Alarms each day').waitFor();
    await expectGoodLooks(owner);
  });
});

test('the list of sites is real: search, order and page are in the address', async () => {
  await serviceQuery(
    app.db,
    `insert into tocsin.site (tocsin_customer_uuid, name, site_id)
     select $1, 'Pump station ' || number, 'PS-' || lpad(number::text, 4, '0') from generate_series(1, 59) number`,
    [app.people.customer.uuid],
  );
  const page = await app.open('/admin/sites', { as: app.people.owner });
  await page.getByText('Pump station 1', { exact: true }).waitFor();
  await page.getByText(/1 to 50 of 60/).waitFor();
  await page.getByRole('button', { name: /next/i }).click();
  await page.getByText(/51 to 60 of 60/).waitFor();
  expect(page.url()).toContain('page=2');
  await page.getByRole('searchbox').or(page.getByPlaceholder(/name/i)).first().fill('station 33');
  await page.getByText(/1 to 1 of 1/).waitFor();
  await page.reload();
  await page.getByText(/1 to 1 of 1/).waitFor();
  await app.leave(page);
});
