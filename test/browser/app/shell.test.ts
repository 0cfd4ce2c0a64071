import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, startConsole, troubles } from '../../harness/browser/console.ts';
import { goTo } from '../../harness/browser/settled.ts';
import { createSite, insertRow, linkUser, type SiteRow } from '../../harness/database/factories.ts';
import { long } from '../../harness/long.ts';
import { narrow } from '../support/accessible.ts';
import { report } from '../support/alarm-plant.ts';

let app: ConsoleApp;
beforeAll(async () => {
  app = await startConsole();
});
afterAll(async () => {
  await app?.close();
  expect(troubles.splice(0)).toEqual([]);
});

const parts = (page: Page) =>
  Promise.all([
    page.getByRole('banner').count(),
    page.getByRole('navigation', { name: 'Admin' }).count(),
    page.getByRole('contentinfo').count(),
  ]);

test('pages of sign-in and errors have no header, sidebar and footer', async () => {
  const page = await app.open('/error/4xx');
  const found: Record<string, number[]> = {};
  const paths = ['/error/4xx', '/error/5xx', '/auth/login', '/auth/forgot', '/auth/activation', '/auth/verify'];
  for (const path of paths) {
    await goTo(page, path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    found[path] = await parts(page);
  }
  expect(found).toEqual(Object.fromEntries(paths.map((path) => [path, [0, 0, 0]])));
  await app.leave(page);
});

describe('sidebar', () => {
  test('is on admin pages only, and each entry leads to the page that the header names', async () => {
    const { owner } = app.people;
    const page = await app.visit('/auth/change-password', { as: owner });
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await parts(page)).toEqual([0, 0, 0]);

    await goTo(page, '/dashboard');
    expect(await page.getByRole('navigation', { name: 'Admin' }).count()).toBe(0);
    expect((await page.getByRole('main').boundingBox())!.x, 'the page has no left margin without it').toBe(0);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Admin' }).click();
    await page.waitForURL('**/admin/sites');
    const sidebar = page.getByRole('navigation', { name: 'Admin' });
    await sidebar.waitFor();
    expect(await parts(page)).toEqual([1, 1, 1]);
    expect((await page.getByRole('main').boundingBox())!.x).toBeGreaterThan(100);

    await sidebar.getByText(owner.display_name, { exact: true }).waitFor();
    await sidebar.getByText(owner.email, { exact: true }).waitFor();
    const links = await sidebar
      .getByRole('link')
      .evaluateAll((all) => (all as any[]).map(({ textContent, pathname }) => [textContent, pathname] as const));
    expect(Object.fromEntries(links)).toMatchObject({
      Sites: '/admin/sites',
      'Sensor List': '/admin/sensors',
      'Sensor-log': '/admin/sensor-log',
      'Sensor-Command': '/admin/sensor-command',
      Assets: '/admin/assets',
      'Data Points': '/admin/datapoints',
      'Rules & Alerts': '/admin/rules',
      Groups: '/admin/groups',
      Users: '/admin/users',
      'Alarm Default Message': '/admin/alarm-default-message',
      'Audit Trail': '/admin/audits',
    });

    const title = (name: string) => page.getByRole('banner').getByText(name, { exact: true });
    await title('Sites').waitFor();
    await sidebar.getByRole('link', { name: 'Audit Trail' }).click();
    await title('Audit Trail').waitFor();
    expect(await title('Sites').count()).toBe(0);
    await app.leave(page);
  });

  test('groups its three sensor entries, shrinks to icons in narrow windows, and is a drawer on a phone', async () => {
    const name = 'A pumping station whose name is far longer than any column of a list could ever be';
    await createSite(app.db, { customer: app.people.customer, name });
    const page = await app.visit('/admin/sites', { as: app.people.owner });
    const sidebar = page.getByRole('navigation', { name: 'Admin' });
    const width = async () => (await sidebar.boundingBox())!.width;
    const entry = (label: string) => sidebar.getByRole('link', { name: label, exact: true });
    await entry('Sensor-log').waitFor();
    await sidebar.getByRole('button', { name: 'Sensors', exact: true }).click();
    for (const label of ['Sensor List', 'Sensor-log', 'Sensor-Command'])
      await entry(label).waitFor({ state: 'detached' });
    expect(await entry('Sites').count()).toBe(1);
    await sidebar.getByRole('button', { name: 'Sensors', exact: true }).click();
    await entry('Sensor-log').waitFor();

    await page.getByRole('button', { name: 'Collapse' }).click();
    expect(await width()).toBeLessThan(80);
    await page.reload();
    await sidebar.waitFor();
    expect(await width()).toBeLessThan(80);
    await page.getByRole('button', { name: 'Expand' }).click();
    await page.getByRole('button', { name: 'Collapse' }).waitFor();

    // At tablet width the sidebar starts collapsed and shows full names in tooltips.
    await page.setViewportSize({ width: 820, height: 1100 });
    await page.getByRole('button', { name: 'Expand' }).waitFor();
    expect(await width()).toBeLessThan(80);
    await page.getByText(name).hover();
    await page.getByTitle(name).waitFor();
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('button', { name: 'Collapse' }).waitFor();

    await page.setViewportSize(narrow);
    await page.getByRole('button', { name: 'Admin menu' }).click();
    await sidebar.getByRole('link', { name: 'Groups' }).click();
    await page.waitForURL('**/admin/groups');
    await app.leave(page);
  });
});

