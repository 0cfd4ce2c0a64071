/** A manager sets up a plant in the console, from nothing to an acknowledged alarm. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, signInByForm, startConsole, troubles } from '../../harness/browser/console.ts';
import { goTo } from '../../harness/browser/settled.ts';
import { ensureAll } from '../../harness/machine/debian.ts';
import { inWindow, stored } from '../support/admin.ts';
import { settle } from '../support/alarm-plant.ts';

const run = promisify(execFile);
const curl = await ensureAll({ binaries: ['curl'], package: 'curl' });
if (curl.missing) console.warn(curl.missing);

const password = 'the first own password';
let app: ConsoleApp;
/** The windows of the manager and of the invited user. */
let page: Page;
let other: Page;
/** Token of the new sensor. */
let token: string;
beforeAll(async () => {
  app = await startConsole();
  page = await app.open('/reports', { as: app.people.manager, time: app.clock.now() });
});
afterAll(async () => {
  await app?.close();
  expect(troubles.splice(0)).toEqual([]);
});

const { panel, toast, row, save, pick, button, code } = inWindow(() => page);
const menu = (name: string) =>
  page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name, exact: true }).click();
const dialogOf = (window: Page) => window.getByRole('dialog', { name: 'Acknowledge alarm' });

const next = () => page.getByRole('navigation', { name: 'Admin' }).getByRole('button', { name: /^Step \d of 8/ });

