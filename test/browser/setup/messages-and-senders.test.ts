import { createHmac } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConsoleApp, startConsole, troubles } from '../../harness/browser/console.ts';
import { goTo } from '../../harness/browser/settled.ts';
import { insertRow, serviceQuery } from '../../harness/database/factories.ts';
import { type HttpReceiver, startHttpReceiver } from '../../harness/provider/http-receiver.ts';
import { expectAccessible } from '../support/accessible.ts';
import { inWindow, stored } from '../support/admin.ts';

const receipts = { appSecret: 'app-secret', verifyToken: 'a-word-of-our-own' };
let meta: HttpReceiver;
let app: ConsoleApp;
let page: Page;
beforeAll(async () => {
  meta = await startHttpReceiver();
  meta.always({ body: { messages: [{ id: 'wamid.1' }] } });
  app = await startConsole({
    config: {
      whatsapp: { token: 'secret', phoneId: '1065', template: 'alarm', language: 'en', url: meta.url, receipts },
      sms: {
        ...{ by: 'gateway', url: `${meta.url}/?to={to}&text={text}`, method: 'GET', body: undefined, headers: {} },
        ...{ success: undefined, id: undefined },
        inbound: { secret: '0123456789abcdef', proof: 'signature', id: 'id', from: 'from', text: 'text' },
      },
    },
  });
  await serviceQuery(app.db, `update tocsin.user set phone_number = '+447700900001' where uuid = $1`, [
    app.people.manager.uuid,
  ]);
  page = await app.open('/admin/alarm-default-message', {
    as: app.people.manager,
    prepare: (tab) => tab.clock.install({ time: app.clock.now() }),
  });
});
afterAll(async () => {
  await app?.close();
  await meta?.stop();
  expect(troubles.splice(0)).toEqual([]);
});

const { panel, save, row } = inWindow(() => page);

test('a default message is created, previewed, refused if it exists, and changed', async () => {
  const newMessage = page.getByRole('button', { name: 'New message' }).first();
  await newMessage.click();
  const made = panel('New default message');
  const text = made.getByRole('textbox', { name: 'Message' });
  await text.fill('{site} needs you:');
  await made.getByRole('button', { name: /^Add value/ }).click();
  // The placeholder is followed by the text that the user types next, including its spaces.
  await page.keyboard.type(' now');
  expect(await text.inputValue()).toBe('{site} needs you: {value} now');
  await made
    .getByText(/^MAJOR: Kelder Road PS needs you: 4\.62 \S* ?now/)
    .first()
    .waitFor();
  await made.getByText(/characters, 1 segment\. A link/).waitFor();
  await save(made);
  await made.waitFor({ state: 'detached' });
  await newMessage.click();
  await made.getByText(/^Alarms use “{site} needs you.*After saving, you can choose this message instead\.$/).waitFor();
  await text.fill('{site} needs you: {value} now');
  await save(made);
  await made
    .getByRole('alert')
    .or(made.getByText(/already/))
    .first()
    .waitFor();
  app.clock.advance(1000);
  await text.fill('A second one');
  await save(made);
  await made.waitFor({ state: 'detached' });
  await row('A second one').getByText('Not used').waitFor();
  await row('needs you').getByText('In use', { exact: true }).waitFor();
  await page.getByText('needs you').click();
  const form = panel('Alarm default message');
  await form.getByRole('textbox', { name: 'Message' }).fill('{site} {value}');
  await save(form);
  await form.waitFor({ state: 'detached' });
  const kept = await stored<{ message: string }>(app, 'alarm_default_message', {
    tocsin_customer_uuid: app.people.customer.uuid,
  });
  expect(kept.map(({ message }) => message).sort()).toEqual(['A second one', '{site} {value}']);
});

test('chooses another default message, and deletes the one that is no longer used', async () => {
  await goTo(page, '/admin/alarm-default-message');
  const form = panel('Alarm default message');
  await row('In use').click();
  await form.getByText('Alarms use this message. To delete it, choose another message first.').waitFor();
  expect(await form.getByRole('button', { name: 'Delete' }).count()).toBe(0);
  await form.getByRole('button', { name: 'Cancel' }).click();
  await form.waitFor({ state: 'detached' });

  await page.getByText('A second one').click();
  const use = form.getByRole('button', { name: 'Use this message' });
  await use.waitFor();
  const wide = page.viewportSize()!;
  await page.setViewportSize({ width: 390, height: 800 });
  await expect
    .poll(async () => (await use.boundingBox())?.height, { message: 'a touch target' })
    .toBeGreaterThanOrEqual(44);
  await page.setViewportSize(wide);
  await expectAccessible(page, 'aside');
  await use.click();
  await page.getByText('New alarms use this message.').first().waitFor();
  await form.waitFor({ state: 'detached' });
  await row('A second one').getByText('In use', { exact: true }).waitFor();

  await row('Not used').click();
  await form.getByRole('button', { name: 'Delete' }).click();
  const question = page.getByRole('dialog', { name: /^Delete “/ });
  await question.getByText('Nothing else is deleted with it.').waitFor();
  await question.getByRole('button', { name: 'Delete' }).click();
  await form.waitFor({ state: 'detached' });
  const kept = await stored<{ message: string; is_used: boolean }>(app, 'alarm_default_message', {
    tocsin_customer_uuid: app.people.customer.uuid,
  });
  expect(kept).toMatchObject([{ message: 'A second one', is_used: true }]);
});

