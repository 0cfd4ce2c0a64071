/** Messages that replace content which cannot be loaded or does not exist. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { createInvitation } from '../../../server/auth/password/invitation.ts';
import { type ConsoleApp, startConsole, troubles } from '../../harness/browser/console.ts';
import { goTo } from '../../harness/browser/settled.ts';
import { createUser } from '../../harness/database/factories.ts';
import { long } from '../../harness/long.ts';
import { base64 } from '../../harness/server/auth-app.ts';
import { plantSite } from '../support/admin.ts';
import { report } from '../support/alarm-plant.ts';

let app: ConsoleApp;
let site: Awaited<ReturnType<typeof plantSite>>;
beforeAll(async () => {
  app = await startConsole();
  site = await plantSite(app, 'Quay Street', 'QS-1');
});
afterAll(async () => {
  await app?.close();
  expect(troubles.splice(0)).toEqual([]);
});

test('a used invitation link says so, and leads to sign-in', async () => {
  const person = await createUser(app.db, { customer: app.people.customer, varified: false });
  const deps = { db: app.db, clock: app.clock, publicUrl: app.url };
  const link = new URL((await createInvitation(deps, person.uuid))?.link ?? '');
  const page = await app.open(`${link.pathname}${link.search}`);
  await page.getByLabel('New password').waitFor();
  const password = base64('a brand new password');
  const otp = link.searchParams.get('code');
  await app
    .browser()
    .then((browser) => browser.auth('activate', { uuid: person.uuid, password, cpassword: password, otp }));
  await page.reload();
  await page.getByRole('heading', { name: 'This link has been used' }).waitFor();
  expect(await page.getByLabel('New password').count()).toBe(0);
  await page.getByRole('link', { name: 'Sign in', exact: true }).click();
  await page.waitForURL('**/auth/login');
  await app.leave(page);
});

long('an alarm or page that cannot be loaded says that there is no connection, and loads when it is back', async () => {
  const [seen, other] = [await report(app, site, 'Gate open'), await report(app, site, 'Door open')];
  const page = await app.open(`/dashboard/alarms?alarm=${seen}`, { as: app.people.owner, prepare: async () => {} });
  const panel = page.getByRole('complementary', { name: 'Alarm' });
  await panel.getByRole('heading', { name: 'Gate open' }).waitFor();
  const before = troubles.length;
  await page.context().setOffline(true);
  await page.locator(`tr[data-alarm]`, { hasText: 'Door open' }).click();
  await panel.getByText('There is no connection').waitFor();
  await panel.getByText('This page will appear once the connection is back.').waitFor();
  expect(page.url()).toContain(other);
  await page.context().setOffline(false);
  await panel.getByRole('heading', { name: 'Door open' }).waitFor();

  // Without a connection, the list of past alarms and a site page also show a message and do not load forever.
  const [one, next] = [await plantSite(app, 'Weir One', 'WE-1'), await plantSite(app, 'Weir Two', 'WE-2')];
  await goTo(page, `/dashboard/site/${one.uuid}`);
  await goTo(page, '/dashboard');
  for (const [path, shown] of [
    ['/dashboard/alarms?show=past', 'No past alarms'],
    [`/dashboard/site/${next.uuid}`, 'No open alarms'],
  ] as const) {
    await page.context().setOffline(true);
    await page.evaluate((address) => (globalThis as any).history.pushState(null, '', address), path);
    await page.getByRole('main').getByText('There is no connection').first().waitFor();
    await page.context().setOffline(false);
    await page.getByRole('main').getByText(shown).first().waitFor();
  }
  await goTo(page, `/dashboard/alarms?alarm=${other}`);

  await page.evaluate(() => (globalThis as any).navigator.serviceWorker.ready.then(() => true));
  await page.context().setOffline(true);
  await page.reload();
  await page.getByRole('heading', { name: 'No connection' }).waitFor();
  await page.context().setOffline(false);
  await page.getByRole('link', { name: 'Try again' }).click();
  await panel.getByRole('heading', { name: 'Door open' }).waitFor();
  troubles.splice(before);
  await app.leave(page);
});

long(
  'days before the first site have no rows in the SMS report, and a deleted site in the address is ignored',
  async () => {
    const page = await app.visit('/reports/sms?by=site', { as: app.people.owner });
    const table = page.getByRole('table', { name: 'SMS by site' });
    await table.getByText('Quay Street').waitFor();
    await goTo(page, '/reports/sms?by=site&from=2001-01-01&to=2001-01-31');
    await page.getByText('No site existed yet.').waitFor();
    expect(await table.count()).toBe(0);

    await goTo(page, `/reports/health?site=${site.uuid}&until=2001-03-05`);
    await page.getByText('The site did not exist yet').waitFor();

    for (const by of ['office', 'site']) {
      await goTo(page, `/reports/health?by=${by}&until=2001-03-05`);
      await page.getByText('No site existed yet').waitFor();
      await expect.poll(() => page.locator('dl dd b').allTextContents()).toEqual(Array(3).fill('no site yet'));
    }

    // A report ignores a filter in its URL that refers to a deleted unit office or site.
    const gone = '00000000-0000-4000-8000-000000000000';
    for (const [address, shown] of [
      [`alarms?office=${gone}`, 'unit offices'],
      [`alarms?site=${gone}`, 'sites'],
      [`health?by=site&office=${gone}`, 'unit offices'],
    ]) {
      await goTo(page, `/reports/${address}`);
      const sentence = `“${gone}”, which this report does not support. The report shows all ${shown} instead.`;
      await page.getByText(sentence).waitFor();
      const links = await page
        .locator('a[href*="/api/v1/reports/"]')
        .evaluateAll((all: any[]) => all.map(({ href }) => href));
      expect(
        links.filter((link) => link.includes(gone)),
        address,
      ).toEqual([]);
      expect(links.length).toBeGreaterThan(2);
    }
    await app.leave(page);
  },
);