describe('header', () => {
  test('the user menu names the user, stores the theme, and signs out after the server’s response', async () => {
    const { manager } = app.people;
    const page = await app.visit('/reports', { as: manager });
    const menu = page.getByRole('button', { name: /user menu/i });
    await menu.click();
    await page.getByText(manager.display_name).first().waitFor();
    await page.getByText(manager.email).first().waitFor();
    await page.getByText('Dark', { exact: true }).click();
    const scheme = () => page.evaluate("document.documentElement.getAttribute('data-mantine-color-scheme')");
    expect(await scheme()).toBe('dark');
    await page.reload();
    expect(await scheme()).toBe('dark');

    await menu.click();
    await page.getByRole('link', { name: 'Change Password' }).click();
    await page.getByLabel('Current password').waitFor();
    expect(await page.getByRole('banner').count()).toBe(0);
    await goTo(page, '/reports');

    await page.route('**/api/v1/auth/logout', (route) => route.abort());
    await menu.click();
    await page.getByRole('button', { name: 'Logout' }).click();
    await page.getByRole('alert').filter({ hasText: 'The server did not respond.' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/reports');
    expect(await page.evaluate("localStorage.getItem('userID')")).toBe(manager.uuid);
    await page.unroute('**/api/v1/auth/logout');

    const token = (await page.context().cookies()).find(({ name }) => name === 'XSRF-TOKEN')?.value;
    const coming = page.waitForRequest('**/api/v1/auth/logout');
    await menu.click();
    await page.getByRole('button', { name: 'Logout' }).click();
    const call = await coming;
    expect(call.postDataJSON()).toEqual({});
    expect(token).toBeDefined();
    expect((await call.allHeaders())['x-xsrf-token']).toBe(token);
    await page.waitForURL('**/auth/login');
    await page.goto('/reports');
    await page.waitForURL('**/auth/login?return=*');
    await app.leave(page);
  });

  test('operators have no Admin link; the menu leads to their work, the palette to an asset’s site, the logo to the reports', async () => {
    const { customer, operator } = app.people;
    const [first, second] = await Promise.all(
      ['Stale Weir', 'Fresh Weir'].map((name) => createSite(app.db, { customer, name })),
    );
    await Promise.all([first, second].map((site) => linkUser(app.db, operator, site as SiteRow)));
    await insertRow(app.db, 'tocsin.asset', {
      tocsin_customer_uuid: customer.uuid,
      tocsin_site_uuid: second?.uuid,
      name: 'Penstock gate',
    });
    const page = await app.visit('/reports', { as: operator });
    const main = page.getByRole('navigation', { name: 'Main' });
    await main.waitFor();
    expect(await main.getByRole('link').allTextContents()).toEqual(['Dashboard', 'Reports']);
    await page.getByRole('button', { name: /^User menu/ }).click();
    await page.getByRole('link', { name: 'My work' }).click();
    await page.waitForURL('**/dashboard/my-work');
    await page.getByRole('heading', { name: 'My work', level: 1 }).waitFor({ state: 'attached' });

    // Pressing Enter opens the result for the current text, not a result for earlier text.
    const text = page.getByRole('dialog').getByRole('combobox');
    for (const typed of ['fresh', 'penstock']) {
      await page.keyboard.press('Control+k');
      await text.fill('stale');
      await page.getByRole('option', { name: /Stale Weir/ }).waitFor();
      await text.fill(typed);
      await page.keyboard.press('Enter');
      await page.waitForURL(`**/dashboard/site/${second?.uuid}`);
      if (typed === 'fresh') await goTo(page, '/dashboard/my-work');
    }
    await page
      .getByRole('banner')
      .getByRole('link', { name: /tocsin/i })
      .click();
    await page.waitForURL('**/reports');
    await app.leave(page);
  });

  test('dialogs, drawers and menus are rendered from their first opening on, and return the focus when they close', async () => {
    const page = await app.open('/dashboard', { as: app.people.manager });
    await page.getByRole('button', { name: 'User menu' }).waitFor();
    await page.getByRole('main').getByRole('link').first().waitFor();
    expect(await page.locator('[data-portal]').count()).toBe(0);
    for (const name of ['Go to', 'User menu']) {
      const button = page.getByRole('banner').getByRole('button', { name });
      for (const _opening of ['first', 'second']) {
        await button.press('Enter');
        const dialog = page.getByRole('dialog');
        await expect.poll(() => dialog.evaluate((node) => node.contains(node.ownerDocument.activeElement))).toBe(true);
        await page.keyboard.press('Escape');
        await dialog.waitFor({ state: 'hidden' });
        await expect.poll(() => button.evaluate((node) => node === node.ownerDocument.activeElement)).toBe(true);
      }
    }
    await app.leave(page);
  });

  test('Ctrl K opens the palette, which leads to every accessible page and site', async () => {
    const site = await createSite(app.db, { customer: app.people.customer, name: 'Palette Weir' });
    const page = await app.visit('/reports', { as: app.people.owner });
    await page.getByRole('main').waitFor();
    const text = page.getByRole('dialog').getByRole('combobox');
    // The palette receives keys that the user types before it appears.
    await page.evaluate(`for (const [key, ctrlKey] of [['k', true], ['o'], ['u']])
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key, ctrlKey: ctrlKey === true, bubbles: true, cancelable: true }))`);
    await expect.poll(() => text.inputValue()).toBe('ou');
    await page.keyboard.type('tbox');
    await page.getByRole('option', { name: /^Senders.*includes the outbox/ }).waitFor();
    await text.fill('trend');
    await page.getByRole('option', { name: /^Trend/ }).waitFor();
    await text.fill('audit');
    await page.getByRole('option', { name: /audit trail/i }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/admin\/audits/);
    await page.keyboard.press('Control+k');
    await text.fill('palette w');
    await page.getByRole('option', { name: /Palette Weir/ }).click();
    await page.waitForURL(`**/dashboard/site/${site.uuid}`);
    await page.getByRole('heading', { level: 1, name: 'Palette Weir' }).waitFor();
    // The search finds an open alarm by its message. If no open alarm matches, it searches past alarms.
    const alarm = await report(app, site, 'Penstock jammed');
    await page.keyboard.press('Control+k');
    await text.fill('jammed');
    await page.getByRole('option', { name: /Penstock jammed.*Palette Weir/ }).click();
    await page.waitForURL(`**/dashboard/alarms?alarm=${alarm}`);
    await page.keyboard.press('Control+k');
    await text.fill('no such thing');
    await page.getByRole('button', { name: 'Search past alarms' }).click();
    await page.waitForURL('**/dashboard/alarms?show=past&q=no+such+thing');
    await app.leave(page);
  });
});

long('opens a page that is not loaded yet once the connection is back', async () => {
  // Opens a new window, because the cache of a reused window may contain the page's code.
  const page = await app.open('/reports', { as: app.people.owner, prepare: async () => {} });
  await page.getByRole('main').waitFor();
  const before = troubles.length;
  await page.context().setOffline(true);
  await page.evaluate("history.pushState(null, '', '/dashboard/trend')");
  await page.getByText('This page will open once the connection is back.').waitFor();
  await page.context().setOffline(false);
  await page.getByRole('button', { name: 'Add value' }).first().waitFor();
  troubles.splice(before);
  await app.leave(page);
});

describe('demo mode', () => {
  test('/test leads to /pass, which says hey and signs the bypass user in after 500 ms', async () => {
    const demo = await startDemo();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const page = await demo.open('/test', {
      prepare: async (tab) => {
        await tab.clock.install();
        await tab.route('**/api/v1/auth/bypass', async (route) => {
          await held;
          await route.continue();
        });
      },
    });
    await page.getByText('hey', { exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/pass');
    // The test pauses the page's clock before the server responds, and then advances the clock itself.
    await page.clock.pauseAt((await page.evaluate<number>('Date.now()')) + 1000);
    release();
    await expect.poll(() => page.evaluate("localStorage.getItem('userlevel')")).toBe('90');
    await page.clock.runFor(499);
    for (let round = 1; round <= 2; round += 1)
      await page.evaluate("fetch('/api/v1/auth/login').then((answer) => answer.text())");
    expect(new URL(page.url()).pathname).toBe('/pass');
    await page.clock.runFor(1);
    await page.waitForURL('**/dashboard');
    await page.clock.resume();
    const status = (await page.evaluate("fetch('/api/v1/auth/login').then((answer) => answer.json())")) as {
      user: unknown;
    };
    expect(status.user).toMatchObject({ level: 100, tocsin_customer_id: 3, tocsin_partner_id: 2 });
    await demo.close();
  });
});

async function startDemo(): Promise<ConsoleApp> {
  const { createCustomer, createPartner, createUser } = await import('../../harness/database/factories.ts');
  const { openTestDatabase } = await import('../../harness/database/database.ts');
  const { readConfig } = await import('../../../server/config.ts');
  const database = await openTestDatabase();
  const partner = await createPartner(database, { id: 2 });
  const customer = await createCustomer(database, { partner, id: 3 });
  await createUser(database, { customer, level: 100, email: 'bypass@demo.example' });
  return startConsole({ database, config: { ...readConfig({ PORT: '0', TOCSIN_DEMO: 'on' }), host: '127.0.0.1' } });
}
