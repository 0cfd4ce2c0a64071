/** Pages for owners only: company, audit trail and service accounts. */

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConsoleApp, startConsole, troubles } from '../../harness/browser/console.ts';
import { goTo } from '../../harness/browser/settled.ts';
import { createSite, createUser, linkUser, serviceQuery } from '../../harness/database/factories.ts';
import { long } from '../../harness/long.ts';
import { inWindow } from '../support/admin.ts';
import { following } from '../support/live-page.ts';
import { addRule, createRulePlant } from '../support/rule-plant.ts';

let app: ConsoleApp;
let page: Page;
beforeAll(async () => {
  app = await startConsole();
  page = await app.open('/admin/users?record=new', { as: app.people.owner, time: app.clock.now() });
});
afterAll(async () => {
  await app?.close();
  expect(troubles.splice(0)).toEqual([]);
});

const { panel, toast, save, dialog } = inWindow(() => page);
const form = () => page.getByRole('form', { name: 'Company' });
const company = async () =>
  (await serviceQuery(app.db, 'select * from tocsin.customer where uuid = $1', [app.people.customer.uuid]))[0];

test('an owner can choose service accounts and every level below their own', async () => {
  const newUser = panel('New user');
  await newUser.getByLabel('Partner account').waitFor();
  expect((await newUser.getByLabel('Level').locator('option').allTextContents())[0]).toBe('1, manager');
});

test('an owner changes the company’s name and time zone', async () => {
  await page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Company' }).click();
  await form().getByText('A different time zone changes when each day begins in all reports').waitFor();
  await form().getByLabel('Name', { exact: true }).fill('');
  await form().getByLabel('Phone number').fill('12ab');
  await save(form());
  await form().getByText('Enter a name.').waitFor();
  await form().getByText('Enter the number with its country code').waitFor();
  await form().getByLabel('Phone number').fill('+49 30 123456');
  await form().getByLabel('Name', { exact: true }).fill('Holmwick Water');
  const zone = form().getByRole('combobox', { name: 'Time zone' });
  await zone.click();
  await zone.fill('berl');
  await zone.press('Enter');
  expect(await zone.inputValue()).toBe('Europe/Berlin');
  await form()
    .getByText('With Europe/Berlin as the time zone, each day in all reports begins at midnight in that zone')
    .waitFor();
  await save(form());
  await toast('The company was saved.').waitFor();
  expect(await company()).toMatchObject({
    name: 'Holmwick Water',
    phone: '+49 30 123456',
    time_zone: 'Europe/Berlin',
  });

  // After saving, the form compares later changes with the saved values.
  await form().getByRole('button', { name: 'Save' }).and(page.locator(':disabled')).waitFor();
  await form().getByLabel('E-mail').fill('office@holmwick.example');
  await save(form());
  await expect.poll(async () => (await company())?.email).toBe('office@holmwick.example');
  await form().getByRole('button', { name: 'Save' }).and(page.locator(':disabled')).waitFor();
});

test('a second change is saved even before the record is read again after the first', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/graphql', async (route) => {
    if (route.request().postData()?.includes('query CustomerRecord')) await held;
    await route.continue();
  });
  for (const email of ['first@holmwick.example', 'office@holmwick.example']) {
    app.clock.advance(1000);
    await form().getByLabel('E-mail').fill(email);
    await save(form());
    await expect.poll(async () => (await company())?.email).toBe(email);
    await form().getByRole('button', { name: 'Save' }).and(page.locator(':disabled')).waitFor();
  }
  release();
  await page.unrouteAll({ behavior: 'wait' });
  await expect.poll(() => form().getByLabel('E-mail').inputValue()).toBe('office@holmwick.example');
});

test('a click on Save takes effect even if the field that loses the focus shows an error', async () => {
  const phone = form().getByLabel('Phone number');
  await phone.fill('12ab');
  await form().getByRole('button', { name: 'Save' }).hover();
  await page.mouse.down();
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
  await page.mouse.up();
  await form().getByText('Enter the number with its country code').waitFor();
  // Saving a form with errors focuses the first invalid field.
  await expect.poll(() => page.evaluate('document.activeElement?.getAttribute("data-path")')).toBe('phone');
  await form().getByRole('button', { name: 'Discard' }).click();
});

