import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConsoleApp, startConsole, troubles } from '../../harness/browser/console.ts';
import { goTo } from '../../harness/browser/settled.ts';
import { insertRow } from '../../harness/database/factories.ts';
import { type HttpReceiver, startHttpReceiver } from '../../harness/provider/http-receiver.ts';
import { expectAccessible } from '../support/accessible.ts';
import { inWindow, stored } from '../support/admin.ts';

let receiver: HttpReceiver;
let app: ConsoleApp;
let strict: ConsoleApp;
let page: Page;
beforeAll(async () => {
  receiver = await startHttpReceiver();
  app = await startConsole({ config: { webhookPrivate: true } });
  await insertRow(app.db, 'tocsin.group', {
    ...{ tocsin_customer_uuid: app.people.customer.uuid, level: 5, name: 'North Office' },
  });
  page = await app.open('/admin/destinations', { as: app.people.manager });
});
afterAll(async () => {
  await app?.close();
  await strict?.close();
  await receiver?.stop();
  expect(troubles.splice(0)).toEqual([]);
});

const { panel, save, row, pick, code } = inWindow(() => page);
const work = async () => app.engine?.tick();

test('a webhook is added, and its secret is shown once', async () => {
  await page.getByText('No destinations yet').waitFor();
  await page.getByRole('button', { name: 'New destination' }).first().click();
  const form = panel('New destination');
  await save(form);
  await form.getByText('Enter a name.').waitFor();
  await form.getByText('Choose a group.').waitFor();
  await form.getByText('Enter the URL of the destination.').waitFor();
  await form.getByRole('textbox', { name: 'Name' }).fill('Control room');
  await pick(form, 'Group', 'North', 'North Office');
  await form.getByRole('textbox', { name: 'URL' }).fill('hooks.example.com');
  await save(form);
  await form.getByText('Enter a complete URL, such as https://hooks.example.com/alarms.').waitFor();
  await form.getByRole('textbox', { name: 'URL' }).fill(`${receiver.url}/hook`);
  await expectAccessible(page, 'aside');
  await save(form);
  const once = panel('Control room was added');
  await once.getByText('This is the only time the secret is shown.').waitFor();
  expect(await code('secret')).toMatch(/^whsec_[\w-]{43}$/);
  await once.getByRole('button', { name: 'Done' }).click();
  await once.waitFor({ state: 'detached' });
  await row('Control room').getByText('Webhook').waitFor();
  expect(await page.content()).not.toContain('/hook');
});

test('a test message is sent, and a failed one is resent', async () => {
  await row('Control room').click();
  const form = panel('Control room');
  receiver.next({ status: 410, body: 'no longer here' });
  const test = form.getByRole('region', { name: 'Test' });
  await test.getByRole('button', { name: 'Send test message' }).click();
  await test.getByText('Waiting').waitFor();
  await work();
  await test.getByRole('alert').filter({ hasText: 'Failed after 1 attempt (410). ' }).waitFor();
  const list = form.getByRole('region', { name: 'Deliveries' });
  await list.getByText('The receiver refused the request (410). Its response: no longer here').waitFor();
  await expectAccessible(page, 'aside');
  await list.getByRole('button', { name: 'Resend Test message' }).click();
  await list.getByText(/^Waiting for another attempt/).waitFor();
  await work();
  await list.getByText('Sent after 2 attempts (200)').waitFor();
  const keys = receiver.requests.map(({ headers }) => headers['tocsin-delivery']);
  expect(keys).toHaveLength(2);
  expect(new Set(keys).size).toBe(1);
});

test('a manager changes a destination without its URL, and replaces its secret', async () => {
  const form = panel('Control room');
  await form.getByRole('textbox', { name: 'Name' }).fill('Night desk');
  await save(form);
  await form.waitFor({ state: 'detached' });
  await row('Night desk').click();
  const again = panel('Night desk');
  await again.getByRole('button', { name: 'New secret' }).click();
  await again.getByText('The receiver refuses all requests until it has the new secret.').waitFor();
  await again.getByRole('button', { name: 'Replace secret' }).click();
  expect(await code('secret')).toMatch(/^whsec_/);
});

test('a destination is deleted with its deliveries', async () => {
  await panel('Night desk').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog', { name: 'Delete Night desk?' }).getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No destinations yet').waitFor();
  expect(await stored(app, 'destination', {})).toEqual([]);
  expect(await stored(app, 'destination_delivery', {})).toEqual([]);
});

test('a private address is refused at its field', async () => {
  strict = await startConsole();
  await insertRow(strict.db, 'tocsin.group', {
    ...{ tocsin_customer_uuid: strict.people.customer.uuid, level: 5, name: 'North Office' },
  });
  page = await strict.open('/admin/sites', { as: strict.people.manager });
  await goTo(page, '/admin/destinations');
  await page.getByRole('button', { name: 'New destination' }).first().click();
  const form = panel('New destination');
  await form.getByRole('textbox', { name: 'Name' }).fill('Inside');
  await pick(form, 'Group', 'North', 'North Office');
  for (const url of ['https://169.254.169.254/latest', 'https://2130706433/', 'https://[::ffff:10.0.0.1]/']) {
    await form.getByRole('textbox', { name: 'URL' }).fill(url);
    await save(form);
    await form.getByText(/^This URL leads to an address of a private network/).waitFor();
  }
  await form.getByRole('textbox', { name: 'URL' }).fill('http://hooks.example.com/');
  await save(form);
  await form.getByText('Enter a URL that starts with https://.').waitFor();
  expect(await stored(strict, 'destination', {})).toEqual([]);
});
