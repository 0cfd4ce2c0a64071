import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dayAfter } from '../../../domain/maintenance/words.ts';
import { type ConsoleApp, startConsole, troubles } from '../../harness/browser/console.ts';
import { goTo } from '../../harness/browser/settled.ts';
import { createSite, insertRow, type SiteRow, serviceQuery } from '../../harness/database/factories.ts';
import { expectAccessible, expectGoodLooks } from '../support/accessible.ts';
import { inWindow } from '../support/admin.ts';
import { createQuay, setUser } from '../support/alarm-plant.ts';

let app: ConsoleApp;
let quay: SiteRow;
let page: Page;
const { panel, dialog, save, toast, button, pick, abandon } = inWindow(() => page);
beforeAll(async () => {
  app = await startConsole();
  quay = await createQuay(app);
  const { customer } = app.people;
  for (const [name, site] of [
    ['North Office', quay],
    ['South Office', await createSite(app.db, { customer, name: 'Low Weir' })],
  ] as const) {
    const own = { tocsin_customer_uuid: customer.uuid };
    const office = await insertRow(app.db, 'tocsin.group', { ...own, level: 5, name });
    await serviceQuery(app.db, 'update tocsin.site set tocsin_group5_uuid = $1 where uuid = $2', [
      office.uuid,
      site.uuid,
    ]);
  }
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
const calendar = () => page.getByRole('region', { name: 'Calendar' });
const today = () => app.clock.now().toISOString().slice(0, 10);
const weekday = () => app.clock.now().toLocaleDateString('en-GB', { weekday: 'long', timeZone: 'UTC' });

/** Fills in the form for a maintenance window at the quay that covers today and tomorrow. */
async function fillToday(form: ReturnType<typeof panel>, name: string): Promise<void> {
  await form.getByRole('textbox', { name: 'Name' }).fill(name);
  await pick(form, 'Site', quay.name, new RegExp(quay.name));
  await form.getByLabel('Start').fill(today());
  await form.getByLabel('From').fill('00:00');
  await form.getByLabel('End', { exact: true }).fill(dayAfter(today(), 1));
  await form.getByLabel('To', { exact: true }).fill('23:00');
}

/** Returns the last occurrence of the window with this name, as clock times in UTC. */
async function lastOccurrence(name: string): Promise<string> {
  const [row] = await serviceQuery<{ starts_at: Date; ends_at: Date }>(
    app.db,
    `select o.starts_at, o.ends_at from tocsin.maintenance_occurrence o
       join tocsin.maintenance_window w on w.uuid = o.tocsin_maintenance_window_uuid
     where w.name = $1 order by o.starts_at desc limit 1`,
    [name],
  );
  return [row?.starts_at, row?.ends_at].map((at) => at?.toISOString().slice(11, 16)).join(' to ');
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
    await calendar().getByText(quay.name).first().waitFor();
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
    // The next dates of a window that repeats show the overlap before it is saved.
    await form.getByRole('combobox', { name: 'Repeats' }).selectOption('weekly');
    await form.getByRole('combobox', { name: 'Weekday' }).selectOption(weekday());
    await form.getByLabel('To', { exact: true }).fill('23:00');
    const first = form.getByRole('list', { name: 'Next dates' }).getByRole('listitem').first();
    await first.getByRole('img', { name: 'Overlaps “Quay repair”:' }).waitFor();
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

  test('is filtered by office and scope', async () => {
    await page.getByRole('combobox', { name: 'Scope' }).selectOption('Asset');
    await list().getByText('No window matches the filters').waitFor();
    expect(await calendar().getByText(quay.name).count()).toBe(0);
    await list().getByRole('button', { name: 'Show all windows' }).click();
    await list().getByRole('button', { name: 'Quay repair' }).waitFor();
    await page.getByRole('combobox', { name: 'Scope' }).selectOption('Site');
    await page.getByRole('combobox', { name: 'Office' }).selectOption('North Office');
    await list().getByRole('button', { name: 'Quay repair' }).waitFor();
    await page.getByRole('combobox', { name: 'Office' }).selectOption('South Office');
    await list().getByText('No window matches the filters').waitFor();
    await list().getByRole('button', { name: 'Show all windows' }).click();
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

  test('that is in progress is extended', async () => {
    await button('Add window').first().click();
    const form = panel('New window');
    await fillToday(form, 'Long repair');
    await save(form, 'Save window');
    await form.waitFor({ state: 'detached' });
    await list().getByRole('button', { name: 'Extend' }).click();
    const question = dialog('Extend Long repair');
    await question.getByLabel('End day').fill(dayAfter(today(), 1));
    await question.getByLabel('End time').fill('2200');
    await save(question, 'Extend window');
    await question.getByText('The end is not later than now planned.').waitFor();
    await question.getByLabel('End time').fill('noon');
    await save(question, 'Extend window');
    await question.getByText('Enter a time, such as 12:00.').waitFor();
    await question.getByLabel('End time').fill('23:30');
    await expectAccessible(page);
    await save(question, 'Extend window');
    await toast(/^Extended until /).waitFor();
    expect(await lastOccurrence('Long repair')).toBe('00:00 to 23:30');
    await list().getByRole('button', { name: 'End now' }).click();
    await save(dialog('End Long repair'), 'End now');
    await page.getByText('No maintenance planned').waitFor();
  });

  test('that repeats is extended by a window of its own', async () => {
    await button('Add window').first().click();
    const form = panel('New window');
    await form.getByRole('textbox', { name: 'Name' }).fill('Weekly repair');
    await pick(form, 'Site', quay.name, new RegExp(quay.name));
    await form.getByRole('combobox', { name: 'Repeats' }).selectOption('weekly');
    await form.getByRole('combobox', { name: 'Weekday' }).selectOption(weekday());
    await form.getByLabel('First day').fill(today());
    await form.getByLabel('From').fill('00:00');
    await form.getByLabel('To', { exact: true }).fill('23:00');
    await save(form, 'Save window');
    await form.waitFor({ state: 'detached' });
    await list().getByRole('button', { name: 'Extend' }).click();
    await save(dialog('Extend Weekly repair'), 'Extend window');
    await dialog('Extend Weekly repair').waitFor({ state: 'detached' });
    expect((await stored()).slice(-2)).toMatchObject([
      { name: 'Weekly repair', repeats: 'weekly' },
      { name: 'Weekly repair', repeats: 'once' },
    ]);
    await list().getByRole('region', { name: 'Next' }).getByText('Weekly repair').waitFor();
    for (const _ of [1, 2]) {
      await list().getByRole('button', { name: 'Weekly repair' }).first().click();
      await save(panel('Edit window'), 'Delete');
      await dialog('Delete Weekly repair?').getByRole('button', { name: 'Delete' }).click();
      await panel('Edit window').waitFor({ state: 'detached' });
    }
    await page.getByText('No maintenance planned').waitFor();
  });

  test('has dates in the locale of the user, which are typed, chosen or cleared', async () => {
    await setUser(app, app.people.manager, { locale: 'de-DE' });
    const other = await app.open('/admin/maintenance?record=new', {
      as: app.people.manager,
      time: new Date('2026-11-12T14:32:00Z'),
    });
    const form = other.getByRole('complementary', { name: 'New window' });
    const start = form.getByLabel('Start');
    await expect.poll(() => start.inputValue()).toBe('13.11.2026');
    await start.fill('');
    await form.getByLabel('End', { exact: true }).fill('31.2.2027');
    await form.getByRole('button', { name: 'Save window' }).click();
    await expect.poll(() => form.getByText('Enter a date, such as 17.11.2026.').count()).toBe(2);
    await form.getByLabel('End', { exact: true }).fill('1.12.26');
    await start.fill('30112026');
    await form.getByLabel('From').fill('8');
    await form.getByLabel('To', { exact: true }).focus();
    await expect.poll(() => start.inputValue()).toBe('30.11.2026');
    await expect.poll(() => form.getByLabel('From').inputValue()).toBe('08:00');
    await form.getByRole('button', { name: 'Open calendar' }).first().click();
    await other.locator('[data-day="2026-11-30"]:focus').waitFor();
    await expectAccessible(other);
    await other.keyboard.press('ArrowLeft');
    await other.keyboard.press('Enter');
    await expect.poll(() => start.inputValue()).toBe('29.11.2026');
    await form.getByText(/^Once, on .*29\. Nov\. 2026, 08:00 to .*1\. Dez\. 2026, 12:00\.$/).waitFor();
    await setUser(app, app.people.manager, { locale: '' });
    await app.leave(other);
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
