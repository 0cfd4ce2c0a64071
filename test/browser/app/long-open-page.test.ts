/**
 * Tests a page that stays open for a long time: it loses its connection, a new version is released, and its session
 * ends. Also tests that the console can be installed as an app.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, signInByForm, startConsole, troubles } from '../../harness/browser/console.ts';
import { createSite, type SiteRow, serviceQuery } from '../../harness/database/factories.ts';
import { expectAccessible } from '../support/accessible.ts';
import { report } from '../support/alarm-plant.ts';
import { following } from '../support/live-page.ts';

let app: ConsoleApp;
let site: SiteRow;
beforeAll(async () => {
  app = await startConsole();
  site = await createSite(app.db, { customer: app.people.customer, name: 'Quay Street' });
});
afterAll(async () => {
  await app?.close();
  expect(troubles.splice(0)).toEqual([]);
});

/** The page that the first two tests share. */
let page: Page;

test('says that the connection is lost, and catches up without a reload when it is back', async () => {
  await report(app, site, 'Seen before');
  let isLive: Promise<void> | undefined;
  page = await app.open('/dashboard/alarms', {
    as: app.people.manager,
    prepare: async (tab) => {
      isLive = following(tab);
    },
  });
  await page.getByText('Seen before').waitFor();
  await isLive;
  await page.evaluate('window.notReloaded = true');
  // The browser logs that it is offline, which is not an error in the page.
  const before = troubles.length;
  await page.context().setOffline(true);
  await page.getByText(/Connection lost at \d\d:\d\d\. Trying again\./).waitFor();
  expect(await page.getByText('Seen before').isVisible()).toBe(true);
  await report(app, site, 'Raised meanwhile');
  await page.context().setOffline(false);
  await page.getByText('Raised meanwhile').waitFor();
  await page.getByText(/Connection lost/).waitFor({ state: 'detached' });
  await report(app, site, 'Live again');
  await page.getByText('Live again').waitFor();
  expect(await page.evaluate('window.notReloaded')).toBe(true);
  expect(troubles.splice(before).filter((trouble) => !/WebSocket|ERR_INTERNET_DISCONNECTED/.test(trouble))).toEqual([]);
});

describe('a new version of the console', () => {
  test('is offered, never forced, and loaded by a reload', async () => {
    const offer = page.getByRole('status', { name: 'Version' }).getByText('A new version of the console is available.');
    const look = () => page.evaluate("window.dispatchEvent(new Event('focus'))");
    const same = page.waitForResponse('**/index.html');
    await look();
    await (await same).finished();
    expect(await offer.count()).toBe(0);
    // Simulates a new build: the server delivers the same page with another script name.
    await page.route('**/index.html', async (route) => {
      const answer = await route.fetch();
      const body = (await answer.text()).replace(/(src="\/assets\/index-)[^"]+/, '$1another.js');
      await route.fulfill({ response: answer, body });
    });
    await look();
    await offer.waitFor();
    await expectAccessible(page);
    await page.unroute('**/index.html');
    await page.evaluate('window.notReloaded = true');
    await page.getByRole('button', { name: 'Reload' }).click();
    await expect.poll(() => page.evaluate('window.notReloaded ?? false').catch(() => true)).toBe(false);
    await page.getByRole('main').waitFor();
    expect(await offer.count()).toBe(0);
    await app.leave(page);
  });
});

test('the end of a session leads to sign-in, and from there back to the same page', async () => {
  const { operator } = app.people;
  const path = '/dashboard/alarms?show=past&severity=minor';
  const page = await app.open(path, { as: operator });
  await page.getByText('No past alarm matches the filter').waitFor();
  await serviceQuery(app.db, 'delete from tocsin_private.session where user_uuid = $1', [operator.uuid]);
  // Every few seconds, the server closes live connections whose session has ended. An idle page learns only from this
  // that its session has ended.
  await app.subscriptions?.check();
  await page.waitForURL('**/auth/login?return=*');
  await page.getByText('Your session has ended. Sign in to continue.').waitFor();
  await signInByForm(page, operator.email);
  await page.waitForURL(`**${path}`);
  await page.getByText('No past alarm matches the filter').waitFor();
  await app.leave(page);
});

describe('the console on a phone’s home screen', () => {
  test('has a manifest that the browser accepts, a worker without a cache, and the header’s colour', async () => {
    const page = await app.open('/dashboard/alarms', { as: app.people.operator, phone: true });
    const browser = await page.context().newCDPSession(page);
    const { url, errors } = await browser.send('Page.getAppManifest');
    expect(url).toMatch(/\/manifest\.webmanifest$/);
    expect(errors).toEqual([]);
    const manifest = (await (await page.request.get('/manifest.webmanifest')).json()) as {
      icons: { src: string; sizes: string; purpose: string }[];
      shortcuts: { url: string }[];
    };
    expect(manifest.icons.map(({ purpose, sizes }) => `${purpose} ${sizes}`)).toEqual([
      ...['any 192x192', 'any 512x512', 'maskable 192x192', 'maskable 512x512'],
    ]);
    for (const { src, sizes } of [...manifest.icons, { src: '/apple-touch-icon.png', sizes: '180x180' }]) {
      const answer = await page.request.get(src);
      expect(answer.headers()['content-type']).toBe('image/png');
      // The first chunk of a PNG file contains the width and height.
      const png = await answer.body();
      expect(`${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`).toBe(sizes);
    }
    expect(manifest.shortcuts.map((shortcut) => shortcut.url)).toContain('/dashboard/alarms');

    const scope = await page.evaluate('navigator.serviceWorker.ready.then(({ scope }) => scope)');
    expect(new URL(scope as string).pathname).toBe('/');

    // The browser bar follows the chosen theme, even if the operating system uses another theme.
    const colours = () =>
      page.locator('meta[name="theme-color"]').evaluateAll((all) => all.map((meta: any) => meta.content as string));
    expect(await colours()).toEqual(['#fbfcfc', '#fbfcfc']);
    await page.getByRole('button', { name: 'More' }).tap();
    await page.getByText('Dark', { exact: true }).tap();
    await expect.poll(colours).toEqual(['#181c20', '#181c20']);
    await page.reload();
    await page.getByRole('main').waitFor();
    expect(await colours()).toEqual(['#181c20', '#181c20']);
    expect(await page.evaluate('caches.keys()')).toEqual([]);
    await app.leave(page);
  });
});
