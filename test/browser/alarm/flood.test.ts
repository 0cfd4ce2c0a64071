import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConsoleApp, startConsole, troubles } from '../../harness/browser/console.ts';
import { goTo } from '../../harness/browser/settled.ts';
import { createSite, insertRow, linkUser } from '../../harness/database/factories.ts';
import { createSensor } from '../../harness/device/devices.ts';
import { expectAccessible, expectGoodLooks } from '../support/accessible.ts';
import { sendAll, settle, type Well } from '../support/alarm-plant.ts';

const POINTS = 14;
let app: ConsoleApp;
let mill: Well;
beforeAll(async () => {
  app = await startConsole();
  mill = await createMill();
});
afterAll(async () => {
  await app?.close();
  expect(troubles.splice(0)).toEqual([]);
});

/** Creates a site with a rule for each data point. The operator is notified of all its alarms. */
async function createMill(): Promise<Well> {
  const { customer, operator } = app.people;
  const own = { tocsin_customer_uuid: customer.uuid };
  const site = await createSite(app.db, { customer, name: 'Corn Mill' });
  await linkUser(app.db, operator, site);
  const channels = Array.from({ length: POINTS }, (_, index) => ({ name: `Bearing ${index + 1}` }));
  const sensor = await createSensor(app.db, { customer, site, channels });
  for (const [index, { datapointUuid }] of sensor.channels.entries()) {
    await insertRow(app.db, 'tocsin.rule', {
      ...{ ...own, tocsin_site_uuid: site.uuid, tocsin_asset_uuid: sensor.assetUuid, name: 'Hot' },
      ...{ tocsin_datapoint_uuid: datapointUuid, value_upper: 80, message: `Bearing ${index + 1} is hot` },
    });
  }
  const alert = await insertRow<{ uuid: string }>(app.db, 'tocsin.rule_alert', {
    ...{ ...own, tocsin_site_uuid: site.uuid, tocsin_rule_name: 'Hot' },
  });
  await insertRow(app.db, 'tocsin.rule_alert_user', {
    ...{ ...own, tocsin_rule_alert_uuid: alert.uuid, tocsin_user_uuid: operator.uuid, is_alert: true },
  });
  return { site, sensor, ruleName: 'Hot' };
}

const banner = (page: Page) => page.getByRole('region', { name: 'Alarm floods' });

test('a flood is shown on the dashboard and above the alarms, and the timeline names the digest', async () => {
  const page = await app.visit('/dashboard', { as: app.people.operator });
  expect(await banner(page).count()).toBe(0);
  const values = Object.fromEntries(Array.from({ length: POINTS }, (_, index) => [index + 1, 95]));
  await sendAll(app, mill, values, 0);
  await settle(app);
  // Open pages show the flood without a reload.
  await banner(page).getByText('Flood at Corn Mill').waitFor();
  await expectAccessible(page);
  await expectGoodLooks(page);
  await banner(page).getByRole('link', { name: '14 alarms' }).click();
  await page.getByText(/^Alarms of the flood at Corn Mill/).waitFor();
  await expect.poll(() => page.getByText(/^Bearing \d+ is hot/).count()).toBeGreaterThanOrEqual(POINTS);

  app.clock.advance(65_000);
  await settle(app);
  await goTo(page, '/dashboard/my-work');
  const digest = page.getByRole('link', { name: /Alarm flood at Corn Mill since .* 4 new alarms/ }).first();
  await digest.click();
  await page.getByText('Alarms of one digest').waitFor();
  await expectAccessible(page);
  await page.getByText('Bearing 14 is hot').first().click();
  const timeline = page.getByRole('region', { name: 'Timeline' });
  await timeline.getByText('Opened in a flood').waitFor();
  await timeline.getByText(/^A digest reported the alarm to /).waitFor();
  await timeline.getByText('digest', { exact: false }).first().waitFor();
  // On a phone, the details cover the list.
  await page.goBack();
  await page.getByRole('button', { name: 'Show all alarms' }).click();
  await page.getByText('Alarms of one digest').waitFor({ state: 'detached' });
  await expectGoodLooks(page);

  app.clock.advance(600_000);
  await settle(app);
  await banner(page).waitFor({ state: 'detached' });
  await app.leave(page);
});