test('group level names of an owner appear in forms, filters, lists and reports', async () => {
  await createSite(app.db, { customer: app.people.customer, name: 'Level Street' });
  await form().getByLabel('Level 2', { exact: true }).fill('Region');
  await form().getByLabel('Level 5', { exact: true }).fill(' Area ');
  await save(form());
  await expect.poll(async () => (await company())?.group5_name).toBe('Area');
  await goTo(page, '/admin/sites?record=new');
  await panel('New site').getByRole('combobox', { name: 'Region' }).waitFor();
  await panel('New site').getByRole('combobox', { name: 'Area' }).waitFor();
  await panel('New site').getByRole('combobox', { name: 'Level 3 group' }).waitFor();
  // The list of sites has a column for the group only while no form is open, because a form beside the list leaves too
  // little space.
  await goTo(page, '/admin/sites');
  await page.getByRole('columnheader', { name: 'Area' }).waitFor();
  await goTo(page, '/admin/groups?record=new');
  await expect
    .poll(() => panel('New group').getByLabel('Level').locator('option').allTextContents())
    .toEqual(['2, Region', '3', '4', '5, Area']);
  await goTo(page, '/reports/health');
  await page.getByRole('heading', { name: 'Health by Area' }).waitFor();
  await expect.poll(() => page.locator('main').textContent()).not.toMatch(/unit office/i);
  await goTo(page, '/admin/company');
  await form().getByLabel('Level 2', { exact: true }).fill('');
  await form().getByLabel('Level 5', { exact: true }).fill('');
  await save(form());
  await expect.poll(async () => (await company())?.group5_name).toBe('');
});

long('open pages switch to a new time zone by themselves', async () => {
  const site = await createSite(app.db, { customer: app.people.customer, name: 'Quay' });
  await serviceQuery(
    app.db,
    `insert into tocsin.alarm (tocsin_customer_uuid, tocsin_site_uuid, site_name, message, severity, date_time, resolved_date)
     values ($1, $2, 'Quay', 'Flood', 'major', '2026-01-05T10:00:00Z', '2026-01-05T11:30:00Z')`,
    [app.people.customer.uuid, site.uuid],
  );
  // First opens an address outside the console, so that the test can install its listener before the console connects.
  const elsewhere = await app.open('/api/v1/config', { as: app.people.manager });
  const follows = following(elsewhere);
  await elsewhere.goto('/dashboard/alarms?show=past');
  await follows;
  const row = elsewhere.getByRole('row', { name: /Flood/ });
  await row.getByText('12:30').waitFor();
  const zone = form().getByRole('combobox', { name: 'Time zone' });
  await zone.click();
  await zone.fill('toky');
  await zone.press('Enter');
  await save(form());
  await row.getByText('20:30').waitFor();
  await app.leave(elsewhere);
});

test('asks before leaving a form with unsaved changes', async () => {
  await form().getByLabel('Name', { exact: true }).fill('Holmwick');
  await page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Groups' }).click();
  await dialog('Leave without saving?').getByRole('button', { name: 'Stay' }).click();
  await form().getByRole('button', { name: 'Discard' }).click();
  expect(await form().getByLabel('Name').inputValue()).toBe('Holmwick Water');
});

long('an untouched form shows what another owner saves; a changed form says what they changed', async () => {
  const other = await app.browser(app.people.owner);
  const change = (patch: object) => {
    app.clock.advance(1000);
    return other.data(
      'mutation ($uuid: UUID!, $patch: CustomerPatch!) { updateCustomer(input: { uuid: $uuid, patch: $patch }) { clientMutationId } }',
      { uuid: app.people.customer.uuid, patch },
    );
  };
  await change({ email: 'rivers@holmwick.example' });
  await expect.poll(() => form().getByLabel('E-mail').inputValue()).toBe('rivers@holmwick.example');
  await change({ name: 'Holmwick Rivers' });
  await expect.poll(() => form().getByLabel('Name').inputValue()).toBe('Holmwick Rivers');

  await form().getByLabel('Name', { exact: true }).fill('Holmwick Water');
  await form().getByLabel('Phone number').fill('+44 7700 900113');
  const read = page.waitForResponse((answer) => Boolean(answer.request().postData()?.includes('query CustomerRecord')));
  await change({ name: 'Holmwick Lakes', timeZone: 'Europe/Paris' });
  await (await read).finished();
  expect(await form().getByLabel('Name').inputValue()).toBe('Holmwick Water');
  await save(form());
  const conflict = dialog('This record was changed in the meantime');
  await conflict.getByRole('row', { name: 'Name Holmwick Lakes Holmwick Water' }).waitFor();
  await conflict.getByRole('row', { name: 'Time zone Europe/Paris not changed' }).waitFor();
  await conflict.getByText('Your changes to Phone number are kept either way.').waitFor();
  await conflict.getByRole('button', { name: 'Save my values' }).click();
  await expect
    .poll(company)
    .toMatchObject({ name: 'Holmwick Water', phone: '+44 7700 900113', time_zone: 'Europe/Paris' });
  await form().getByRole('button', { name: 'Save' }).and(page.locator(':disabled')).waitFor();
  expect(await form().getByRole('combobox', { name: 'Time zone' }).inputValue()).toBe('Europe/Paris');
});

