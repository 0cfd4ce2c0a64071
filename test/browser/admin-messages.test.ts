import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConsoleApp, startConsole, troubles } from '../harness/console.ts';
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
    await form
      .getByText(/^Kelder Road PS needs you: 4\.62/)
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
  await card.getByRole('button', { name: 'Send a test' }).click();
  await card.getByText(`On its way to ${app.people.manager.email}.`).waitFor();
  await app.engine?.tick();
  await card.getByText(/Kept in the built-in outbox/).waitFor();
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
