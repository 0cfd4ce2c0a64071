/** A user's own settings: start page, locale and notification methods. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConsoleApp, signInByForm, startConsole, troubles } from '../../harness/browser/console.ts';
import { goTo } from '../../harness/browser/settled.ts';
import { createUser, linkUser, serviceQuery, type UserRow } from '../../harness/database/factories.ts';
import { PASSWORD } from '../../harness/server/app.ts';
import { expectAccessible } from '../support/accessible.ts';
import { createWell } from '../support/alarm-plant.ts';

let app: ConsoleApp;
beforeAll(async () => {
  app = await startConsole();
});
afterAll(async () => {
  await app?.close();
  expect(troubles.splice(0)).toEqual([]);
});

const person = (level = 20): Promise<UserRow> =>
  createUser(app.db, { customer: app.people.customer, level, password: PASSWORD });
const stored = async (who: UserRow) =>
  (await serviceQuery(app.db, 'select * from tocsin.user where uuid = $1', [who.uuid]))[0];

test('the start page is offered once after the first sign-in, and opens after the next', async () => {
  const user = await person();
  const page = await app.open('/auth/login');
  await signInByForm(page, user.email);
  await page.waitForURL(/\/reports$/);
  const offer = page.getByRole('region', { name: 'Start page' });
  await offer.getByText('Which page do you want to start with?').waitFor();
  await expectAccessible(page);
  await offer.getByRole('button', { name: 'Alarms' }).click();
  await page.getByRole('status').filter({ hasText: 'Alarms is now your start page' }).waitFor();
  await offer.waitFor({ state: 'detached' });
  expect(await stored(user)).toMatchObject({ start_page: 'alarms' });
  await page.getByRole('link', { name: 'Tocsin, go to Alarms' }).click();
  await page.waitForURL(/\/dashboard\/alarms$/);
  await page.getByRole('button', { name: /User menu/ }).click();
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.waitForURL(/\/auth\/login/);
  await signInByForm(page, user.email);
  await page.waitForURL(/\/dashboard\/alarms$/);
  await app.leave(page);
});

test('a user who does not choose keeps Reports and is not asked again', async () => {
  const user = await person();
  const page = await app.visit('/reports', { as: user });
  await page.getByRole('region', { name: 'Start page' }).getByRole('button', { name: 'Keep Reports' }).click();
  await page.getByRole('region', { name: 'Start page' }).waitFor({ state: 'detached' });
  await goTo(page, '/reports');
  await page.getByRole('heading', { name: 'Reports', exact: true }).first().waitFor();
  expect(await page.getByRole('region', { name: 'Start page' }).count()).toBe(0);
  expect(await stored(user)).toMatchObject({ start_page: 'reports' });
  expect(await page.getByRole('link', { name: 'Tocsin, go to Reports' }).getAttribute('href')).toBe('/reports');
  await app.leave(page);
});

test('dates and numbers use the user’s locale', async () => {
  const user = await person();
  const page = await app.visit('/dashboard/my-work', { as: user });
  const written = () =>
    page.evaluate(() => [
      (1234567.5).toLocaleString(),
      new Intl.NumberFormat().format(0.5),
      new Date(Date.UTC(2026, 10, 12)).toLocaleDateString(undefined, { timeZone: 'UTC' }),
    ]);
  expect(await written()).toEqual(['1,234,567.5', '0.5', '12/11/2026']);
  await page.getByRole('button', { name: /User menu/ }).click();
  await page.getByRole('button', { name: 'Your profile' }).click();
  const form = page.getByRole('dialog', { name: 'Your profile' });
  await form.getByLabel('Dates and numbers').selectOption({ label: 'Deutsch (Deutschland)' });
  await form.getByText('1.234.567,5').waitFor();
  await expectAccessible(page, '[role=dialog]');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect.poll(written).toEqual(['1.234.567,5', '0,5', '12.11.2026']);
  await page.reload();
  await page.getByText('You’re all caught up').waitFor();
  expect(await written()).toEqual(['1.234.567,5', '0,5', '12.11.2026']);
  await app.leave(page);
});

test('a user switches their methods, and is warned when none is left while rule alerts name them', async () => {
  const user = await person();
  const { site } = await createWell(app, 'Low weir', { ruleName: 'Low weir level', told: [user] });
  await linkUser(app.db, user, site);
  const page = await app.visit('/dashboard/my-work', { as: user, phone: true });
  await page.getByRole('region', { name: 'Notification methods' }).getByRole('button', { name: 'Change' }).tap();
  const form = page.getByRole('dialog', { name: 'Your profile' });
  const warning = form.locator('[role=status]');
  await form.getByLabel('SMS').waitFor();
  expect(await warning.isVisible()).toBe(false);
  await form.getByLabel(/^E-mail/).tap();
  await form
    .getByText('You are a recipient of 1 rule alert. With all methods off, its alarms do not reach you.')
    .waitFor();
  await expectAccessible(page, '[role=dialog]');
  await form.getByLabel('SMS').tap();
  await warning.waitFor({ state: 'hidden' });
  await form.getByRole('button', { name: 'Save' }).tap();
  await form
    .getByText(/phone number/i)
    .last()
    .waitFor();
  await form.getByLabel('Phone number').fill('+44 20 7946 0555');
  await form.getByRole('button', { name: 'Save' }).tap();
  await form.waitFor({ state: 'detached' });
  await page.getByRole('region', { name: 'Notification methods' }).getByText('SMS on').waitFor();
  expect(await stored(user)).toMatchObject({ email_notification: false, sms_notification: true });
  await app.leave(page);
});
