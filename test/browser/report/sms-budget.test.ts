import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConsoleApp, startConsole, troubles } from '../../harness/browser/console.ts';
import { goTo } from '../../harness/browser/settled.ts';
import { insertRow, serviceQuery } from '../../harness/database/factories.ts';
import { expectAccessible, expectGoodLooks } from '../support/accessible.ts';
import { inWindow, plantSite } from '../support/admin.ts';

let app: ConsoleApp;
let page: Page;
beforeAll(async () => {
  app = await startConsole();
});
afterAll(async () => {
  await app?.close();
  expect(troubles.splice(0)).toEqual([]);
});

const { panel, toast, row, save } = inWindow(() => page);
const field = (name: string) => page.getByRole('textbox', { name });
const account = (name: string) =>
  page.getByRole('list', { name: 'SMS budget' }).getByRole('listitem').filter({ hasText: name });
const bar = (period: string) => account('Company').locator(`[data-period="${period}"] [aria-hidden]`);

/** Stores an SMS with the given number of segments, as if a provider had just accepted it. */
async function sendSms(siteUuid: string, segments: number): Promise<void> {
  const now = app.clock.now();
  await insertRow(app.db, 'tocsin.notification', {
    ...{ tocsin_customer_uuid: app.people.customer.uuid, tocsin_site_uuid: siteUuid, recipient_name: 'Ann' },
    ...{ address: '+447700900001', method_type: 3, message_type: 1, notify_message: 'High', notify_time: now },
    ...{ state: 'sent', provider: 'twilio', sent_at: now, segments },
  });
}

test('owners set an SMS budget, and the report shows what is used and left, with the mark at 80 %', async () => {
  page = await app.visit('/admin/company', { as: app.people.owner });
  await field('Segments per day').fill('0');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Enter a whole number of segments from 1 to 1,000,000').waitFor();
  await field('Segments per day').fill('300');
  await field('Segments per month').fill('200');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Enter a number that is at most the monthly budget.').waitFor();
  await field('Segments per day').fill('100');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The company was saved.').waitFor();

  const site = await plantSite(app, 'Budget mill', 'BM-1');
  await sendSms(site.uuid, 79);
  await goTo(page, '/reports/sms');
  await account('Company').getByText('79 of 100 used').waitFor();
  await account('Company').getByText('21 left', { exact: true }).waitFor();
  expect(await bar('Today').getAttribute('data-warned')).toBeNull();
  await sendSms(site.uuid, 3);
  await serviceQuery(app.db, 'update tocsin_private.sms_usage set suppressed = 2 where account_uuid = $1', [
    app.people.customer.uuid,
  ]);
  await page.reload();
  await account('Company').getByText('82 of 100 used').waitFor();
  await account('Company').getByText('82 of 200 used').waitFor();
  await account('Company').getByText('2 SMS not sent because of the budget').first().waitFor();
  await account('Company').getByText('18 left, 82 % used').waitFor();
  expect(await bar('Today').getAttribute('data-warned')).toBe('true');
  expect(await bar('This month').getAttribute('data-warned')).toBeNull();
  await expectAccessible(page);
  await expectGoodLooks(page);
  await app.leave(page);
});

test('managers set the budget of a unit office, and operators see no budget', async () => {
  await insertRow(app.db, 'tocsin.group', {
    ...{ tocsin_customer_uuid: app.people.customer.uuid, level: 5, name: 'Budget office' },
  });
  page = await app.visit('/admin/groups?level=5', { as: app.people.manager });
  await row('Budget office').click();
  const form = panel('Budget office');
  await form.getByLabel('SMS segments a month').fill('-3');
  await save(form);
  await form.getByText('Enter a whole number of segments from 1 to 1,000,000').waitFor();
  await form.getByLabel('SMS segments a month').fill('40');
  await save(form);
  await toast('Budget office was saved.').waitFor();
  await goTo(page, '/reports/sms');
  await account('Budget office').getByText('0 of 40 used').waitFor();
  await account('Budget office').getByText('no limit').waitFor();
  await app.leave(page);

  page = await app.visit('/reports/sms', { as: app.people.operator });
  await page.getByRole('heading', { name: /^SMS by/ }).waitFor();
  expect(await page.getByRole('list', { name: 'SMS budget' }).count()).toBe(0);
  await app.leave(page);
});
