import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { board } from '../../harness/browser/board.ts';
import { type ConsoleApp, startConsole, troubles } from '../../harness/browser/console.ts';
import { serviceQuery } from '../../harness/database/factories.ts';
import { createSensor } from '../../harness/device/devices.ts';
import { narrow, wide } from '../support/accessible.ts';
import { settle } from '../support/alarm-plant.ts';
import { addHistory, type ColdStore, createColdStore, openAtPlantTime, speak } from '../support/site-plant.ts';

let app: ConsoleApp;
let store: ColdStore;
let warmStore: ColdStore;
beforeAll(async () => {
  app = await startConsole();
  store = await createColdStore(app, 'Bay Store');
  warmStore = await createColdStore(app, 'Warm Store');
  await addHistory(app, warmStore.temperature, 6, 60, '-20 + sin(extract(epoch from t) / 900)');
  for (const [name, { assetUuid }] of [
    ['Cold room', store.room],
    ['Air lock', store.door],
  ] as const)
    await serviceQuery(app.db, 'update tocsin.asset set name = $1 where uuid = $2', [name, assetUuid]);
  await speak(app, store.room, '1=-20.5 2=31');
  await speak(app, store.door, '1=0');
  // This value opens an alarm and is the first value in the trend.
  await speak(app, warmStore.room, '1=-11');
  await settle(app);
});
afterAll(async () => {
  await app?.close();
  expect(troubles.splice(0)).toEqual([]);
});

const pathOf = ({ site }: ColdStore) => `/dashboard/site/${site.uuid}`;
const assetNames = (page: Page) => page.getByRole('region', { name: 'Values' }).locator('h2').allInnerTexts();

/**
 * Reloads the page with delayed responses and a delayed chart script. Records the layout shifts that follow the first
 * paint.
 */
async function reloadSlowly(page: Page): Promise<void> {
  // The script may be added several times, because tests share a page. Only its first copy takes effect.
  await page.addInitScript(`
    if (!globalThis.shifts) {
      globalThis.shifts = [];
      new PerformanceObserver((list) => {
        for (const { value, sources } of list.getEntries())
          shifts.push({ value, moved: sources.map(({ node, previousRect, currentRect }) =>
            [node?.className ?? node?.textContent, previousRect.y, 'to', currentRect.y].join(' ')) });
      }).observe({ type: 'layout-shift', buffered: true });
    }`);
  let late = 0;
  await page.route(/graphql|TrendChart|chart-/, async (route) => {
    late += 1;
    await new Promise((resolve) => setTimeout(resolve, 60 * (late % 4)));
    await route.continue().catch(() => undefined);
  });
  await page.reload();
}

async function expectSteady(page: Page): Promise<void> {
  const shifts = await page.evaluate<{ value: number; moved: string[] }[]>('shifts');
  const shifted = shifts.reduce((sum, { value }) => sum + value, 0);
  expect(shifted, JSON.stringify(shifts)).toBeLessThanOrEqual(0.02);
}

describe('the dashboard', () => {
  test.each([
    ['a wide screen', wide],
    ['a phone', narrow],
  ])('shifts its layout by at most 0.02 while its responses arrive on %s', async (_screen, size) => {
    const page = await openAtPlantTime(app, '/dashboard', { as: app.people.manager });
    await page.setViewportSize(size);
    // The first visit stores the data of the banner and of the region Not notified in the browser. Both therefore
    // appear at once after the reload.
    const notNotified = page.getByRole('region', { name: 'Not notified' });
    await page.getByRole('status', { name: 'Notifications' }).getByText('no sender is set up').waitFor();
    await notNotified.waitFor();
    await reloadSlowly(page);
    await board(page).getByRole('link').first().waitFor();
    await notNotified.waitFor();
    await page.locator('dl[aria-busy="false"] figure').waitFor();
    await expectSteady(page);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await app.leave(page);
  });

  test('is taller than the window before its sites arrive, so that no scrollbar narrows it later', async () => {
    const page = await openAtPlantTime(app, '/error/4xx', { as: app.people.manager });
    await page.setViewportSize(wide);
    const isMeasured = Promise.withResolvers<void>();
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('SiteBoard')) await isMeasured.promise;
      await route.continue().catch(() => undefined);
    });
    await page.goto('/dashboard');
    await board(page).and(page.locator('[aria-busy="true"]')).waitFor();
    expect(await page.evaluate<number>('document.documentElement.scrollHeight - innerHeight')).toBeGreaterThan(0);
    isMeasured.resolve();
    await board(page).getByRole('link').first().waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await app.leave(page);
  });
});

describe('the site page', () => {
  test.each([
    ['a wide screen', wide],
    ['a phone', narrow],
  ])('shifts its layout by at most 0.02 while the chart loads on %s', async (_screen, size) => {
    const page = await openAtPlantTime(app, pathOf(warmStore), { as: app.people.manager });
    await page.setViewportSize(size);
    // The first visit stores the data of the banner in the browser, so that the banner appears at once after the reload.
    await page.getByRole('status', { name: 'Notifications' }).getByText('no sender is set up').waitFor();
    await reloadSlowly(page);
    const trend = page.getByRole('region', { name: 'Trend' });
    await trend.locator('canvas').first().waitFor();
    await trend.getByText('Raw readings').or(trend.getByText('Live')).first().waitFor();
    await page
      .getByRole('group', { name: /^Chart/, disabled: false })
      .and(page.locator('[aria-busy="false"]'))
      .waitFor();
    await expectSteady(page);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await app.leave(page);
  });

  test('moves the asset with the worst alarm to the front when it opens', async () => {
    const page = await openAtPlantTime(app, pathOf(store), { as: app.people.operator });
    await expect.poll(() => assetNames(page)).toEqual(['Air lock', 'Cold room']);
    await speak(app, store.room, '1=-11');
    await settle(app);
    await expect.poll(() => assetNames(page)).toEqual(['Cold room', 'Air lock']);
    await speak(app, store.room, '1=-20');
    await settle(app);
    await app.leave(page);
  });

  test('shows long state texts of a digital value in full beside the chart', async () => {
    const { customer } = app.people;
    const valve = await createSensor(app.db, {
      customer,
      site: store.site,
      uid: 'bay-store-valve',
      sensorType: 1,
      channels: [{ name: 'Valve', channel_low_text: 'Closed by hand', channel_high_text: 'Opened by remote' }],
    });
    await speak(app, valve, '1=1');
    await settle(app);
    const page = await openAtPlantTime(app, `/dashboard/trend?points=${valve.channels[0]?.datapointUuid}`, {
      as: app.people.manager,
    });
    await page.addInitScript(`
      globalThis.drawn = [];
      const plain = CanvasRenderingContext2D.prototype.fillText;
      CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
        const start = this.textAlign === 'right' ? this.measureText(text).width : 0;
        drawn.push({ text, left: this.getTransform().e + x - start });
        plain.call(this, text, x, y);
      };`);
    await page.reload();
    await page.getByRole('region', { name: 'Trend' }).locator('canvas').first().waitFor();
    const labels = () =>
      page.evaluate<{ text: string; left: number }[]>('drawn.filter(({ text }) => / by /.test(text))');
    await expect
      .poll(async () => new Set((await labels()).map(({ text }) => text)))
      .toEqual(new Set(['Closed by hand', 'Opened by remote']));
    expect(Math.min(...(await labels()).map(({ left }) => left))).toBeGreaterThanOrEqual(0);
    await app.leave(page);
  });
});