describe.skipIf(curl.missing)('the setup of a plant', () => {
  test('the start page of an empty plant says how to begin, and leads to the form', async () => {
    const steps = page.getByRole('region', { name: 'First steps' });
    // The plant is empty except for an operator without a link to a site.
    await steps.getByText('0 of 8 done').waitFor();
    expect(await steps.getByRole('listitem').count()).toBe(8);
    await goTo(page, '/dashboard');
    await steps.getByRole('link', { name: 'Start: Add a site' }).click();
    await panel('New site').waitFor();
    await panel('New site').getByRole('button', { name: 'Cancel' }).click();
    expect(await next().textContent()).toContain('Add a site');
    await menu('Groups');
  });

  test('the manager adds a group', async () => {
    await button('New group').first().click();
    const form = panel('New group');
    await form.getByLabel('Level').selectOption('5');
    await form.getByLabel('Name').fill('Lowland');
    await save(form);
    await toast('Lowland was added.').waitFor();
  });

  test('the manager adds a site in this group', async () => {
    await menu('Sites');
    await button('New site').first().click();
    const form = panel('New site');
    await form.getByLabel('Name', { exact: true }).fill('Holmwick Booster');
    await form.getByLabel('Site ID').fill('BS-12');
    await pick(form, 'Unit office (level 5)', 'Lowland', 'Lowland');
    await save(form);
    await toast('Holmwick Booster was added.').waitFor();
    const [site] = await stored(app, 'site', { name: 'Holmwick Booster' });
    const [group] = await stored(app, 'group', { name: 'Lowland' });
    expect(site.tocsin_group5_uuid).toBe(group.uuid);
    const state = page.locator('tr[data-row] td', { hasText: 'No data yet' });
    expect(await state.evaluate((cell: any) => cell.scrollWidth - cell.clientWidth), 'its state is not cut').toBe(0);
    await next().getByText('Register a sensor').waitFor();
  });

  test('the manager adds a sensor, whose token is shown, and its channel', async () => {
    await menu('Sensor List');
    await button('New sensor').first().click();
    await panel('New sensor').getByLabel('UID').fill('HW-PRESSURE-1');
    await save(panel('New sensor'), 'Register');
    const sensor = panel('HW-PRESSURE-1');
    await sensor.getByText('the only time the token is shown').waitFor();
    const curlCommand = await code('HTTP with curl');
    token = await code('token');
    expect(curlCommand).toContain(`Bearer ${token}`);
    expect(await next().textContent()).toContain('Register a sensor');

    const { stdout } = await run('sh', ['-c', `${curlCommand} -sS`]);
    expect(JSON.parse(stdout)).toMatchObject({ accepted: 0 });
    await sensor.getByText('Frame rejected').waitFor();
    await sensor.getByRole('button', { name: 'Add channel' }).click();
    const channel = panel('HW-PRESSURE-1: new channel');
    expect(await channel.getByLabel('Number').inputValue()).toBe('1');
    await channel.getByLabel('Name').fill('Pressure');
    await save(channel);
    await page.getByRole('button', { name: /1 Pressure/ }).waitFor();
    await next().getByText('Add an asset').waitFor();
  });

  test('the manager adds an asset, and a data point for the channel', async () => {
    await menu('Assets');
    await button('New asset').first().click();
    const asset = panel('New asset');
    await asset.getByLabel('Name').fill('Booster pump');
    await pick(asset, 'Site', 'Holmwick', 'Holmwick Booster, BS-12');
    await pick(asset, 'Sensor', 'HW-PRESSURE', 'HW-PRESSURE-1');
    await save(asset);
    await toast('Booster pump was added.').waitFor();

    await menu('Data Points');
    await button('New data point').first().click();
    const point = panel('New data point');
    await point.getByLabel('Name').fill('Outlet pressure');
    await pick(point, 'Asset', 'Booster', /Booster pump/);
    // The form uses the asset's sensor, so the user chooses only the channel.
    await point.getByLabel('Channel').selectOption({ label: '1 Pressure' });
    await point.getByLabel('Unit').fill('bar');
    await save(point);
    await toast('Outlet pressure was added.').waitFor();
  });

  test('the manager invites a user, who accepts the invitation in another window', async () => {
    await menu('Users');
    await button('New user').first().click();
    const form = panel('New user');
    await form.getByLabel('Name', { exact: true }).fill('Lena Voss');
    await form.getByText('the invitation stays in the outbox').waitFor();
    await form.getByLabel('E-mail', { exact: true }).first().fill('lena@holmwick.example');
    expect(await form.getByLabel('User name').inputValue()).toBe('lena@holmwick.example');
    await form.getByLabel('User name').fill('lena-at-holmwick');
    await form.getByRole('tab', { name: 'Sites' }).click();
    await pick(form, 'Link a site', 'holmwick', 'Holmwick Booster, BS-12');
    await save(form, 'Invite');
    await toast('The invitation for Lena Voss will be in the outbox in a few seconds.').waitFor();
    await row('Lena Voss').getByText('Invited').waitFor();
    await app.engine?.tick();
    const [invitation] = await stored(app, 'outbox', { address: 'lena@holmwick.example' });
    const link = new URL(/https?:\/\/\S+\/auth\/activation\S+/.exec(invitation.body)?.[0] ?? '');

    other = await app.open(`${link.pathname}${link.search}`, { time: app.clock.now() });
    await other.getByLabel('New password').fill(password);
    await other.getByLabel('Confirm password').fill(password);
    await other.getByRole('button', { name: 'Activate', exact: true }).click();
    await other.getByRole('region', { name: 'Messages' }).locator('[data-kind=success]').waitFor();
    await goTo(other, '/auth/login');
    await signInByForm(other, 'lena@holmwick.example', password);
    await other.waitForURL('**/reports');
    await page.reload();
    await row('Lena Voss').getByText('Active').waitFor();
  });

  test('the manager adds a rule, its recipients and a reason', async () => {
    await menu('Rules & Alerts');
    await button('New rule').first().click();
    await page.getByLabel('Name', { exact: true }).fill('Pressure high');
    await pick(page, 'Data point', 'Outlet Holmwick', /Outlet pressure/);
    await page.getByLabel('Upper limit').first().fill('20');
    await page.getByLabel('Debounce').fill('0');
    await save(page);
    await page.getByText('Version 1 is live').waitFor();

    await menu('Rules & Alerts');
    await page.getByText('Rule alerts', { exact: true }).click();
    await button('New rule alert').first().click();
    const alert = panel('New rule alert');
    await pick(alert, 'Site', 'Holmwick', /Holmwick Booster/);
    await alert.getByRole('combobox', { name: 'Rule', exact: true }).fill('Pressure high');
    await page.keyboard.press('Tab');
    await pick(alert, 'Add a person to notify', 'Lena', /Lena Voss/);
    await alert.getByLabel('New reason').fill('Valve is being opened');
    await page.keyboard.press('Enter');
    await alert.getByLabel('New reason').fill('Pump is blocked');
    await save(alert);
    await alert.waitFor({ state: 'detached' });
    expect((await stored(app, 'reason', {})).map(({ reason }) => reason).sort()).toEqual([
      'Pump is blocked',
      'Valve is being opened',
    ]);
    await next().getByText('Send a test value').waitFor();
  });

  test('the device sends by the command of the last step, the console shows an alarm, and the message is sent', async () => {
    await next().click();
    const steps = page.getByRole('region', { name: 'First steps' });
    await steps.getByText('Send a value outside the limits of the rule “Pressure high”').waitFor();
    await steps.getByRole('link', { name: 'on its Device tab' }).click();
    await page.getByRole('tab', { name: 'Device', selected: true }).waitFor();
    const deviceTab = page.url();
    await page.goBack();
    const command = await code('test value with curl');
    const { stdout } = await run('sh', ['-c', `${command} -sS`], { env: { ...process.env, TOKEN: token } });
    expect(JSON.parse(stdout)).toMatchObject({ accepted: 1 });
    await settle(app);
    await steps.getByText('all done').waitFor();
    await page.goto(deviceTab);
    const device = page.getByRole('status', { name: 'Listening' });
    await device.getByText('Open alarm:').getByRole('link').click();
    await page.waitForURL(/\/dashboard\/alarms\/[0-9a-f-]{36}/);
    await page.goto('/dashboard/alarms');
    await page.locator('tr[data-alarm]').filter({ hasText: 'Pressure high' }).waitFor();
    const [, message, ...more] = await stored(app, 'outbox', { address: 'lena@holmwick.example' });
    expect(more).toEqual([]);
    expect(message.body).toMatch(/Holmwick Booster.*22/s);
  });

  test('the recipient acknowledges it with the reason, and the manager sees it', async () => {
    await goTo(other, '/dashboard/alarms');
    await other.locator('tr[data-alarm]').filter({ hasText: 'Pressure high' }).click();
    const detail = other.getByLabel('Alarm', { exact: true });
    await detail.getByText('not sent, no sender is set up').waitFor();
    await detail.getByText('Next: acknowledge it with a reason. Then resolve it').waitFor();
    await detail.getByRole('link', { name: 'Reasons for similar alarms' }).waitFor();
    await detail.getByRole('button', { name: 'Acknowledge' }).click();
    await dialogOf(other).getByRole('button', { name: 'Valve is being opened' }).click();
    await dialogOf(other).waitFor({ state: 'detached' });
    const [alarm] = await stored(app, 'alarm', { rule_name: 'Pressure high' });
    const [lena] = await stored(app, 'user', { email: 'lena@holmwick.example' });
    expect(alarm.acknowledge_json).toMatchObject({
      by: lena.uuid,
      reason: 'Valve is being opened',
      channel: 'console',
    });

    await page.reload();
    await page.locator('tr[data-alarm]').filter({ hasText: 'Pressure high' }).click();
    const timeline = page.getByLabel('Alarm', { exact: true }).getByRole('region', { name: 'Timeline' });
    await timeline.getByText(/Lena Voss.*Valve is being opened/).waitFor();
  });
});
