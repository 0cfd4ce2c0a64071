import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, startConsole, troubles } from '../../harness/browser/console.ts';
import { createUser, serviceQuery, type UserRow } from '../../harness/database/factories.ts';
import { PASSWORD } from '../../harness/server/app.ts';
import { expectAccessible, expectGoodLooks } from '../support/accessible.ts';
import { inWindow } from '../support/admin.ts';

const DAY = 86_400_000;

let app: ConsoleApp;
let page: Page;
let people: UserRow[];
const { panel, dialog, save, toast, button, pick } = inWindow(() => page);
beforeAll(async () => {
  app = await startConsole();
  const person = (displayName: string) =>
    createUser(app.db, { customer: app.people.customer, level: 20, displayName, password: PASSWORD });
  people = [await person('Owen Hughes'), await person('Ian McAllister'), await person('Sara Köhler')];
  page = await app.visit('/admin/on-call', { as: app.people.manager, time: app.clock.now() });
});
afterAll(async () => {
  await app?.leave(page);
  await app?.close();
  expect(troubles.splice(0)).toEqual([]);
});

const dayAt = (days: number) => new Date(app.clock.now().getTime() + days * DAY).toISOString().slice(0, 10);
const overrides = () =>
  serviceQuery<{ off_name: string; cover_name: string; reason: string }>(
    app.db,
    'select off_name, cover_name, reason from tocsin.rota_override where tocsin_customer_uuid = $1 order by starts_at, off_name',
    [app.people.customer.uuid],
  );
const timeline = () => page.getByRole('region', { name: 'Two weeks of the rota' });

async function addAbsence(off: string, days: [number, number], cover?: string): Promise<void> {
  await button('Add override').click();
  const form = dialog('Add override');
  await form.getByRole('combobox', { name: 'Who is off' }).selectOption(off);
  if (cover) await pick(form, 'Who covers (optional)', cover, cover);
  await form.getByLabel('Start').fill(dayAt(days[0]));
  await form.getByLabel('End', { exact: true }).fill(dayAt(days[1]));
  await form.getByLabel('Reason (optional)').fill('holiday');
  await form.getByRole('button', { name: 'Add override' }).click();
  await form.waitFor({ state: 'detached' });
}

