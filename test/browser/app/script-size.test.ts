/**
 * Limits the size of the scripts that the browser downloads: for the login page, for each page in addition to the
 * shell, and for the admin area. Chart code loads only on pages with a chart, and editors load on first use.
 */

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConsoleApp, type OpenOptions, startConsole, troubles } from '../../harness/browser/console.ts';
import { goTo, settled } from '../../harness/browser/settled.ts';
import { long } from '../../harness/long.ts';
import { adminPages } from '../support/admin.ts';
import { settle } from '../support/alarm-plant.ts';
import { type ColdStore, createColdStore, speak } from '../support/site-plant.ts';

const dist = join(import.meta.dirname, '../../../dist/console');
const LOGIN_MOST = 180;
const AREA_MOST = 120;

let app: ConsoleApp;
let store: ColdStore;
beforeAll(async () => {
  app = await startConsole();
  store = await createColdStore(app, 'Script Store');
  await speak(app, store.room, '1=-20.5 2=31');
  await settle(app);
});
afterAll(async () => {
  await app?.close();
  expect(troubles.splice(0)).toEqual([]);
});

/** Opens a page and waits until it shows `text` and is idle. Returns the scripts that the page has loaded. */
async function scriptsOf(
  path: string,
  text: string | RegExp,
  options: OpenOptions,
  { chart = false } = {},
): Promise<Set<string>> {
  const page = await app.open(path, options);
  await page.getByText(text).filter({ visible: true }).first().waitFor();
  if (chart) await page.locator('.uplot').first().waitFor();
  const scripts = await fetchedBy(page);
  await app.leave(page);
  return scripts;
}

const sizes = new Map<string, number>();
function sizeOf(path: string): number {
  const size = sizes.get(path) ?? gzipSync(readFileSync(join(dist, path)), { level: 9 }).length;
  sizes.set(path, size);
  return size;
}
const kilobytes = (scripts: Iterable<string>) => [...scripts].reduce((sum, path) => sum + sizeOf(path), 0) / 1024;
const hasChart = (scripts: Iterable<string>) =>
  [...scripts].some((path) => readFileSync(join(dist, path), 'utf8').includes('u-cursor-pt'));

test('keeps the login page small, and serves a production build without source maps', async () => {
  const used = await scriptsOf('/auth/login', 'Sign In', {});
  expect(kilobytes(used)).toBeLessThanOrEqual(LOGIN_MOST);
  expect(hasChart(used)).toBe(false);
  const scripts = globSync('**/*.js', { cwd: dist });
  expect(scripts).toEqual(expect.arrayContaining([...used].map((path) => path.slice(1))));
  const served = await Promise.all(
    scripts.map(async (path) => {
      const answer = await fetch(`${app.url}/${path}`);
      expect([path, answer.status, answer.headers.get('sourcemap')]).toEqual([path, 200, null]);
      return [path, await answer.text()] as const;
    }),
  );
  const development =
    /jsxDEV|jsx-dev-runtime|react(-dom)?[.-](client\.)?development|react-refresh|@vite\/client|import\.meta\.hot|sourceMappingURL/;
  expect(served.filter(([, text]) => development.test(text)).map(([path]) => path)).toEqual([]);
  // Only the production build of React reports errors by number.
  expect(served.some(([, text]) => text.includes('Minified React error #'))).toBe(true);
  const page = await (await fetch(`${app.url}/auth/login`)).text();
  expect(page).not.toMatch(/@vite|@react-refresh|\.tsx?"/);
  expect(globSync('**/*.map', { cwd: dist })).toEqual([]);
});

test('the site page fetches at most 26 scripts: each one is a request, however small it is', async () => {
  const path = `/dashboard/site/${store.site.uuid}`;
  const scripts = [...(await scriptsOf(path, 'Temperature', { as: app.people.owner }, { chart: true }))];
  expect(scripts.length, scripts.join(', ')).toBeLessThanOrEqual(26);
});

long('limits each page beyond the shell', async () => {
  const pages = [
    { name: 'overview', path: '/dashboard', text: 'Script Store', chart: false },
    { name: 'alarms', path: '/dashboard/alarms', text: 'No open alarms', chart: false },
    { name: 'my work', path: '/dashboard/my-work', text: 'Needs your attention', chart: false },
    { name: 'site', path: `/dashboard/site/${store.site.uuid}`, text: 'Temperature', chart: true },
    { name: 'trend', path: `/dashboard/trend?points=${store.temperature}`, text: 'Temperature', chart: true },
    { name: 'reports', path: '/reports', text: 'Reports', chart: false },
    { name: 'sites', path: '/admin/sites', text: 'Script Store', chart: false },
  ];
  const loaded = new Map<string, Set<string>>();
  for (const { name, path, text, chart } of pages) {
    loaded.set(name, await scriptsOf(path, text, { as: app.people.owner }, { chart }));
  }
  // The shell consists of the scripts that every page loads.
  const all = [...loaded.values()];
  const shell = new Set([...(all[0] as Set<string>)].filter((script) => all.every((scripts) => scripts.has(script))));
  const beyond = pages.map(({ name }) => {
    return [name, kilobytes(without(loaded.get(name) as Set<string>, shell))] as const;
  });
  for (const [name, size] of beyond) expect(size, name).toBeGreaterThan(1);
  expect(beyond.filter(([, size]) => size > AREA_MOST)).toEqual([]);
  for (const { name, chart } of pages) expect(hasChart(loaded.get(name) as Set<string>), name).toBe(chart);
});

const editors = [
  'sites?record=new',
  'sensors?record=new',
  'assets?record=new',
  'datapoints?record=new',
  'rules?record=new',
  'rules?tab=alerts&record=new',
  'rules?tab=conditions&record=new',
  'groups?record=new',
  'users?record=new',
];

const without = (all: ReadonlySet<string>, known: ReadonlySet<string>) =>
  new Set([...all].filter((path) => !known.has(path)));

/** Returns the scripts that the page has requested since it was loaded, including cached ones. */
async function fetchedBy(page: Page): Promise<Set<string>> {
  await settled(page);
  const urls: string[] = await page.evaluate(() =>
    (globalThis as any).performance
      .getEntriesByType('resource')
      .map(({ name }: { name: string }) => new URL(name).pathname),
  );
  return new Set(urls.filter((path) => path.endsWith('.js')));
}

long('limits all pages of the admin area together, and the editors', async () => {
  // A page that the user is not allowed to open loads only the shell.
  const closed = await app.open('/admin/sites', { as: app.people.operator });
  const shell = await fetchedBy(closed);
  await app.leave(closed);
  expect(shell.size).toBeGreaterThan(3);

  const window = await app.open('/admin/sites', { as: app.people.owner });
  for (const path of adminPages) await goTo(window, `/admin/${path}`);
  const area = without(await fetchedBy(window), shell);
  expect(area.size).toBeGreaterThanOrEqual(adminPages.length);
  expect(kilobytes(area)).toBeLessThanOrEqual(AREA_MOST);

  let before = await fetchedBy(window);
  for (const path of editors) {
    await goTo(window, `/admin/${path}`);
    const now = await fetchedBy(window);
    expect(without(now, before).size, `${path} was there already`).toBeGreaterThan(0);
    before = now;
  }
  await app.leave(window);
});
