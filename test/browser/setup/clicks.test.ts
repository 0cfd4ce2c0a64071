/** The guided setup: each saved record offers the next step, and the whole setup stays within its click limit. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, startConsole, troubles } from '../../harness/browser/console.ts';
import { goTo } from '../../harness/browser/settled.ts';
import { inWindow, plantAsset, plantSite, sendByHttp, stored } from '../support/admin.ts';
import { settle } from '../support/alarm-plant.ts';

const CLICK_BUDGET = 20;

let app: ConsoleApp;
let page: Page;
beforeAll(async () => {
  app = await startConsole();
});
afterAll(async () => {
  await app?.close();
  expect(troubles.splice(0)).toEqual([]);
});

const { panel, toast, save, pick, code } = inWindow(() => page);
const offer = () => page.getByRole('region', { name: 'Next step' });
const takeStep = (name: string) => offer().getByRole('link', { name, exact: true }).click();
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();

/** Counts every pointer press in the window. Returns a function that reads the count. */
async function countClicks(window: Page): Promise<() => Promise<number>> {
  await window.evaluate(`
    window.clickCount = 0;
    addEventListener('pointerdown', () => { window.clickCount += 1; }, { capture: true });
  `);
  return () => window.evaluate('window.clickCount') as Promise<number>;
}

const fieldOf = (label: string) => page.getByLabel(label, { exact: true }).first();
const isFocused = (label: string) =>
  fieldOf(label).evaluate((input: any) => input.ownerDocument.activeElement === input);

/** Types into the field that has the focus when the form opens. */
async function typeFirst(label: string, text: string): Promise<void> {
  await fieldOf(label).waitFor();
  await expect.poll(() => isFocused(label), { message: `${label} has the focus` }).toBe(true);
  await page.keyboard.type(text);
}

/** Clicks a field and types into it, as a person with a mouse does. */
async function clickAndType(label: string, text: string): Promise<void> {
  await fieldOf(label).click();
  await page.keyboard.type(text);
}

