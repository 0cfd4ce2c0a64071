import { createHmac } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConsoleApp, startConsole, troubles } from '../harness/console.ts';
import { insertRow, serviceQuery } from '../harness/factories.ts';
import { startHttpReceiver } from '../harness/http-receiver.ts';
import { expectAccessible } from './accessible.ts';
import { inWindow, stored } from './admin.ts';

let app: ConsoleApp;
let page: Page;
beforeAll(async () => {
  app = await startConsole();
  page = await app.open('/admin/alarm-default-message', { as: app.people.manager });
});
afterAll(async () => {
  await app?.close();
  expect(troubles.splice(0)).toEqual([]);
});

const { panel, save, abandon } = inWindow(() => page);

test('a default message is made, previewed, refused when it is there already, and changed', async () => {
  await page.goto('/admin/alarm-default-message');
  for (const again of [false, true]) {
    await page.getByRole('button', { name: 'New message' }).first().click();
    const form = panel('New default message');
    await form.getByRole('textbox', { name: 'Message' }).fill('{site} needs you:');
    await form.getByRole('button', { name: /^Add value/ }).click();
    // The message is written on behind the placeholder, and a space is a space.
    await page.keyboard.type(' now');
    expect(await form.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('{site} needs you: {value} now');
    await form
      .getByText(/^Kelder Road PS needs you: 4\.62 \S* ?now/)
      .first()
      .waitFor();
    await form.getByText(/characters, 1 part\./).waitFor();
    await save(form);
    if (!again) await form.waitFor({ state: 'detached' });
    else
      await form
        .getByRole('alert')
        .or(form.getByText(/already/))
        .first()
        .waitFor();
  }
  await abandon(panel('New default message'));
  await page.getByText('needs you').click();
  const form = panel('Alarm default message');
  await form.getByRole('textbox', { name: 'Message' }).fill('{site} {value}');
  await save(form);
  await form.waitFor({ state: 'detached' });
  expect(await stored(app, 'alarm_default_message', { tocsin_customer_uuid: app.people.customer.uuid })).toMatchObject([
    { message: '{site} {value}' },
  ]);
});

test('a test message goes to oneself, and what became of it is said', async () => {
  await page.goto('/admin/channels');
  const card = page.getByRole('region', { name: /mail/i });
  await card.getByText('Built-in outbox').waitFor();
  // Whoever is typed and not chosen is not taken for oneself.
  await card.getByRole('combobox').fill('Nobody');
  await card.getByRole('button', { name: 'Send a test' }).click();
  await card.getByText('Choose one of the list, or clear it.').waitFor();
  expect(await stored(app, 'notification', {})).toEqual([]);
  await card.getByRole('combobox').press('ArrowDown');
  await page.keyboard.press('Escape');
  await card.getByRole('button', { name: 'Send a test' }).click();
  await card.getByText(`On its way to ${app.people.manager.email}.`).waitFor();
  await app.engine?.tick();
  await card.getByText(/Kept in the built-in outbox/).waitFor();
  // What was kept is counted by the days of the report, and leads to the very messages.
  const later = await app.open('/admin/channels', { as: app.people.manager, time: app.clock.now() });
  const mail = later.getByRole('region', { name: /mail/i });
  await mail.getByText('Nothing; 1 message kept in 30 days, besides invitations and codes').waitFor();
  await mail.getByRole('link', { name: '1 message' }).click();
  await later
    .getByText(/^This is a test message/)
    .first()
    .waitFor();
  expect(await later.getByRole('combobox', { name: 'State' }).inputValue()).toBe('kept');
  await app.leave(later);
});

test('where a provider reports to is shown, and a test message is followed until it arrived', async () => {
  const meta = await startHttpReceiver();
  meta.always({ body: { messages: [{ id: 'wamid.1' }] } });
  const receipts = { appSecret: 'app-secret', verifyToken: 'a-word-of-our-own' };
  const own = await startConsole({
    config: {
      whatsapp: { token: 'secret', phoneId: '1065', template: 'alarm', language: 'en', url: meta.url, receipts },
      sms: {
        ...{ by: 'gateway', url: `${meta.url}/?to={to}&text={text}`, method: 'GET', body: undefined, headers: {} },
        ...{ success: undefined, id: undefined },
      },
    },
  });
  await serviceQuery(own.db, `update tocsin.user set phone_number = '+447700900001' where uuid = $1`, [
    own.people.manager.uuid,
  ]);
  const window = await own.open('/admin/channels', {
    as: own.people.manager,
    prepare: (tab) => tab.clock.install(),
  });
  const card = window.getByRole('region', { name: 'WhatsApp' });
  const address = `${new URL(window.url()).origin}/api/v1/receipts/whatsapp`;
  await card.getByText(address, { exact: true }).waitFor();
  await expectAccessible(window);
  await window.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  // The clock stands still, so that what is said only for a moment is seen on the slowest machine.
  await window.clock.pauseAt(await window.evaluate(() => Date.now() + 1000));
  await card.getByRole('button', { name: 'Copy: address for receipts' }).click();
  await card.getByRole('button', { name: 'Copied: address for receipts' }).waitFor();
  await window.clock.runFor(2000);
  await card.getByRole('button', { name: 'Copy: address for receipts' }).waitFor();
  await window.clock.resume();
  await window.getByRole('region', { name: 'SMS' }).getByText('TOCSIN_SMS_RECEIPT_SECRET').waitFor();
  await card.getByRole('button', { name: 'Send a test' }).click();
  await card.getByText(/^On its way/).waitFor();
  await own.engine?.tick();
  await card.getByText('Sent to +447700900001.').waitFor();
  const body = JSON.stringify({
    entry: [{ changes: [{ value: { statuses: [{ id: 'wamid.1', status: 'delivered' }] } }] }],
  });
  const signature = `sha256=${createHmac('sha256', receipts.appSecret).update(body).digest('hex')}`;
  const answer = await fetch(address, { method: 'POST', headers: { 'x-hub-signature-256': signature }, body });
  expect(answer.status).toBe(204);
  await card.getByText('Delivered to +447700900001.').waitFor();
  await own.close();
  await meta.stop();
});

test('what did not leave this server is read in the outbox, by owners alone', async () => {
  await page.goto('/admin/channels');
  const card = page.getByRole('region', { name: /mail/i });
  await card.getByRole('button', { name: 'Send a test' }).click();
  await card.getByText(/^On its way/).waitFor();
  await app.engine?.tick();
  expect(await page.getByRole('region', { name: 'Outbox', exact: true }).count()).toBe(0);

  const own = await app.open('/admin/channels', { as: app.people.owner });
  const outbox = own.getByRole('region', { name: 'Outbox', exact: true });
  const [kept] = await stored<{ body: string }>(app, 'outbox', { address: app.people.manager.email });
  const message = outbox.getByRole('listitem').filter({ hasText: app.people.manager.email }).first();
  await message.getByRole('group').locator('summary').click();
  expect(await message.locator('pre').textContent()).toBe(kept?.body);
  await app.leave(own);
});

test('a link of a message in the outbox is copied by a button', async () => {
  const link = 'https://plant.example/auth/new-password?code=a1_b-2';
  await insertRow(app.db, 'tocsin.outbox', {
    tocsin_customer_uuid: app.people.customer.uuid,
    method_type: 1,
    address: 'new@plant.example',
    subject: 'Your account',
    body: `Choose a password: ${link}.`,
  });
  const own = await app.open('/admin/channels', { as: app.people.owner });
  const outbox = own.getByRole('region', { name: 'Outbox', exact: true });
  await outbox.getByText('new@plant.example').click();
  await outbox.getByText(link, { exact: true }).waitFor();
  await expectAccessible(own);
  await outbox.getByRole('button', { name: 'Copy: link' }).click();
  await outbox.getByRole('button', { name: /^(Copied|Press Ctrl\+C): link$/ }).waitFor();
  await app.leave(own);
});
