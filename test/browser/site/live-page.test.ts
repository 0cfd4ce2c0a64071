import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { board } from '../../harness/browser/board.ts';
import { type ConsoleApp, startConsole, troubles } from '../../harness/browser/console.ts';
import { goTo } from '../../harness/browser/settled.ts';
import { serviceQuery } from '../../harness/database/factories.ts';
import { createSensor } from '../../harness/device/devices.ts';
import { long } from '../../harness/long.ts';
import { expectGoodLooks, wide } from '../support/accessible.ts';
import { acknowledgeAs, report, settle, stored } from '../support/alarm-plant.ts';
import { type ColdStore, createColdStore, openAtPlantTime, speak } from '../support/site-plant.ts';

let app: ConsoleApp;
let store: ColdStore;
beforeAll(async () => {
  app = await startConsole();
  store = await createColdStore(app, 'Quay Store');
  await speak(app, store.room, '1=-20.5 2=31');
  await speak(app, store.door, '1=0');
  await settle(app);
});
afterAll(async () => {
  await app?.close();
  expect(troubles.splice(0)).toEqual([]);
});

const pathOf = ({ site }: ColdStore) => `/dashboard/site/${site.uuid}`;
const tile = (page: Page, name: string) => page.getByRole('region', { name: 'Values' }).getByRole('button', { name });

/** Simulates the user's return to the window, after which the page reloads its data at once. */
async function comeBack(page: Page): Promise<void> {
  await page.clock.setFixedTime(app.clock.now().getTime() + 60_000);
  await page.evaluate('window.dispatchEvent(new Event("visibilitychange"))');
}

