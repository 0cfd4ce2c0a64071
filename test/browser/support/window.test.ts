/** Tests of the harness: a reused window keeps no state from its earlier use. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConsoleApp, startConsole, troubles } from '../../harness/browser/console.ts';

let app: ConsoleApp;
beforeAll(async () => {
  app = await startConsole();
});
afterAll(async () => {
  await app?.close();
  expect(troubles.splice(0)).toEqual([]);
});

test('a reused window is signed out, empty, of the default size and without listeners', async () => {
  const used = await app.open('/admin/sites', { as: app.people.owner, dark: true });
  await used.evaluate("localStorage.setItem('kept', 'yes'), sessionStorage.setItem('kept', 'yes')");
  await used.setViewportSize({ width: 500, height: 500 });
  const heard: string[] = [];
  used.on('request', (request) => heard.push(request.url()));
  await used.route('**/api/v1/config', (route) => route.abort());
  await app.leave(used);
  const before = heard.length;

  const page = await app.open('/admin/sites');
  expect(page).toBe(used);
  await page.waitForURL('**/auth/login?return=*');
  await page.getByRole('button', { name: 'Sign In', exact: true }).waitFor();
  expect(await page.evaluate("[localStorage.getItem('kept'), sessionStorage.getItem('kept')]")).toEqual([null, null]);
  expect(await page.evaluate("localStorage.getItem('userID')")).toBeNull();
  expect((await page.context().cookies()).map(({ name }) => name)).not.toContain('tocsin_session');
  expect(page.viewportSize()).toEqual({ width: 1440, height: 900 });
  expect(await page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")).toBe(false);
  expect(heard).toHaveLength(before);
  await app.leave(page);
});

test('a window that was prepared before its first page is not reused', async () => {
  const prepared = await app.open('/api/v1/config', { prepare: (tab) => tab.clock.install() });
  await app.leave(prepared);
  const page = await app.open('/api/v1/config');
  expect(page).not.toBe(prepared);
  await app.leave(page);
});
