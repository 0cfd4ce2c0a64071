import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, startConsole, troubles } from '../harness/console.ts';
import { goTo } from '../harness/settled.ts';
import { adminPages } from './admin.ts';

let app: ConsoleApp;
beforeAll(async () => {
  app = await startConsole();
});
afterAll(async () => {
  await app?.close();
  expect(troubles.splice(0)).toEqual([]);
});

/** One window for visitors, the owner and the partner, one after the other. */
let inUse: { page: Page; by: string } | undefined;
async function windowOf(person?: { email: string; tocsin_customer_uuid: string }): Promise<Page> {
  const by = person?.email ?? 'visitor';
  if (inUse?.by === by) return inUse.page;
  if (inUse) await app.leave(inUse.page);
  const page = await app.open('/error/4xx', person ? { as: person } : {});
  inUse = { page, by };
  return page;
}

/** The first address of an area is typed, which loads the console there; the guards of the others are asked as by a link. */
async function endsOn(path: string, person?: { email: string; tocsin_customer_uuid: string }): Promise<string> {
  const page = await windowOf(person);
  if (typed.has(path)) await page.goto(path);
  else await goTo(page, path);
  await page.getByRole('main').first().waitFor();
  return new URL(page.url()).pathname;
}
const typed = new Set(['/', '/dashboard', '/reports', '/admin/sites', '/auth/login', '/auth/activation', '/nowhere']);

describe('signed out', () => {
  test.each(['/', '/dashboard', '/reports', '/auth/change-password', ...adminPages.map((page) => `/admin/${page}`)])(
    '%s ends on the login screen',
    async (path) => {
      expect(await endsOn(path)).toBe('/auth/login');
    },
  );

  test.each(['/auth/login', '/auth/forgot', '/auth/activation', '/auth/verify', '/error/4xx', '/error/5xx'])(
    '%s stays',
    async (path) => {
      expect(await endsOn(path)).toBe(path);
    },
  );

  test.each(['/nowhere', '/admin-of-nothing', '/test', '/pass', '/auth/nothing/deep'])(
    '%s is an unknown route outside demo mode',
    async (path) => {
      expect(['/error/4xx', '/auth/login']).toContain(await endsOn(path));
    },
  );

  test('no area is loaded while its guard fails', async () => {
    const scripts: string[] = [];
    const page = await app.open('/admin/sites', {
      prepare: async (tab) => {
        tab.on('request', (request) => scripts.push(request.url()));
      },
    });
    await page.getByRole('button', { name: 'Sign In', exact: true }).waitFor();
    expect(scripts.filter((url) => /(SiteList|Dashboard|Reports)Page|\/admin[-.]/.test(url))).toEqual([]);
    expect(scripts.some((url) => /\.js/.test(url))).toBe(true);
    await app.leave(page);
  });
});

describe('signed in', () => {
  test.each([
    ['/', '/dashboard'],
    ['/dashboard', '/dashboard'],
    ['/reports', '/reports'],
    ['/auth/login', '/reports'],
    ['/auth/forgot', '/reports'],
    ['/auth/verify', '/reports'],
    ['/auth/activation', '/auth/activation'],
    ['/auth/change-password', '/auth/change-password'],
    ['/nowhere', '/error/4xx'],
    ['/admin/nothing', '/error/4xx'],
  ])('%s ends on %s', async (path, end) => {
    expect(await endsOn(path, app.people.owner)).toBe(end);
  });

  test('an operator who opens the admin area is told who can help', async () => {
    const page = await app.open('/admin/sites', { as: app.people.operator });
    await page.getByText(/ask/i).first().waitFor();
    expect(await page.getByRole('navigation', { name: 'Admin' }).count()).toBe(0);
    await app.leave(page);
  });
});