test('the page Senders says what is missing, and has a request for the administrator', async () => {
  await goTo(page, '/admin/channels');
  const card = page.getByRole('region', { name: /mail/i });
  await card.getByText('Ask your administrator for:').waitFor();
  expect(await card.getByRole('listitem').first().textContent()).toContain('a mail server');
  await card.getByText('Request to send to the administrator').click();
  await card.getByText(/Please set up .* in Tocsin/).waitFor();
  expect(await page.locator('main').textContent()).not.toMatch(/\b[A-Z]+(_[A-Z]+)+\b/);
  await page.getByRole('region', { name: 'WhatsApp' }).getByText('Set up (whatsapp)').waitFor();
});

test('sends a test message to the user and shows its result', async () => {
  await goTo(page, '/admin/channels');
  const card = page.getByRole('region', { name: /mail/i });
  await card.getByText('Not set up').waitFor();
  // A typed name that matches no entry in the list is an error, not a request to send the test message to the signed-in
  // user.
  await card.getByRole('combobox').fill('Nobody');
  await card.getByRole('button', { name: 'Send test message' }).click();
  await card.getByText('Choose an entry from the list, or clear the field.').waitFor();
  expect(await stored(app, 'notification', {})).toEqual([]);
  await card.getByRole('combobox').press('ArrowDown');
  await page.keyboard.press('Escape');
  await card.getByRole('button', { name: 'Send test message' }).click();
  await card.getByText(`On its way to ${app.people.manager.email}.`).waitFor();
  await app.engine?.tick();
  await card.getByText(/Not sent\. The message for .+ is in the built-in outbox/).waitFor();
  // The card counts the outbox messages of the last 30 days and links to these messages in the report.
  await page.reload();
  await card
    .getByText('None; 1 message kept in the outbox in the last 30 days (not counting invitations and codes)')
    .waitFor();
  await card.getByRole('link', { name: '1 message' }).click();
  await page
    .getByText(/^This is a test message/)
    .first()
    .waitFor();
  expect(await page.getByRole('combobox', { name: 'State' }).inputValue()).toBe('kept');
});

test('shows the receipt address of a provider, and follows a test message until it is delivered', async () => {
  await goTo(page, '/admin/channels');
  const card = page.getByRole('region', { name: 'WhatsApp' });
  const address = `${new URL(page.url()).origin}/api/v1/receipts/whatsapp`;
  await card.getByText(address, { exact: true }).waitFor();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  // The test pauses the page's clock, so that the label Copied stays visible on a slow machine.
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000));
  await card.getByRole('button', { name: 'Copy: address for receipts' }).click();
  await card.getByRole('button', { name: 'Copied: address for receipts' }).waitFor();
  await page.clock.runFor(2000);
  await card.getByRole('button', { name: 'Copy: address for receipts' }).waitFor();
  await page.clock.resume();
  await card.getByRole('button', { name: 'Send test message' }).click();
  await card.getByText(/^On its way/).waitFor();
  await app.engine?.tick();
  await card.getByText('Sent to +447700900001.').waitFor();
  const body = JSON.stringify({
    entry: [{ changes: [{ value: { statuses: [{ id: 'wamid.1', status: 'delivered' }] } }] }],
  });
  const signature = `sha256=${createHmac('sha256', receipts.appSecret).update(body).digest('hex')}`;
  const answer = await fetch(address, { method: 'POST', headers: { 'x-hub-signature-256': signature }, body });
  expect(answer.status).toBe(204);
  await card.getByText('Delivered to +447700900001.').waitFor();
});

test('the price of an SMS segment is set on the page Senders, and messages then show their cost', async () => {
  const card = page.getByRole('region', { name: 'SMS' });
  await card.getByText('switch on delivery receipts').waitFor();
  await card.getByText(`${new URL(page.url()).origin}/api/v1/inbound/sms`, { exact: true }).waitFor();
  await page.getByRole('region', { name: 'WhatsApp' }).getByText('switch on answers').waitFor();
  await card.getByLabel('Price of an SMS segment').fill('free');
  await card.getByRole('button', { name: 'Save' }).click();
  await card.getByText('Enter a price, such as 0.075, or leave it empty.').waitFor();
  await card.getByLabel('Price of an SMS segment').fill('0,075');
  await card.getByLabel('Currency').fill('eur');
  await card.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The price was saved.').first().waitFor();
  await expectAccessible(page, 'main');
  await goTo(page, '/admin/alarm-default-message?record=new');
  const preview = page.getByRole('region', { name: 'Preview' });
  await preview.getByText(/1 segment, €0\.075 per person\. A link/).waitFor();
});

test('only owners read the outbox, and copy its links by a button', async () => {
  const link = 'https://plant.example/auth/new-password?code=a1_b-2';
  await insertRow(app.db, 'tocsin.outbox', {
    tocsin_customer_uuid: app.people.customer.uuid,
    method_type: 1,
    address: 'new@plant.example',
    subject: 'Your account',
    body: `Choose a password: ${link}.`,
  });
  await goTo(page, '/admin/channels');
  await page.getByRole('region', { name: /mail/i }).getByText('Not set up').waitFor();
  expect(await page.getByRole('region', { name: 'Outbox', exact: true }).count()).toBe(0);

  const own = await app.open('/admin/channels', { as: app.people.owner });
  const outbox = own.getByRole('region', { name: 'Outbox', exact: true });
  const [kept] = await stored<{ body: string }>(app, 'outbox', { address: app.people.manager.email });
  const message = outbox.getByRole('listitem').filter({ hasText: app.people.manager.email }).first();
  await message.getByRole('group').locator('summary').click();
  expect(await message.locator('pre').textContent()).toBe(kept?.body);
  await outbox.getByText('new@plant.example').click();
  await outbox.getByText(link, { exact: true }).waitFor();
  await expectAccessible(own, 'section[aria-label=Outbox]');
  await outbox.getByRole('button', { name: 'Copy: link' }).click();
  await outbox.getByRole('button', { name: /^(Copied|Press Ctrl\+C): link$/ }).waitFor();
  await app.leave(own);
});
