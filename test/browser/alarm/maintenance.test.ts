import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dayAfter } from '../../../domain/maintenance/words.ts';
import { type ConsoleApp, startConsole, troubles } from '../../harness/browser/console.ts';
import { goTo } from '../../harness/browser/settled.ts';
import { type SiteRow, serviceQuery } from '../../harness/database/factories.ts';
import { expectAccessible, expectGoodLooks } from '../support/accessible.ts';
import { inWindow } from '../support/admin.ts';
import { createQuay } from '../support/alarm-plant.ts';

let app: ConsoleApp;
let quay: SiteRow;
let page: Page;
const { panel, dialog, save, toast, button, pick, abandon } = inWindow(() => page);
beforeAll(async () => {
  app = await startConsole();
  quay = await createQuay(app);
  page = await app.visit('/admin/maintenance', { as: app.people.manager, time: app.clock.now() });
});
afterAll(async () => {
  await app?.leave(page);
  await app?.close();
  expect(troubles.splice(0)).toEqual([]);
});

const stored = () =>
  serviceQuery<{ name: string; repeats: string; suppresses: string; ended_how: string | null }>(
    app.db,
    'select name, repeats, suppresses, ended_how from tocsin.maintenance_window where target_uuid = $1 order by created_at',
    [quay.uuid],
  );
const list = () => page.getByRole('region', { name: 'Active and planned' });
const today = () => app.clock.now().toISOString().slice(0, 10);

/** Fills the form of a window of the quay that is active all of today and tomorrow. */
async function fillToday(form: ReturnType<typeof panel>, name: string): Promise<void> {
  await form.getByRole('textbox', { name: 'Name' }).fill(name);
  await pick(form, 'Site', quay.name, new RegExp(quay.name));
  await form.getByLabel('Start').fill(today());
  await form.getByLabel('From').fill('00:00');
  await form.getByLabel('End', { exact: true }).fill(dayAfter(today(), 1));
  await form.getByLabel('To', { exact: true }).fill('23:00');
}

describe('a maintenance window', () => {
  test('is added for a site, and the site page and the board show it', async () => {
    await page.getByText('No maintenance planned').waitFor();
    await button('Add window').first().click();
    const form = panel('New window');
    await save(form, 'Save window');
    await form.getByText('Enter a name.').waitFor();
    await form.getByText('Choose a site.').waitFor();
    await fillToday(form, 'Quay repair');
    await expectAccessible(page);
    await form.getByRole('radio', { name: 'Alarms', exact: true }).click();
    await save(form, 'Save window');
    await toast('Quay repair').waitFor();
    await list().getByRole('region', { name: 'Active now' }).getByText('Quay repair').waitFor();
    await page.getByRole('region', { name: 'Calendar' }).getByText('Quay repair').first().waitFor();
    await expectGoodLooks(page);
    expect(await stored()).toEqual([{ name: 'Quay repair', repeats: 'once', suppresses: 'alarms', ended_how: null }]);
    await goTo(page, `/dashboard/site/${quay.uuid}`);
    await page.getByRole('list', { name: 'Maintenance in progress' }).getByText('No alarm opens').waitFor();
    await goTo(page, '/dashboard');
    await page.locator('[data-state="maintenance"]', { hasText: quay.name }).getByText('Quay repair').waitFor();
    await goTo(page, '/admin/maintenance');
  });

  test('that overlaps another one of the same site is refused at its field', async () => {
    await button('Add window').first().click();
    const form = panel('New window');
    await fillToday(form, 'Second repair');
    await save(form, 'Save window');
    await form.getByText(/^Overlaps "Quay repair", .*or choose another day\.$/).waitFor();
    await abandon(form);
    expect(await stored()).toHaveLength(1);
  });

  test('is changed to repeat, which the form says in words with the next dates', async () => {
    await list().getByRole('button', { name: 'Quay repair' }).click();
    const form = panel('Edit window');
    await form.getByRole('combobox', { name: 'Repeats' }).selectOption('monthly-weekday');
    await form.getByRole('combobox', { name: 'Week', exact: true }).selectOption('Third');
    await form.getByRole('combobox', { name: 'Weekday' }).selectOption('Tuesday');
    await form.getByLabel('From').fill('08:00');
    await form.getByLabel('To', { exact: true }).fill('12:00');
    await form.getByText('On the third Tuesday of every month, 08:00 to 12:00, with no end date.').waitFor();
    await expect.poll(() => form.getByRole('list', { name: 'Next dates' }).getByRole('listitem').count()).toBe(3);
    await save(form, 'Save window');
    await form.waitFor({ state: 'detached' });
    expect(await stored()).toMatchObject([{ repeats: 'monthly-weekday' }]);
    await list().getByRole('region', { name: 'Next' }).getByText('Quay repair').waitFor();
  });

  test('is deleted after a confirmation', async () => {
    await list().getByRole('button', { name: 'Quay repair' }).click();
    await save(panel('Edit window'), 'Delete');
    await dialog('Delete Quay repair?').getByRole('button', { name: 'Delete' }).click();
    await toast('Quay repair was deleted.').waitFor();
    expect(await stored()).toMatchObject([{ ended_how: 'person' }]);
    await page.getByText('No maintenance planned').waitFor();
  });

  test('is ended now', async () => {
    await button('Add window').first().click();
    const form = panel('New window');
    await fillToday(form, 'Short repair');
    await save(form, 'Save window');
    await form.waitFor({ state: 'detached' });
    await list().getByRole('button', { name: 'End now' }).click();
    await save(dialog('End Short repair'), 'End now');
    await page.getByText('No maintenance planned').waitFor();
    expect((await stored()).at(-1)).toMatchObject({ name: 'Short repair', ended_how: 'person' });
  });

  test('ends with its site, which the deletion dialog says', async () => {
    await button('Add window').first().click();
    const form = panel('New window');
    await fillToday(form, 'Last repair');
    await save(form, 'Save window');
    await form.waitFor({ state: 'detached' });
    await goTo(page, `/admin/sites?record=${quay.uuid}`);
    await page.getByRole('complementary').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByText('1 maintenance window ends').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Keep' }).click();
    await goTo(page, '/admin/maintenance');
  });

  test('is not offered to an operator', async () => {
    const other = await app.visit('/dashboard', { as: app.people.operator });
    expect(await other.getByRole('link', { name: 'Maintenance' }).count()).toBe(0);
    await app.leave(other);
  });

  test('is readable on a phone', async () => {
    const phone = await app.visit('/admin/maintenance', { as: app.people.manager, phone: true, time: app.clock.now() });
    await phone.getByRole('region', { name: 'Active and planned' }).getByText('Last repair').waitFor();
    await expectGoodLooks(phone);
    await app.leave(phone);
  });
});
