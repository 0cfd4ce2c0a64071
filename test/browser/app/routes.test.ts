/** Redirects in a real browser. web/routes/router.test.ts checks every page for every role. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, startConsole, troubles } from '../../harness/browser/console.ts';
import { goTo } from '../../harness/browser/settled.ts';

let app: ConsoleApp;
beforeAll(async () => {
  app = await startConsole();
});
afterAll(async () => {
  await app?.close();
  expect(troubles.splice(0)).toEqual([]);
});

/** A path that does not load the console. Tests open it to prepare the window. */
const BLANK = '/api/v1/config';

/** Opens each address through a link. Returns the path of the page that the console then shows. */
async function endsOf(page: Page, paths: readonly string[]): Promise<Record<string, string>> {
  const ends: Record<string, string> = {};
  for (const path of paths) {
    await goTo(page, path);
    ends[path] = new URL(page.url()).pathname;
  }
  return ends;
}

describe('signed out', () => {
  test('leads from protected pages to sign-in without loading them, shows public pages, and reports unknown ones', async () => {
    const page = await app.open(BLANK);
    const scripts: string[] = [];
    page.on('request', (request) => scripts.push(request.url()));
    await page.goto('/admin/sites');
    await page.getByRole('button', { name: 'Sign In', exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/auth/login');
    expect(await endsOf(page, ['/', '/dashboard', '/reports', '/auth/change-password', '/admin/company'])).toEqual({
      '/': '/auth/login',
      '/dashboard': '/auth/login',
      '/reports': '/auth/login',
      '/auth/change-password': '/auth/login',
      '/admin/company': '/auth/login',
    });
    expect(scripts.filter((url) => /(SiteList|Dashboard|Reports|Company)Page|\/(admin|shell)[-.]/.test(url))).toEqual(
      [],
    );
    expect(scripts.some((url) => /\.js/.test(url))).toBe(true);
    expect(await endsOf(page, ['/auth/activation', '/auth/verify', '/test', '/auth/nothing/deep'])).toEqual({
      '/auth/activation': '/auth/activation',
      '/auth/verify': '/auth/verify',
      '/test': '/error/4xx',
      '/auth/nothing/deep': '/error/4xx',
    });
    await app.leave(page);
  });
});

describe('signed in', () => {
  test('leads from the login to the reports and from / to the dashboard, and reports an unknown page', async () => {
    const page = await app.open('/auth/login', { as: app.people.owner });
    await page.waitForURL('**/reports');
    expect(await endsOf(page, ['/', '/auth/forgot', '/auth/activation', '/admin/nothing'])).toEqual({
      '/': '/dashboard',
      '/auth/forgot': '/reports',
      '/auth/activation': '/auth/activation',
      '/admin/nothing': '/error/4xx',
    });
    await app.leave(page);
  });
});

/** Holds back the matching requests of the page until the test calls `release`. */
async function hold(page: Page, calls: RegExp): Promise<{ asked: Promise<void>; release(): void }> {
  const [held, asked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route(calls, async (route) => {
    asked.resolve();
    await held.promise;
    await route.continue();
  });
  return { asked: asked.promise, release: held.resolve };
}

test('shows the swinging bell on a slow line until the first page is ready, and never an empty screen', async () => {
  const page = await app.open(BLANK, { as: app.people.owner });
  const status = await hold(page, /\/api\/v1\/auth\/login$/);
  const shell = await hold(page, /assets\/(shell|ReportsPage)-[^/]*\.js$/);
  const bell = page.getByRole('status', { name: 'Loading' });
  await page.goto('/reports');
  await status.asked;
  // The console must wait for both requests. If it showed a page too early, the page would appear before they finish.
  for (let round = 1; round <= 2; round += 1)
    await page.evaluate("fetch('/api/v1/config').then((answer) => answer.text())");
  expect(await bell.isVisible()).toBe(true);
  expect(await page.getByRole('main').count()).toBe(0);
  status.release();
  await shell.asked;
  expect(await bell.isVisible()).toBe(true);
  shell.release();
  await page.getByRole('heading', { name: 'Reports', level: 1 }).waitFor();
  expect(await bell.count()).toBe(0);
  await app.leave(page);
});

test('logs an error if the page has no root element, and shows and sends nothing', async () => {
  const before = troubles.length;
  const said: string[] = [];
  // Uses a new window, because the service worker would answer the request in a window that has already opened the
  // console.
  const page = await app.open(BLANK, { prepare: async () => {} });
  page.on('request', (request) => request.method() === 'GET' || said.push(request.url()));
  page.on('dialog', (dialog) => said.push(dialog.message()));
  await page.route('**/auth/login', async (route) => {
    if (route.request().resourceType() !== 'document') return route.continue();
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: (await answer.text()).replace('id="root"', 'id="elsewhere"') });
  });
  await page.goto('/auth/login');
  await expect.poll(() => troubles.length).toBe(before + 1);
  await page.waitForLoadState('networkidle');
  // `troubles` contains the error from the browser's console.
  expect(troubles.splice(before)).toEqual([`${BLANK}: index.html has no element with the id root.`]);
  expect(
    await page.getByRole('main').or(page.getByRole('alert')).or(page.getByRole('dialog')).count(),
    'nothing is shown',
  ).toBe(0);
  expect(new URL(page.url()).pathname, 'the address does not change').toBe('/auth/login');
  expect(said, 'no dialog opens and nothing is sent').toEqual([]);
  await app.leave(page);
});

describe('error pages', () => {
  test('have the texts of the specification, and a failed login status leads to /error/5xx', async () => {
    const page = await app.open('/nowhere');
    await page.getByText('PAGE NOT FOUND !').waitFor();
    expect(new URL(page.url()).pathname).toBe('/error/4xx');
    const home = page.getByRole('link', { name: 'Back to home' });
    expect(await home.getAttribute('href')).toBe('/dashboard');
    await home.click();
    await page.waitForURL('**/auth/login?return=*');
    await page.route('**/api/v1/auth/login', (route) => route.abort());
    await page.goto('/dashboard');
    await page.waitForURL('**/error/5xx');
    await page.getByText('INTERNAL SERVER ERROR !').waitFor();
    await page.getByText('PLEASE TRY AFTER SOME TIME').waitFor();
    await app.leave(page);
  });
});
