/** What is saved together, how tables look, why a rule did not fire, and what messages cost. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConsoleApp, startConsole, troubles } from '../harness/console.ts';
import { createSensor, type TestSensor } from '../harness/devices.ts';
import { createSite, createUser, insertRow, type SiteRow, serviceQuery } from '../harness/factories.ts';
import { expectAccessible } from './accessible.ts';

let app: ConsoleApp;
let site: SiteRow;
let sensor: TestSensor;
let rule: { uuid: string };
let leaver: { uuid: string };
const NOW = new Date('2026-03-02T08:00:00Z');
const MINUTE = 60_000;

const open = (path: string, options: Parameters<ConsoleApp['open']>[1] = {}) =>
  app.open(path, { as: app.people.manager, time: NOW, ...options });

beforeAll(async () => {
  app = await startConsole();
  const { customer } = app.people;
  site = await createSite(app.db, { customer, name: 'Mill Lane', siteId: 'PS-0950' });
  sensor = await createSensor(app.db, { customer, site, channels: [{ name: 'Level' }] });
  leaver = await createUser(app.db, { customer, level: 20, displayName: 'Tom Leaver' });
  const own = { tocsin_customer_uuid: customer.uuid };
  rule = await insertRow(app.db, 'tocsin.rule', {
    ...own,
    tocsin_site_uuid: site.uuid,
    tocsin_asset_uuid: sensor.assetUuid,
    tocsin_datapoint_uuid: sensor.channels[0]?.datapointUuid,
    name: 'Level high',
    value_upper: 4,
    debounce: 600,
  });
  // The rule is as old as its readings.
  await serviceQuery(app.db, 'update tocsin.rule_version set created_at = $2 where rule_uuid = $1', [
    rule.uuid,
    new Date(NOW.getTime() - 24 * 60 * MINUTE),
  ]);
  // Out of limits for five minutes, which is too short for the debounce.
  const pipeline = app.gateway?.pipeline;
  const device = await pipeline?.identify(sensor.uid, sensor.token);
  if (!pipeline || !device?.ok) throw new Error('The device is not known.');
  for (const [minutes, level] of [
    [60, 2],
    [40, 5],
    [35, 2],
    [10, 2],
  ] as const) {
    const body = Buffer.from(JSON.stringify({ time: NOW.getTime() - minutes * MINUTE, 1: level }));
    await pipeline.receive(device, { door: 'http', body });
  }
  await pipeline.behind.flush();
});
afterAll(async () => {
  await app?.close();
  expect(troubles.splice(0)).toEqual([]);
});

const heightOfRow = async (page: Page, kind = 'row') =>
  Math.round((await page.locator(`tr[data-${kind}] td`).first().boundingBox())?.height ?? 0);

test('rows are comfortable or compact, in every table and after a reload', async () => {
  const page = await open('/admin/sites');
  const compact = page.getByRole('button', { name: 'Compact rows' });
  await page.locator('tr[data-row]').first().waitFor();
  expect(await heightOfRow(page)).toBeGreaterThanOrEqual(36);
  await compact.click();
  expect(await compact.getAttribute('aria-pressed')).toBe('true');
  expect(await heightOfRow(page)).toBeLessThan(32);
  await page.goto('/admin/sensors');
  await page.locator('tr[data-row]').first().waitFor();
  expect(await heightOfRow(page)).toBeLessThan(32);
  await serviceQuery(
    app.db,
    `insert into tocsin.alarm (tocsin_customer_uuid, tocsin_site_uuid, site_name, message, date_time) values ($1, $2, $3, 'Level high', now())`,
    [app.people.customer.uuid, site.uuid, site.name],
  );
  await page.goto('/dashboard/alarms');
  await page.locator('tr[data-alarm]').first().waitFor();
  expect(await heightOfRow(page, 'alarm')).toBeLessThan(32);
  await page.getByRole('button', { name: 'Compact rows' }).click();
  expect(await heightOfRow(page, 'alarm')).toBeGreaterThanOrEqual(36);
  await app.leave(page);
});

test('a rule alert with somebody who has left says so at its people, and nothing of it is stored', async () => {
  const page = await open(`/admin/rules?tab=alerts&record=new&site=${site.uuid}&rule=Level high`);
  const form = page.getByRole('complementary', { name: 'New rule alert' });
  await form.getByPlaceholder('Add a person to tell').click();
  await page.getByRole('option', { name: /Tom Leaver/ }).click();
  await form.getByLabel('New reason').fill('Storm');
  await form.getByRole('button', { name: 'Add', exact: true }).click();
  await serviceQuery(app.db, 'delete from tocsin.user where uuid = $1', [leaver.uuid]);
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText('Somebody among the people told is not there any more. Take them off.').waitFor();
  expect(await serviceQuery(app.db, 'select from tocsin.rule_alert where tocsin_site_uuid = $1', [site.uuid])).toEqual(
    [],
  );
  await form.getByRole('button', { name: 'Remove Tom Leaver' }).click();
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Level high was saved.').first().waitFor();
  const reasons = await serviceQuery(
    app.db,
    'select r.reason from tocsin.reason r join tocsin.rule_alert a on a.uuid = r.rule_uuid where a.tocsin_site_uuid = $1',
    [site.uuid],
  );
  expect(reasons).toEqual([{ reason: 'Storm' }]);
  await app.leave(page);
});

test('the rule editor explains why the rule did not fire', async () => {
  const page = await open(`/admin/rules?record=${rule.uuid}`);
  const why = page.getByRole('region', { name: 'Why did it not fire?' });
  await why.getByText(/5 min/).first().waitFor();
  const noticed = why.getByRole('list', { name: 'What was noticed' });
  await noticed.getByText('Waiting out the debounce: the value rose above the upper limit').waitFor();
  await noticed.getByText('Normal: it came back before the debounce was over').waitFor();
  await expectAccessible(page);
  await why.getByText('Days', { exact: true }).click();
  await why.getByText('Choose the first and the last day').waitFor();
  await why.getByLabel('First day').fill('2026-02-01');
  await why.getByLabel('Last day').fill('2026-02-02');
  await why.getByText('Nothing changed in this time: it was neither out of limits nor open.').waitFor();
  await app.leave(page);
});

test('the price of an SMS part is said where the channels are, and messages then say what they cost', async () => {
  const page = await open('/admin/alarm-default-message?record=new');
  const preview = page.getByRole('region', { name: 'Preview' });
  await preview.getByText(/1 part\. A link/).waitFor();
  await page.goto('/admin/channels');
  const card = page.getByRole('region', { name: 'SMS' });
  await card.getByLabel('Price of an SMS part').fill('free');
  await card.getByRole('button', { name: 'Save' }).click();
  await card.getByText('Give a price such as 0.075, or leave it empty.').waitFor();
  await card.getByLabel('Price of an SMS part').fill('0,075');
  await card.getByLabel('Currency').fill('eur');
  await card.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The price was saved.').first().waitFor();
  await expectAccessible(page);
  await page.goto('/admin/alarm-default-message?record=new');
  await preview.getByText(/1 part, €0\.075 to each person\. A link/).waitFor();
  await app.leave(page);
});
