/**
 * The console marks recipients whom no notification reaches, refuses to add them and offers to replace them. It shows a
 * warning for rules that reach nobody.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConsoleApp, startConsole, troubles } from '../../harness/browser/console.ts';
import { createUser, serviceQuery, type UserRow } from '../../harness/database/factories.ts';
import { expectAccessible } from '../support/accessible.ts';
import { createWell, flood, settle } from '../support/alarm-plant.ts';

let app: ConsoleApp;
let page: Page;
let nina: UserRow;
let omar: UserRow;
beforeAll(async () => {
  app = await startConsole();
  const { customer } = app.people;
  nina = await createUser(app.db, { customer, level: 20, displayName: 'Nina Holt' });
  omar = await createUser(app.db, { customer, level: 20, displayName: 'Omar Reyes' });
  await createUser(app.db, { customer, level: 20, displayName: 'Dora Disabled', status: false });
  page = await app.open('/dashboard', { as: app.people.manager });
});
afterAll(async () => {
  await app?.close();
  expect(troubles.splice(0)).toEqual([]);
});

test('disabling a user lists the rules that would notify nobody, and a replacement takes their place', async () => {
  const well = await createWell(app, 'Brook', { ruleName: 'Brook high', told: [nina], escalate: [nina] });
  await page.goto(`/admin/users?record=${nina.uuid}`);
  const panel = page.getByRole('complementary', { name: 'Nina Holt' });
  await panel.getByLabel('Enabled').uncheck();
  const effects = panel.getByRole('region', { name: 'Affected rule alerts' });
  await effects.getByText('1 rule alert would then notify nobody:').waitFor();
  await effects.getByText('Brook high, Brook').waitFor();
  await effects.getByRole('combobox', { name: 'Replace with' }).fill('D');
  const disabled = page.getByRole('option', { name: /Dora Disabled/ });
  await disabled.getByText('Disabled. Receives no notifications.').waitFor();
  expect(await disabled.getAttribute('data-combobox-disabled')).toBe('true');
  await effects.getByRole('combobox', { name: 'Replace with' }).fill('Omar');
  await page.getByRole('option', { name: /Omar Reyes/ }).click();
  await expectAccessible(page, 'aside');
  await panel.getByRole('button', { name: 'Save' }).click();
  await panel.waitFor({ state: 'detached' });
  const told = await serviceQuery(
    app.db,
    `select u.tocsin_user_uuid as person from tocsin.rule_alert_user u join tocsin.rule_alert r on r.uuid = u.tocsin_rule_alert_uuid
     where r.tocsin_site_uuid = $1`,
    [well.site.uuid],
  );
  expect(told).toEqual([{ person: omar.uuid }]);
  const [row] = await serviceQuery(app.db, 'select status from tocsin.user where uuid = $1', [nina.uuid]);
  expect(row.status).toBe(false);
});

/** Holds back the response that contains the rule alerts until the test calls the returned function. */
async function holdRuleAlerts(): Promise<() => Promise<void>> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/graphql', async (route) => {
    if (route.request().postData()?.includes('RuleAlertsOfPeople')) await released;
    await route.continue();
  });
  return async () => {
    release();
    await page.unrouteAll({ behavior: 'wait' });
  };
}

test('a user whose rule alerts would notify nobody is disabled only after a replacement or a confirmation', async () => {
  const { customer } = app.people;
  const lena = await createUser(app.db, { customer, level: 20, displayName: 'Lena Frost' });
  await createWell(app, 'Ridge', { ruleName: 'Ridge high', told: [lena], escalate: [lena] });
  const isEnabled = async () =>
    (await serviceQuery(app.db, 'select status from tocsin.user where uuid = $1', [lena.uuid]))[0].status;
  const release = await holdRuleAlerts();
  await page.goto(`/admin/users?record=${lena.uuid}`);
  const panel = page.getByRole('complementary', { name: 'Lena Frost' });
  await panel.getByLabel('Enabled').uncheck();
  await panel.getByRole('button', { name: 'Save' }).click();
  await panel.locator('button[type=submit][data-loading]').waitFor();
  expect(await isEnabled()).toBe(true);
  await release();
  const dialog = page.getByRole('dialog', { name: 'Disable Lena Frost?' });
  await dialog.getByText('Ridge high, Ridge').waitFor();
  await dialog.getByRole('combobox', { name: 'Replace with' }).waitFor();
  const disable = dialog.getByRole('button', { name: 'Disable', exact: true });
  expect(await disable.isDisabled()).toBe(true);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await isEnabled()).toBe(true);
  await panel.getByRole('button', { name: 'Save' }).click();
  await dialog.getByLabel('Disable anyway and notify nobody').check();
  await disable.click();
  await panel.waitFor({ state: 'detached' });
  expect(await isEnabled()).toBe(false);
});