describe('a rota', () => {
  test('is set up for three people with two holidays', async () => {
    await page.getByText('No rotas yet').waitFor();
    await button('Add rota').first().click();
    const form = panel('New rota');
    await save(form);
    await form.getByText('Add at least one person.').waitFor();
    await form.getByLabel('Rota').fill('Pump stations');
    await form.getByLabel('Name of the first layer').fill('Primary');
    for (const name of ['Sara Köhler', 'Owen Hughes', 'Ian McAllister']) await pick(form, 'Add person', name, name);
    const order = () => form.getByRole('list', { name: 'People in turn' }).locator('li').allTextContents();
    const row = form.getByRole('list', { name: 'People in turn' }).locator('li').filter({ hasText: 'Sara Köhler' });
    await row.hover();
    await row.getByRole('button', { name: 'Move Sara Köhler down' }).click();
    await row.getByRole('button', { name: 'Remove Sara Köhler' }).press('Alt+ArrowDown');
    expect((await order()).map((text) => /(Owen|Ian|Sara)/.exec(text)?.[0])).toEqual(['Owen', 'Ian', 'Sara']);
    await form.getByText(/this is Ian McAllister/).waitFor();
    await expectAccessible(page, '[data-panel]');
    await save(form);
    await page.getByRole('heading', { name: 'Pump stations' }).waitFor();
    await page.getByText('Primary, on call now').waitFor();
    await timeline().getByText('Ian McAllister').first().waitFor();
    await addAbsence('Owen Hughes', [3, 4], 'Sara Köhler');
    await addAbsence('Ian McAllister', [8, 9]);
    expect(await overrides()).toEqual([
      { off_name: 'Owen Hughes', cover_name: 'Sara Köhler', reason: 'holiday' },
      { off_name: 'Ian McAllister', cover_name: '', reason: 'holiday' },
    ]);
    await expectAccessible(page);
    await expectGoodLooks(page);
  });

  test('refuses a holiday of the same person at the same time at its field', async () => {
    await button('Add override').click();
    const form = dialog('Add override');
    await form.getByRole('combobox', { name: 'Who is off' }).selectOption('Ian McAllister');
    await form.getByLabel('Start').fill(dayAt(8));
    await form.getByLabel('End', { exact: true }).fill(dayAt(9));
    await form.getByRole('button', { name: 'Add override' }).click();
    await form.getByText('Ian McAllister is off already in this period (holiday).').waitFor();
    await form.getByRole('button', { name: 'Cancel' }).click();
    expect(await overrides()).toHaveLength(2);
  });

  test('shows a gap, which a manager confirms', async () => {
    const gap = page.getByRole('status').filter({ hasText: 'Primary has a gap' });
    await gap.getByText('Ian McAllister is off (holiday).').waitFor();
    await page.getByRole('cell', { name: 'Off, holiday, not confirmed' }).waitFor();
    await gap.getByRole('button', { name: 'Confirm gap' }).click();
    await toast('The gap is confirmed.').waitFor();
    await gap.waitFor({ state: 'detached' });
    await page.getByRole('cell', { name: 'Off, holiday, confirmed' }).waitFor();
    await timeline().getByText('Gap').waitFor();
  });

  test('shows its shifts as a month and as a list', async () => {
    await page.getByText('Month', { exact: true }).click();
    await page.getByRole('region', { name: 'Four weeks of the rota' }).getByText('Gap').first().waitFor();
    await page.getByText('List', { exact: true }).click();
    await page.getByRole('region', { name: 'Shifts' }).getByText('for Owen Hughes').waitFor();
    await page.getByText('Timeline', { exact: true }).click();
  });

  test('has a calendar feed whose address is renewed', async () => {
    await button('Calendar feed').click();
    const feeds = dialog('Calendar feed');
    const mine = feeds.getByRole('region', { name: 'All shifts of Pump stations' });
    await mine.getByRole('button', { name: 'Make address' }).click();
    const first = (await mine.locator('code').textContent()) ?? '';
    expect((await fetch(first.replace('127.0.0.1', 'localhost'))).status).toBe(200);
    await feeds.getByRole('button', { name: 'Close' }).click();
    await button('Calendar feed').click();
    await mine.getByRole('button', { name: 'Renew address' }).click();
    const second = (await mine.locator('code').textContent()) ?? '';
    expect(second).not.toBe(first);
    const answer = await fetch(second.replace('127.0.0.1', 'localhost'));
    expect(await answer.text()).toContain('BEGIN:VCALENDAR');
    expect((await fetch(first.replace('127.0.0.1', 'localhost'))).status).toBe(404);
    await feeds.getByRole('button', { name: 'Close' }).click();
  });
});

test('a person swaps a shift on a phone, which the colleague accepts', async () => {
  const [owen, ian] = people as [UserRow, UserRow, UserRow];
  const swaps = () =>
    serviceQuery(app.db, 'select state from tocsin.rota_swap where tocsin_customer_uuid = $1', [
      app.people.customer.uuid,
    ]);
  const phone = await app.visit('/dashboard/on-call', { as: owen, phone: true, time: app.clock.now() });
  await phone.getByText('You are on call now').waitFor();
  await expectAccessible(phone);
  const shifts = phone.getByRole('region', { name: 'My shifts' });
  // The first shift is the present one, which a holiday divides. The last one is in three weeks.
  await shifts
    .getByRole('button', { name: /^Swap / })
    .last()
    .click();
  const sheet = phone.getByRole('dialog');
  await sheet.getByText('Ask somebody to swap').waitFor();
  await expectAccessible(phone, '[role="dialog"]');
  await sheet.getByRole('radio', { name: /Ian McAllister/ }).check();
  await sheet.getByRole('button', { name: 'Ask Ian McAllister' }).click();
  await phone
    .getByRole('region', { name: 'Swaps' })
    .getByText(/^You asked Ian McAllister/)
    .waitFor();
  expect(await swaps()).toEqual([{ state: 'asked' }]);
  await app.leave(phone);
  const other = await app.visit('/dashboard/on-call', { as: ian, phone: true, dark: true, time: app.clock.now() });
  const asked = other.getByRole('region', { name: 'Swaps' });
  await asked.getByText(/^Owen Hughes asks you to take/).waitFor();
  await asked.getByRole('button', { name: 'Accept' }).click();
  await other.getByText('The swap was accepted.').waitFor();
  await asked.waitFor({ state: 'detached' });
  expect(await swaps()).toEqual([{ state: 'accepted' }]);
  expect((await overrides()).filter(({ reason }) => reason === 'swap')).toHaveLength(2);
  await app.leave(other);
});