describe('the setup', () => {
  test(`leads from an empty plant to a live alarm in at most ${CLICK_BUDGET} clicks, with the proposed test value`, async () => {
    page = await app.open('/reports', { as: app.people.owner, time: app.clock.now() });
    const clicks = await countClicks(page);
    await page.getByRole('link', { name: 'Start: Add a site' }).click();
    await panel('New site').waitFor();
    await typeFirst('Name', 'Holmwick Booster');
    await clickAndType('Site ID', 'BS-12');
    await save(panel('New site'));

    await takeStep('Add asset');
    await panel('New asset').waitFor();
    await typeFirst('Name', 'Booster pump');
    expect(await panel('New asset').getByRole('combobox', { name: 'Site' }).inputValue()).toBe(
      'Holmwick Booster, BS-12',
    );
    await save(panel('New asset'));

    await takeStep('Add sensor');
    await panel('New sensor').waitFor();
    await typeFirst('UID', 'HW-PRESSURE-1');
    await save(panel('New sensor'), 'Register');
    await panel('HW-PRESSURE-1').getByText('the only time the token is shown').waitFor();
    const token = await code('token');
    await press('Copy: token');

    await takeStep('Add channel');
    await panel('HW-PRESSURE-1: new channel').waitFor();
    await typeFirst('Name', 'Pressure');
    await save(panel('HW-PRESSURE-1: new channel'));

    await takeStep('Add data point');
    const point = panel('New data point');
    await point.waitFor();
    await expect.poll(() => point.getByLabel('Channel').inputValue()).not.toBe('');
    expect(await point.getByLabel('Name').inputValue()).toBe('Pressure');
    await save(point);

    await takeStep('Add rule');
    await page.getByText('Booster pump, Pressure').first().waitFor({ state: 'attached' });
    await typeFirst('Name', 'Pressure high');
    await clickAndType('Upper limit', '80');
    await save(page);

    await takeStep('Add recipients');
    const alert = panel('New rule alert');
    await alert.waitFor();
    // Site and rule are prefilled, so the first empty field has the focus.
    const person = alert.getByRole('combobox', { name: 'Add a person to notify' });
    await expect.poll(() => person.evaluate((field: any) => field === field.ownerDocument.activeElement)).toBe(true);
    await alert.getByRole('button', { name: 'Add me' }).click();
    await save(alert);

    await takeStep('Send test value');
    const device = panel('HW-PRESSURE-1');
    await device.getByText('The value 88 violates the rule “Pressure high”.').waitFor();
    await device.getByText('The alarm opens as soon as the value arrives.').waitFor();
    const body = /-d '([^']*)'/.exec(await code('HTTP with curl'))?.[1] ?? '';
    await press('Copy: HTTP with curl');
    expect(await sendByHttp(app, 'HW-PRESSURE-1', token, body)).toBe(200);
    await settle(app);
    const bell = page.locator('header a[href="/dashboard/alarms"]').filter({ hasText: '1' });
    await bell.waitFor();
    expect(await clicks()).toBeLessThanOrEqual(CLICK_BUDGET);
    expect(await clicks(), 'the counter works').toBeGreaterThan(10);

    await bell.click();
    await page.locator('tr[data-alarm]').filter({ hasText: 'Pressure high' }).waitFor();
    const [asset] = await stored(app, 'asset', { name: 'Booster pump' });
    const [sensor] = await stored(app, 'sensor', { uid: 'HW-PRESSURE-1' });
    expect(asset.tocsin_sensor_uuid, 'the asset names the sensor that was added for it').toBe(sensor.uuid);
    const [told] = await stored(app, 'rule_alert_user', {});
    expect(told.tocsin_user_uuid).toBe(app.people.owner.uuid);
    const messages = await stored(app, 'notification', { tocsin_user_uuid: app.people.owner.uuid });
    expect(messages.length).toBeGreaterThan(0);
    await app.leave(page);
  });

  test('shows the next step until it is taken or closed, or the page is left', async () => {
    page = await app.open('/admin/sites?record=new', { as: app.people.manager });
    await panel('New site').getByLabel('Name', { exact: true }).fill('Kelder Road');
    await panel('New site').getByLabel('Site ID').fill('KR-1');
    await save(panel('New site'));
    await toast('Kelder Road was added.').waitFor();
    await toast('Kelder Road was added.').click();
    await toast('Kelder Road was added.').waitFor({ state: 'detached' });
    await offer().getByText('Kelder Road').waitFor();
    await offer().getByRole('button', { name: 'Close' }).click();
    await offer().waitFor({ state: 'detached' });
    await app.leave(page);
  });

  test('registers a sensor that is typed into the asset form when the asset is saved, and shows its token once', async () => {
    const site = await plantSite(app, 'Weir Lane', 'WL-1');
    page = await app.open(`/admin/assets?record=new&site=${site.uuid}`, { as: app.people.manager });
    const form = panel('New asset');
    await form.getByLabel('Name').fill('Weir gate');
    await pick(form, 'Sensor', 'WL-GATE-7', 'Create “WL-GATE-7”');
    await form.getByText('WL-GATE-7 is registered when you save the asset.').waitFor();
    expect(await form.getByRole('combobox', { name: 'Sensor' }).inputValue()).toBe('WL-GATE-7');
    expect(await stored(app, 'sensor', { uid: 'WL-GATE-7' })).toEqual([]);
    await save(form);
    const shown = page.getByRole('dialog', { name: 'WL-GATE-7 is registered' });
    await shown.getByText('the only time the token is shown').waitFor();
    await shown.getByText('This sensor has no rule yet, so this value opens no alarm.').waitFor();
    const token = await code('token');
    expect(await code('HTTP with curl')).toContain(`Bearer ${token}`);
    expect(await sendByHttp(app, 'WL-GATE-7', token, '{"1": 3}')).toBe(200);
    // The Done button stays visible on a small laptop, because only the text of the dialog scrolls.
    await page.setViewportSize({ width: 1366, height: 768 });
    const done = shown.getByRole('button', { name: 'Done' });
    const box = await done.boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? Number.NaN)).toBeLessThanOrEqual(768);
    await done.click();
    await form.waitFor({ state: 'detached' });
    const [sensor] = await stored(app, 'sensor', { uid: 'WL-GATE-7' });
    expect((await stored(app, 'asset', { name: 'Weir gate' }))[0].tocsin_sensor_uuid).toBe(sensor.uuid);
    // The sensor has no channel yet, so the next step is to add a channel and not a data point.
    await takeStep('Add channel');
    await panel('WL-GATE-7: new channel').waitFor();
    await app.leave(page);
  });

  test('offers an add button for the site in every card of the site page', async () => {
    const site = await plantSite(app, 'Mill Sluice', 'MS-4');
    await plantAsset(app, site, 'Sluice gate');
    page = await app.open(`/admin/sites/${site.uuid}`, { as: app.people.manager });
    const cards = { Assets: 'Add asset', Sensors: 'Add sensor', Rules: 'Add rule', People: 'Add person' };
    for (const [card, action] of Object.entries(cards)) {
      await goTo(page, `/admin/sites/${site.uuid}`);
      const section = page.locator('section', { has: page.getByRole('heading', { name: new RegExp(`^${card}`) }) });
      await section.getByRole('link', { name: action }).click();
      await page.locator('[data-panel], form').first().waitFor();
    }
    await app.leave(page);
  });
});
