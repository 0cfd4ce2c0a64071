import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { METHOD } from '../../../domain/notification/methods.ts';
import { secretKey } from '../../../server/auth/secrets.ts';
import { alarmLink } from '../../../server/notification/link.ts';
import { type ConsoleApp, signInByForm, startConsole, troubles } from '../../harness/browser/console.ts';
import { serviceQuery } from '../../harness/database/factories.ts';
import { createWell, flood, setUser, stored } from '../support/alarm-plant.ts';

const DAY = 86_400_000;
const reasons = ['Crew on the way', 'Sensor fault'];

let app: ConsoleApp;
beforeAll(async () => {
  app = await startConsole();
  await setUser(app, app.people.operator, { sms_notification: true, phone_number: '+44 20 7946 0123' });
});
afterAll(async () => {
  await app?.close();
  expect(troubles.splice(0)).toEqual([]);
});

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Acknowledge alarm' });

describe('the link in a message', () => {
  test('opens the alarm and its acknowledge dialog after sign-in, and records the method', async () => {
    const { operator } = app.people;
    const well = await createWell(app, 'Kelder Road', { ruleName: 'Wet well high', reasons, told: [operator] });
    const alarm = await flood(app, well);
    const [{ body }] = (await serviceQuery<{ body: string }>(
      app.db,
      'select body from tocsin.outbox where method_type = 3 and tocsin_customer_uuid = $1',
      [app.people.customer.uuid],
    )) as [{ body: string }];
    const address = new URL(/https?:\/\/\S+$/.exec(body)?.[0] ?? '').pathname;
    expect(address).toMatch(/^\/a\/[\w-]{50}$/);

    const page = await app.open(address, { phone: true });
    await signInByForm(page, operator.email);
    await page.getByLabel('Alarm', { exact: true }).getByRole('heading', { name: 'Wet well high' }).waitFor();
    await dialogOf(page).getByRole('button', { name: 'Crew on the way' }).tap();
    await dialogOf(page).waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.has('acknowledge')).toBe(false);
    expect((await stored(app, alarm)).acknowledge_json).toMatchObject({
      by: operator.uuid,
      reason: 'Crew on the way',
      channel: 'sms',
    });
    await page.getByText('through the link in an SMS').waitFor();

    // Opening the link a second time shows that the user has already acknowledged the alarm.
    await page.goto(address);
    await dialogOf(page).getByText('You have already acknowledged this alarm').waitFor();
    await app.leave(page);
  });

  // test/scenarios/link.db.test.ts covers forged links and links to other alarms.
  test('that has expired says so, and the dialog works without it', async () => {
    const well = await createWell(app, 'Late well', { ruleName: 'Late level', reasons });
    const alarm = await flood(app, well);
    const page = await app.visit(`/dashboard/alarms?alarm=${alarm}&acknowledge=${await linkOf(alarm, 8 * DAY)}`, {
      as: app.people.operator,
    });
    await dialogOf(page).getByRole('button', { name: 'Sensor fault' }).click();
    await page.getByText(/^The link has expired or belongs to another message\. Your acknowledgement/).waitFor();
    await dialogOf(page).waitFor({ state: 'detached' });
    expect((await stored(app, alarm)).acknowledge_json).toMatchObject({ reason: 'Sensor fault', channel: 'console' });
    await app.leave(page);
  });

  test('to an alarm of a site without access shows one message, which says who can help', async () => {
    const well = await createWell(app, 'Foreign Well', { ruleName: 'Foreign level', reasons });
    const alarm = await flood(app, well);
    await serviceQuery(app.db, 'delete from tocsin.site_user where tocsin_site_uuid = $1', [well.site.uuid]);
    const page = await app.visit(`/dashboard/alarms?alarm=${alarm}&acknowledge=${await linkOf(alarm, 0)}`, {
      as: app.people.operator,
    });
    await page.getByLabel('Alarm', { exact: true }).getByText('Ask a manager to link you to the site.').waitFor();
    await expect.poll(() => dialogOf(page).count()).toBe(0);
    expect(await page.getByText('Alarm not found').count()).toBe(1);
    const detail = page.getByLabel('Alarm', { exact: true });
    expect(await detail.locator('[class*=bar]').count(), 'no placeholders for loading content are left').toBe(0);
    await page.setViewportSize({ width: 360, height: 720 });
    await page.getByRole('dialog', { name: 'Alarm', exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await detail.waitFor({ state: 'detached' });
    await app.leave(page);
  });

  test('that is truncated says so and leads to the alarms, even before sign-in', async () => {
    const answer = await app.http.inject({ method: 'GET', url: '/a/nothing' });
    expect(answer.statusCode).toBe(404);
    const page = await app.open('/a/nothing', { phone: true });
    await page.getByRole('heading', { name: 'This link is incomplete' }).waitFor();
    await page.getByRole('link', { name: 'Show alarms' }).click();
    await signInByForm(page, app.people.manager.email);
    await page.waitForURL('**/dashboard/alarms');
    await app.leave(page);
  });
});

async function linkOf(alarm: string, ageMs: number): Promise<string> {
  const key = await secretKey(app.db, app.clock, 'alarm-link');
  return alarmLink(key, alarm, METHOD.sms, new Date(app.clock.now().getTime() - ageMs));
}