test('the audit trail is filtered by person, noun and day, in either order, with values before and after, and names both ends of a link', async () => {
  const plant = await createRulePlant(app);
  const rule = await addRule(app, plant, 'Watched');
  await linkUser(app.db, app.people.operator, plant.site);
  const manager = await app.browser(app.people.manager);
  await manager.data(
    'mutation ($uuid: UUID!) { updateRule(input: { uuid: $uuid, patch: { enabled: false } }) { rule { uuid } } }',
    { uuid: rule.uuid },
  );
  await goTo(page, '/admin/audits');
  await page.locator('tr[data-row]').first().waitFor();
  await page.getByRole('combobox', { name: 'Who' }).selectOption({ label: app.people.manager.display_name });
  await page.getByRole('combobox', { name: 'What' }).selectOption({ label: 'Rule' });
  await page.getByText('Newest first').click();
  await page.locator('tr[data-row]').first().getByText('Rule changed').waitFor();
  await page.locator('tr[data-row]').first().click();
  const changes = page.getByRole('table', { name: 'Changed fields' });
  await changes.getByRole('row', { name: 'Enabled Yes No' }).waitFor();
  await page.getByLabel('To', { exact: true }).fill('2026-03-01');
  await page
    .getByText(/No matches|Nothing/i)
    .first()
    .waitFor();

  // A site-user link has no name, so the list shows the names of the user and the site, even if the user is deleted.
  const leaver = await createUser(app.db, { customer: app.people.customer, level: 20, displayName: 'Len Leaver' });
  await linkUser(app.db, leaver, plant.site);
  await serviceQuery(app.db, 'delete from tocsin.user where uuid = $1', [leaver.uuid]);
  await goTo(page, '/admin/audits?noun=site_user');
  const row = page.locator('tr[data-row]').filter({ hasText: 'Site-user link created' }).first();
  await row.getByRole('cell', { name: `${app.people.operator.display_name}, Kelder Road`, exact: true }).waitFor();
  const gone = page.locator('tr[data-row]').filter({ hasText: 'Site-user link deleted' });
  await gone.getByRole('cell', { name: 'Len Leaver, Kelder Road', exact: true }).waitFor();
});

test('the audit trail shows failed sign-ins with address and device', async () => {
  const stranger = await app.browser(undefined, { address: '198.51.100.7' });
  await stranger.login(app.people.manager.email, 'a-wrong-guess', {
    tocsin_customer_id: app.people.manager.tocsin_customer_uuid,
  });
  await expect
    .poll(() => serviceQuery(app.db, "select from tocsin.audit where noun = 'sign_in_failed'"))
    .toHaveLength(1);
  await goTo(page, '/admin/audits');
  await page.getByRole('combobox', { name: 'What' }).selectOption({ label: 'Sign-in failed' });
  const row = page.locator('tr[data-row]').filter({ hasText: 'Sign-in failed' });
  await row.getByRole('cell', { name: `${app.people.manager.display_name}, 198.51.100.7` }).waitFor();
  await row.getByText('Someone who was not signed in').first().waitFor();
});

test('the page for forgotten passwords shows the saved contact, even in the same window', async () => {
  await page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Company' }).click();
  await form().getByLabel('E-mail').fill('');
  await form().getByLabel('Phone number').fill('+49 30 654321');
  await save(form());
  await form().getByRole('button', { name: 'Save' }).and(page.locator(':disabled')).waitFor();
  await page.getByRole('button', { name: /user menu/i }).click();
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.getByRole('link', { name: 'Forgot Password?' }).click();
  await page.getByRole('link', { name: '+49 30 654321' }).waitFor();
  expect(await page.getByRole('link', { name: 'office@holmwick.example' }).count()).toBe(0);
});