describe('a site', () => {
  test('opens from the board, updates a tile by a frame without a reload, and marks values as old after a lost connection', async () => {
    const page = await openAtPlantTime(app, '/dashboard', { as: app.people.operator });
    await board(page).getByRole('link', { name: 'Quay Store' }).click();
    await page.getByRole('heading', { level: 1, name: 'Quay Store' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(pathOf(store));
    await tile(page, 'Temperature').getByText('−20.5').waitFor();
    await tile(page, 'Door').getByText('Closed').waitFor();
    await page.evaluate('globalThis.stayed = true');
    await speak(app, store.room, '1=-21.25 2=30');
    await tile(page, 'Temperature').getByText('−21.25').waitFor();
    await speak(app, store.door, '1=1');
    await tile(page, 'Door').getByText('Open', { exact: true }).waitFor();
    expect(await page.evaluate('globalThis.stayed')).toBe(true);
    const color = () =>
      tile(page, 'Door')
        .locator('[data-state]')
        .evaluate((face) => (face as any).style.cssText);
    await settle(app);
    await expect.poll(color).toContain('#00aa00');
    // Users who are not allowed to change the site do not see these controls.
    expect(await page.getByRole('button', { name: 'Order', exact: true }).count()).toBe(0);
    expect(await page.getByText('Raw frames').count()).toBe(0);

    const value = tile(page, 'Temperature').locator('[data-measured]');
    const style = () => value.evaluate((element) => (globalThis as any).getComputedStyle(element).fontStyle);
    await value.waitFor();
    expect(await style()).toBe('normal');
    const before = troubles.length;
    await page.context().setOffline(true);
    await page.getByText('Showing last known values').waitFor();
    expect(await style()).toBe('italic');
    await page.context().setOffline(false);
    await page.getByText('Showing last known values').waitFor({ state: 'detached' });
    expect(await style()).toBe('normal');
    troubles.splice(before);
    await app.leave(page);
  });

  test('shows its alarm in the header, the list and the tile, where it can be handled', async () => {
    const hot = await createColdStore(app, 'Hot Store');
    await speak(app, hot.room, '1=-20');
    await settle(app);
    const page = await openAtPlantTime(app, pathOf(hot), { as: app.people.operator });
    const header = page.getByRole('banner').getByRole('status');
    await header.getByText('Normal').waitFor();
    const alarms = page.getByRole('region', { name: 'Open alarms' });
    await alarms.getByText('No open alarms').waitFor();
    const told = alarms.getByLabel('Recipients');
    await told.getByText(app.people.operator.display_name).waitFor();
    // The page lists the people who would be notified now. An alarm that is already open may have notified other
    // people.
    expect(await told.textContent()).toMatch(/^Recipients of new alarms/);
    expect(await told.textContent()).toMatch(new RegExp(`After 15.min.*${app.people.manager.display_name}`));
    await speak(app, hot.room, '1=-11.5');
    await settle(app);
    await header.getByText('Critical, not acknowledged').waitFor();
    await header.getByText('1 open alarm').waitFor();
    await tile(page, 'Temperature').getByText('Critical, high').waitFor();
    // No sender is configured, so the notifications are in the outbox.
    await alarms.getByRole('listitem').getByText('Nobody notified: no sender is set up for e-mail').waitFor();
    await alarms.getByRole('button', { name: /^Acknowledge/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Loading' }).click();
    await header.getByText('Critical, acknowledged').waitFor();
    const [alarm] = await serviceQuery(app.db, 'select uuid from tocsin.alarm where tocsin_site_uuid = $1', [
      hot.site.uuid,
    ]);
    expect((await stored(app, alarm.uuid)).acknowledge_json).toMatchObject({ reason: 'Loading' });
    await app.leave(page);
  });

  test('lists its open alarms in their order, and says that a value is back', async () => {
    const back = await createColdStore(app, 'Back Store');
    await serviceQuery(app.db, 'update tocsin.rule set debounce = 60 where tocsin_site_uuid = $1', [back.site.uuid]);
    await report(app, back.site, 'Seal torn');
    await speak(app, back.room, '1=-11.5');
    app.clock.advance(61_000);
    await settle(app);
    const [warm] = await serviceQuery<{ uuid: string }>(
      app.db,
      `select uuid from tocsin.alarm where tocsin_site_uuid = $1 and source = 'limits'`,
      [back.site.uuid],
    );
    await acknowledgeAs(app, app.people.operator, warm?.uuid ?? '', 'Loading');
    await speak(app, back.room, '1=-20');
    await settle(app);
    const page = await openAtPlantTime(app, pathOf(back), { as: app.people.operator });
    const rows = page
      .getByRole('region', { name: 'Open alarms' })
      .getByRole('listitem')
      .filter({ has: page.getByRole('link') });
    await rows.filter({ hasText: 'was above −15' }).waitFor();
    expect(await rows.allTextContents()).toEqual([
      expect.stringContaining('Seal torn'),
      expect.stringContaining('Back Store warm'),
    ]);
    await app.leave(page);
  });

  long('removes a data point that is deleted meanwhile, and the trend says so', async () => {
    const gone = await createColdStore(app, 'Gone Store');
    const page = await openAtPlantTime(app, `${pathOf(gone)}?points=${gone.temperature},${gone.current}`, {
      as: app.people.operator,
    });
    await tile(page, 'Current').waitFor();
    await page.getByRole('list', { name: 'Shown values' }).getByText('Current').waitFor();
    await serviceQuery(app.db, 'delete from tocsin.asset_datapoint where uuid = $1', [gone.current]);
    await comeBack(page);
    await tile(page, 'Current').waitFor({ state: 'detached' });
    const trend = page.getByRole('region', { name: 'Trend' });
    await trend.getByText(/One value is not available/).waitFor();
    await trend.getByRole('button', { name: 'Remove', exact: true }).click();
    await trend.getByText(/not available/).waitFor({ state: 'detached' });
    await tile(page, 'Temperature').waitFor();
    await app.leave(page);
  });

  long('says that the link to a site was removed, and that an address names no site', async () => {
    const lost = await createColdStore(app, 'Lost Store');
    const page = await openAtPlantTime(app, pathOf(lost), { as: app.people.operator });
    await tile(page, 'Temperature').waitFor();
    await serviceQuery(app.db, 'delete from tocsin.site_user where tocsin_site_uuid = $1', [lost.site.uuid]);
    await comeBack(page);
    await page.getByText('Site not found').waitFor();
    expect(await page.getByRole('button', { name: 'Temperature' }).count()).toBe(0);
    await page.getByRole('link', { name: 'All sites' }).waitFor();
    await goTo(page, pathOf(store));
    await tile(page, 'Temperature').waitFor();
    await goTo(page, '/dashboard/site/nonsense');
    await page.getByText('Site not found').waitFor();
    await app.leave(page);
  });

  test('can be rearranged by keys and by dragging, by users who may', async () => {
    const order = await createColdStore(app, 'Order Store');
    const places = async () =>
      (
        await serviceQuery(
          app.db,
          `select tocsin_datapoint_name as name from tocsin.asset_datapoint where tocsin_asset_uuid = $1
           order by tocsin_asset_datapoint_order`,
          [order.room.assetUuid],
        )
      ).map(({ name }) => name);
    const page = await openAtPlantTime(app, pathOf(order), { as: app.people.manager });
    await page.getByRole('button', { name: 'Order', exact: true }).click();
    await page.getByRole('button', { name: 'Move Temperature, position 1 of 2' }).focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(places).toEqual(['Current', 'Temperature']);
    await page.getByRole('button', { name: 'Move Temperature, position 2 of 2' }).waitFor();
    const from = await page.getByRole('button', { name: 'Move Current' }).boundingBox();
    const to = await page.getByRole('button', { name: 'Move Temperature' }).boundingBox();
    if (!from || !to) throw new Error('The tiles are not there.');
    await page.mouse.move(from.x + 20, from.y + 20);
    await page.mouse.down();
    await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 5 });
    await page.mouse.up();
    await expect.poll(places).toEqual(['Temperature', 'Current']);
    await app.leave(page);
  });

  test('shows the last frames, unreadable ones too, and commands to users who manage sensors, and is accessible on wide and phone screens', async () => {
    await speak(app, store.room, '1=NaN');
    const page = await openAtPlantTime(app, pathOf(store), { as: app.people.manager });
    await page.getByRole('region', { name: 'Last commands' }).getByText('No commands yet').waitFor();
    expect(await page.getByText('1=NaN').count()).toBe(0);
    await page.getByRole('tab', { name: 'Raw frames' }).click();
    await page.getByRole('region', { name: 'Last raw frames' }).getByText('1=NaN').waitFor();
    expect(await tile(page, 'Temperature').textContent()).toContain('−21.25');
    await page.getByRole('region', { name: 'Trend' }).locator('canvas').first().waitFor();
    await expectGoodLooks(page);
    await page.setViewportSize(wide);
    await page.getByRole('tab', { name: 'Commands' }).click();
    await page.getByRole('link', { name: 'New command' }).click();
    await page.waitForURL(/sensor-command\?.*uids=/);
    await app.leave(page);
  });
});

long('a site behind a gateway sensor says that this gateway forwards its data', async () => {
  const { customer, manager } = app.people;
  const gateway = await createSensor(app.db, { customer, uid: 'gw-quay' });
  const columns = { tocsin_gateway_uuid: gateway.uuid };
  const behind = await createSensor(app.db, { customer, uid: 'behind-quay', columns });
  const page = await openAtPlantTime(app, `/dashboard/site/${behind.site.uuid}`, { as: manager });
  await page.getByRole('tab', { name: 'Raw frames' }).click();
  const frames = page.getByRole('region', { name: 'Last raw frames' });
  await frames.getByText('No frame has arrived yet').waitFor();
  app.clock.advance(1000);
  const answer = await fetch(`${app.url}/api/v1/ingest`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ frames: [{ uid: behind.uid, '1': 4.5 }] }),
  });
  expect(answer.status).toBe(200);
  await settle(app);
  await frames.getByText('This gateway forwards data from sensors at this site').waitFor();
  await frames.getByText('gw-quay').waitFor();
  expect(await frames.getByRole('link', { name: 'its sensor log' }).getAttribute('href')).toContain('q=gw-quay');
  await app.leave(page);
});