describe('a page that somebody may not open', () => {
  test.each(['/admin/users', '/admin/rules', '/admin/assets'])(
    '%s leads a partner’s service account to a page it may open',
    async (path) => {
      expect(await endsOn(path, app.people.partner)).toBe(path);
      const page = await windowOf(app.people.partner);
      await page.getByText('This page is not part of your account').waitFor();
      await page.getByRole('main').getByRole('link').click();
      await page.waitForURL('**/admin/sites');
      await page.getByRole('searchbox').or(page.getByPlaceholder(/name/i)).first().waitFor();
    },
  );
});

describe('on a slow line', () => {
  test('the bell swings until the first page stands, and the screen is never empty', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let asked = (): void => undefined;
    const shellAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const page = await app.open('/error/4xx', { as: app.people.owner });
    await page.route(/assets\/(shell|ReportsPage)-[^/]*\.js$/, async (route) => {
      asked();
      await held;
      await route.continue();
    });
    await page.goto('/reports');
    await shellAsked;
    expect(await page.getByRole('status', { name: 'Loading' }).isVisible()).toBe(true);
    release();
    await page.getByRole('heading', { name: 'Reports', level: 1 }).waitFor();
    await app.leave(page);
  });

  test('the bell swings as long as the login status is not known', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let asked = (): void => undefined;
    const statusAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const page = await app.open('/error/4xx');
    await page.route('**/api/v1/auth/login', async (route) => {
      asked();
      await held;
      await route.continue();
    });
    await page.goto('/auth/login');
    await statusAsked;
    // Had the page not waited, it would stand by the time two other answers are here.
    for (let round = 1; round <= 2; round += 1)
      await page.evaluate("fetch('/api/v1/config').then((answer) => answer.text())");
    expect(await page.getByRole('status', { name: 'Loading' }).isVisible()).toBe(true);
    expect(await page.getByRole('main').count()).toBe(0);
    release();
    await page.getByRole('heading', { name: 'Welcome,Please Login' }).waitFor();
    expect(await page.getByRole('status', { name: 'Loading' }).count()).toBe(0);
    await app.leave(page);
  });
});

test('a start that fails is only logged', async () => {
  const before = troubles.length;
  const said: string[] = [];
  const page = await app.open('/auth/login');
  page.on('request', (request) => request.method() === 'GET' || said.push(request.url()));
  page.on('dialog', (dialog) => said.push(dialog.message()));
  await page.route('**/auth/login', async (route) => {
    if (route.request().resourceType() !== 'document') return route.continue();
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: (await answer.text()).replace('id="root"', 'id="elsewhere"') });
  });
  await page.reload();
  await expect.poll(() => troubles.length).toBe(before + 1);
  await page.waitForLoadState('networkidle');
  // What the harness gathers is the browser's own log.
  expect(troubles.splice(before)).toEqual(['/auth/login: index.html has no element with the id root.']);
  expect(
    await page.getByRole('main').or(page.getByRole('alert')).or(page.getByRole('dialog')).count(),
    'nothing is shown',
  ).toBe(0);
  expect(new URL(page.url()).pathname, 'and nobody is led elsewhere').toBe('/auth/login');
  expect(said, 'or told anything').toEqual([]);
  await app.leave(page);
});

describe('error pages', () => {
  test('say the words of the specification', async () => {
    const lost = await app.open('/error/4xx');
    await lost.getByText('PAGE NOT FOUND !').waitFor();
    const home = lost.getByRole('link', { name: 'Back to home' });
    expect(await home.getAttribute('href')).toBe('/dashboard');
    await home.click();
    await lost.waitForURL('**/auth/login');
    await lost.goto('/error/5xx');
    await lost.getByText('INTERNAL SERVER ERROR !').waitFor();
    await lost.getByText('PLEASE TRY AFTER SOME TIME').waitFor();
    await app.leave(lost);
  });

  test('a login status that cannot be fetched ends on /error/5xx', async () => {
    const page = await app.open('/error/4xx');
    await page.route('**/api/v1/auth/login', (route) => route.abort());
    await page.goto('/dashboard');
    await page.waitForURL('**/error/5xx');
    await app.leave(page);
  });
});