test('the dialog names the sites that the replacement gets access to, and links them', async () => {
  const { customer } = app.people;
  const vera = await createUser(app.db, { customer, level: 20, displayName: 'Vera Lane' });
  const ruth = await createUser(app.db, { customer, level: 20, displayName: 'Ruth Marsh' });
  const mute = await createUser(app.db, { customer, level: 20, displayName: 'Mute Mason' });
  await serviceQuery(app.db, 'update tocsin.user set email_notification = false where uuid = $1', [mute.uuid]);
  const [dale, fell] = [
    await createWell(app, 'Dale', { ruleName: 'Dale high', told: [vera] }),
    await createWell(app, 'Fell', { ruleName: 'Fell high', told: [vera] }),
  ];
  await page.goto(`/admin/users?record=${vera.uuid}`);
  const panel = page.getByRole('complementary', { name: 'Vera Lane' });
  await panel.getByLabel('Enabled').uncheck();
  await panel.getByRole('button', { name: 'Save' }).click();
  const dialog = page.getByRole('dialog', { name: 'Disable Vera Lane?' });
  const disable = dialog.getByRole('button', { name: 'Disable', exact: true });
  const replaceWith = async (name: string) => {
    await dialog.getByRole('combobox', { name: 'Replace with' }).fill(name);
    await page.getByRole('option', { name: new RegExp(name) }).click();
  };
  await dialog.getByText('2 rule alerts would then notify nobody:').waitFor();
  await replaceWith('Mute Mason');
  await dialog.getByText('2 rule alerts would still notify nobody:').waitFor();
  await dialog.getByRole('status').filter({ hasText: 'every method is switched off.' }).waitFor();
  expect(await disable.isDisabled()).toBe(true);
  await replaceWith('Ruth Marsh');
  await dialog.getByText('2 rule alerts will notify Ruth Marsh instead:').waitFor();
  await dialog.getByText('Ruth Marsh gets access to 2 sites: Dale, Fell.').waitFor();
  expect(await dialog.getByText(/notify nobody/).count()).toBe(0);
  await expectAccessible(page, '[role=dialog]');
  await disable.click();
  await panel.waitFor({ state: 'detached' });
  const links = await serviceQuery(
    app.db,
    'select tocsin_site_uuid as site from tocsin.site_user where tocsin_user_uuid = $1',
    [ruth.uuid],
  );
  expect(links.map(({ site }) => site).sort()).toEqual([dale.site.uuid, fell.site.uuid].sort());
});

test('every picker of people marks disabled users', async () => {
  const well = await createWell(app, 'Fen', { ruleName: 'Fen high', told: [omar] });
  const [alert] = await serviceQuery(app.db, 'select uuid from tocsin.rule_alert where tocsin_site_uuid = $1', [
    well.site.uuid,
  ]);
  const alertForm = `/admin/rules?tab=alerts&record=${alert.uuid}`;
  const pickers = [
    [alertForm, 'Add a person to notify'],
    [alertForm, 'Add a person to escalate to'],
    [`/admin/sites?record=${well.site.uuid}&part=users`, 'Link a user'],
  ] as const;
  for (const [path, label] of pickers) {
    await page.goto(path);
    await page.getByRole('combobox', { name: label }).first().fill('Dora');
    const option = page.getByRole('option', { name: /Dora Disabled/ });
    await option.getByText('Disabled. Receives no notifications.').waitFor();
  }
});

