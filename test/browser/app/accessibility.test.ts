import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, startConsole, troubles } from '../../harness/browser/console.ts';
import { goTo } from '../../harness/browser/settled.ts';
import { createSite, createUser, insertRow, serviceQuery, type UserRow } from '../../harness/database/factories.ts';
import { createSensor } from '../../harness/device/devices.ts';
import { isLong } from '../../harness/long.ts';
import { expectGoodColours, expectGoodLooks, expectUsualLooks } from '../support/accessible.ts';
import { inWindow } from '../support/admin.ts';
import { fillHistory } from '../support/rule-plant.ts';

let app: ConsoleApp;
let visitor: Page;
let owner: Page;
/** Addresses of the pages that show one record, keyed by the kind of record. */
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

/** Creates one record of every kind that has a page or form, with alarms, readings and changes. */
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

type Look = typeof expectGoodLooks;

/** Calls `look` for each item and reports all failures at the end. */
async function forEach<T>(all: readonly T[], nameOf: (one: T) => string, look: (one: T) => Promise<void>) {
  const wrong: string[] = [];
  for (const one of all)
    await look(one).catch((reason: unknown) =>
      wrong.push(`${nameOf(one)}: ${reason instanceof Error ? reason.message : reason}`),
    );
  expect(wrong).toEqual([]);
}

/** Checks the tabs of a form. The list behind the form is checked by another test. */
async function lookAtParts(name: string | RegExp, first: Look, look: Look): Promise<void> {
  await panel(name).getByRole('button', { name: 'Save' }).waitFor();
  await first(owner, '[data-panel]');
  const parts = await panel(name).getByRole('tab').all();
  // Other tabs of a form that uses only shared components are checked only in the long run.
  for (const tab of isLong || look !== expectUsualLooks ? parts.slice(1) : []) {
    await tab.click();
    await look(owner, '[data-panel]');
  }
}

// Each page is checked on a wide screen in the light theme and on a phone in the dark theme.
test('pages of sign-in and errors are accessible', async () => {
  const paths = ['/auth/login', '/auth/forgot', '/auth/activation', '/auth/verify', '/error/4xx', '/error/5xx'];
  await forEach(paths, String, async (path) => {
    await goTo(visitor, path);
    expect(new URL(visitor.url()).pathname).toBe(path);
    await expectGoodLooks(visitor);
  });
});

// Pages and their titles. An empty title stands for the name of the customer. The report tests check the report pages
// again with more data.
const pages: [path: string, title: string, look: Look][] = [
  ['/dashboard', '', expectGoodLooks],
  ['/dashboard/alarms', 'Alarms', expectGoodLooks],
  ['/reports/health', 'Health report', expectGoodLooks],
  ['/reports/sms', 'SMS report', expectUsualLooks],
  ['/reports/acknowledgements', 'Acknowledgement report', expectUsualLooks],
  ['/reports/delivery', 'Delivery report', expectGoodColours],
  ['/admin/sites', 'Sites', expectGoodLooks],
  ['/admin/sensors', 'Sensor List', expectGoodColours],
  ['/admin/sensor-log', 'Sensor-log', expectGoodColours],
  ['/admin/sensor-command', 'Sensor-Command', expectUsualLooks],
  ['/admin/assets', 'Assets', expectUsualLooks],
  ['/admin/datapoints', 'Data Points', expectUsualLooks],
  ['/admin/rules', 'Rules & Alerts', expectUsualLooks],
  ['/admin/maintenance', 'Maintenance', expectUsualLooks],
  ['/admin/groups', 'Groups', expectUsualLooks],
  ['/admin/users', 'Users', expectGoodColours],
  ['/admin/alarm-default-message', 'Alarm Default Message', expectUsualLooks],
  ['/admin/audits', 'Audit Trail', expectGoodColours],
  ['/admin/channels', 'Senders', expectGoodColours],
  ['/admin/destinations', 'Destinations', expectGoodColours],
  ['/admin/company', 'Company', expectGoodLooks],
  ['/admin/system', 'System', expectGoodLooks],
];

describe('signed-in users in the same window', () => {
  beforeAll(async () => {
    await app.leave(visitor);
    owner = await app.open('/error/4xx', { as: app.people.owner, time: app.clock.now() });
  });

  test.each(['/dashboard', '/reports', '/admin'])('pages of %s are accessible, and have a title', async (area) => {
    const { customer } = app.people;
    await forEach(
      pages.filter(([path]) => path.startsWith(area)),
      ([path]) => path,
      async ([path, title, look]) => {
        await goTo(owner, path);
        expect(owner.url()).toContain(path);
        // The title starts with the number of unacknowledged alarms.
        expect((await owner.title()).replace(/^\(\d\) /, '')).toBe(`${title || customer.name} · Tocsin`);
        // The header and the sidebar are checked only on the first page of each area.
        await look(owner, ['/dashboard', '/admin/sites'].includes(path) ? undefined : 'main');
      },
    );
  });

  test('forms for new records are accessible', async () => {
    const forms: [path: string, look: Look][] = [
      // A separate test below checks the rule editor with an existing rule.
      ['/admin/rules?record=new', expectUsualLooks],
      ['/admin/rules?tab=alerts&record=new', expectGoodColours],
      ['/admin/rules?tab=conditions&record=new', expectGoodLooks],
      ['/admin/rules?tab=reasons&record=new', expectUsualLooks],
      ['/admin/rules?tab=actions&record=new', expectUsualLooks],
      ['/admin/alarm-default-message?record=new', expectUsualLooks],
    ];
    await forEach(
      forms,
      ([path]) => path,
      async ([path, look]) => {
        await goTo(owner, path);
        expect(owner.url()).toContain(path);
        await owner.getByRole('button', { name: 'Save', exact: true }).waitFor();
        const isPanel = (await owner.locator('[data-panel]').count()) > 0;
        await look(owner, isPanel ? '[data-panel]' : 'main');
      },
    );
  });

  test('forms of existing records are accessible in all parts', async () => {
    const forms: { page: string; noun: keyof typeof records; name: string | RegExp; looks: [Look, Look] }[] = [
      { page: 'sites', noun: 'site', name: 'Looked at', looks: [expectGoodLooks, expectGoodColours] },
      { page: 'groups', noun: 'group', name: 'Seen', looks: [expectUsualLooks, expectUsualLooks] },
      { page: 'assets', noun: 'asset', name: /^Asset/, looks: [expectUsualLooks, expectUsualLooks] },
      { page: 'users', noun: 'user', name: 'Looked At', looks: [expectGoodColours, expectUsualLooks] },
    ];
    await forEach(
      forms,
      ({ page }) => page,
      async ({ page, noun, name, looks }) => {
        await goTo(owner, `/admin/${page}?record=${records[noun]}`);
        await lookAtParts(name, ...looks);
      },
    );
  });

  test('the page of a site and a rule with its history are accessible', async () => {
    await goTo(owner, `/admin/sites/${records.site}`);
    await owner.getByRole('heading', { level: 1, name: 'Looked at' }).waitFor();
    await expectGoodLooks(owner, 'main');
    await goTo(owner, `/admin/rules?record=${records.rule}`);
    await owner.getByRole('img', { name: /History in/ }).waitFor();
    await owner.getByText('Alarms per day').waitFor();
    await expectGoodLooks(owner, 'main');
  });

  test('the list of sites keeps search, order and page in the address', async () => {
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
});
