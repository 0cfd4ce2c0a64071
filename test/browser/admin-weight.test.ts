/** How much script the admin area brings beyond the shell, as it travels. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConsoleApp, startConsole, troubles } from '../harness/console.ts';
import { settled } from '../harness/settled.ts';
import { goTo } from './accessible.ts';

const consoleDir = join(import.meta.dirname, '../../dist/console');
const MOST = 120 * 1024;

const pages = [
  'sites',
  'sensors',
  'sensor-log',
  'sensor-command',
  'assets',
  'datapoints',
  'rules',
  'groups',
  'users',
  'alarm-default-message',
  'audits',
  'channels',
];
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

let app: ConsoleApp;
beforeAll(async () => {
  app = await startConsole();
});
afterAll(async () => {
  await app?.close();
  expect(troubles.splice(0)).toEqual([]);
});

/** The scripts of the console that a window has fetched so far. */
const scriptsOf = async (page: Page): Promise<Set<string>> => {
  await settled(page);
  const urls = await page.evaluate(() =>
    (globalThis as any).performance
      .getEntriesByType('resource')
      .map(({ name }: { name: string }) => new URL(name).pathname),
  );
  return new Set(urls.filter((path: string) => path.endsWith('.js')));
};
const without = (all: ReadonlySet<string>, known: ReadonlySet<string>) =>
  new Set([...all].filter((path) => !known.has(path)));
const weigh = (paths: Iterable<string>) =>
  [...paths].reduce((sum, path) => sum + gzipSync(readFileSync(join(consoleDir, path)), { level: 9 }).length, 0);

test('all pages of the admin area together stay within their share, and the editors come when they are used', async () => {
  // Whom the area is closed to gets the shell, and nothing of the area.
  const closed = await app.open('/admin/sites', { as: app.people.operator });
  const shell = await scriptsOf(closed);
  await app.leave(closed);
  expect(shell.size).toBeGreaterThan(3);

  const window = await app.open('/admin/sites', { as: app.people.owner });
  for (const path of pages) await goTo(window, `/admin/${path}`);
  const area = without(await scriptsOf(window), shell);
  expect(area.size).toBeGreaterThanOrEqual(pages.length);
  expect(weigh(area), `${weigh(area)} bytes`).toBeLessThanOrEqual(MOST);

  let before = await scriptsOf(window);
  for (const path of editors) {
    await goTo(window, `/admin/${path}`);
    const now = await scriptsOf(window);
    expect(without(now, before).size, `${path} was there already`).toBeGreaterThan(0);
    before = now;
  }
  await app.leave(window);
});