test('rule, site and dashboard show a rule that notifies nobody, and a disabled recipient is marked', async () => {
  const kim = await createUser(app.db, { customer: app.people.customer, level: 20, displayName: 'Kim Lund' });
  const well = await createWell(app, 'Heath', { ruleName: 'Heath high', told: [kim], escalate: [kim] });
  await serviceQuery(app.db, 'update tocsin.user set status = false where uuid = $1', [kim.uuid]);
  const [rule] = await serviceQuery(app.db, 'select uuid from tocsin.rule where name = $1', [well.ruleName]);
  await page.goto(`/admin/rules?record=${rule.uuid}`);
  await page.getByText('Nobody is notified of this rule’s alarms.').waitFor();
  await page.getByText('Disabled. Receives no notifications.').first().waitFor();
  await page.goto(`/admin/sites/${well.site.uuid}`);
  const unreached = page.getByRole('region', { name: 'Rules that notify nobody' });
  await unreached.getByText(/^Heath high\./).waitFor();
  const kims = page.getByRole('listitem').filter({ hasText: 'Kim Lund' });
  await kims.getByText('Disabled. Receives no notifications.').waitFor();
  await kims.getByText('recipient, escalation recipient').waitFor();
  expect(await kims.textContent(), 'does not claim that a disabled user is notified').not.toMatch(/is notified/);
  await page.goto(`/dashboard/site/${well.site.uuid}`);
  await unreached.getByText(/^Heath high\./).waitFor();
  await page.goto('/dashboard');
  const figures = page.getByRole('region', { name: 'Not notified' });
  await figures.getByText(/rules? notif(y|ies) nobody/).click();
  await figures.getByText(/^Heath: Heath high\./).waitFor();
  await expectAccessible(page, 'main');
});

test('shows an alarm that no sender accepted: a banner with method and cause, a figure and the row', async () => {
  const well = await createWell(app, 'Loud', { ruleName: 'Loud high', told: [omar] });
  await flood(app, well);
  await settle(app);
  await page.goto('/dashboard');
  const banner = page.getByRole('status', { name: 'Notifications' });
  await banner.getByText(/^No sender is set up for e-mail, so nobody is notified this way\./).waitFor();
  await banner.getByRole('link', { name: 'Set up a sender' }).waitFor();
  // The side panel that covers the right part of the window must not cover the link in the banner.
  await page.setViewportSize({ width: 1366, height: 800 });
  await page.goto(`/admin/users?record=${omar.uuid}`);
  await page.getByRole('complementary', { name: 'Omar Reyes' }).waitFor();
  await banner.getByRole('link', { name: 'Set up a sender' }).click({ trial: true });
  await page.goto('/dashboard');
  await page
    .getByRole('region', { name: 'Not notified' })
    .getByText(/open alarms? without a notification/)
    .waitFor();
  await page.goto('/dashboard/alarms?q=Loud');
  const cause = page.getByText('Nobody notified: no sender is set up for e-mail').first();
  await cause.waitFor();
  const [colour, critical] = await cause.evaluate((text: any) => {
    const { document, getComputedStyle } = globalThis as any;
    const sample = document.body.appendChild(document.createElement('i'));
    sample.style.color = 'var(--critical-fg)';
    return [getComputedStyle(text).color, getComputedStyle(sample).color];
  });
  expect(colour, 'the colour of critical alarms').toBe(critical);
  await expectAccessible(page, 'main');
  const owner = await app.open('/dashboard', { as: app.people.owner });
  await owner
    .getByRole('status', { name: 'Notifications' })
    .getByText(/^No sender is set up for e-mail, so nobody is notified this way\./)
    .waitFor();
  await app.leave(owner);
  const operator = await app.open('/dashboard/alarms', { as: app.people.operator });
  await operator.getByText('Nobody notified: no sender is set up for e-mail').first().waitFor();
  expect(await operator.getByText(/nobody is notified this way/).count()).toBe(0);
  await app.leave(operator);
});
