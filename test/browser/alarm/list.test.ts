import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, startConsole, troubles } from '../../harness/browser/console.ts';
import { goTo } from '../../harness/browser/settled.ts';
import { createSite } from '../../harness/database/factories.ts';
import { long } from '../../harness/long.ts';
import { expectAccessible, narrow, wide } from '../support/accessible.ts';

let app: ConsoleApp;
beforeAll(async () => {
  app = await startConsole();
  const site = await createSite(app.db, { customer: app.people.customer, name: 'Quay Street' });
  const owner = await app.browser(app.people.owner);
  const alarms = [
    { message: 'Pump tripped', dateTime: '2026-03-02T07:30:00Z' },
    { message: 'Wet well level high', dateTime: '2026-03-02T07:00:00Z' },
    { message: 'Hatch open', dateTime: '2026-03-01T06:00:00Z', resolvedDate: '2026-03-02T05:00:00Z' },
    { message: 'Mains lost', dateTime: '2026-03-01T23:00:00Z', resolvedDate: '2026-03-02T03:00:00Z' },
  ];
  for (const alarm of alarms)
    await owner.data('mutation ($alarm: AlarmInput!) { createAlarm(input: { alarm: $alarm }) { alarm { uuid } } }', {
      alarm: { ...alarm, tocsinSiteUuid: site.uuid },
    });
});
afterAll(async () => {
  await app?.close();
  expect(troubles.splice(0)).toEqual([]);
});

/** Opens a page as the owner, in a window whose clock is frozen at the app's time. */
const visit = (path: string): Promise<Page> => app.visit(path, { as: app.people.owner, time: app.clock.now() });

describe('the age of an alarm', () => {
  test('shows the exact time while the mouse is over it, and Escape hides it', async () => {
    const page = await visit('/dashboard/alarms');
    const age = page.locator('tr[data-alarm]', { hasText: 'Pump tripped' }).locator('time').first();
    const tooltip = page.getByRole('tooltip');
    await age.hover();
    await tooltip.getByText(/07:30:00.*ago/).waitFor();
    await page.keyboard.press('Escape');
    await tooltip.waitFor({ state: 'detached' });
    await page.mouse.move(0, 0);
    await age.hover();
    await tooltip.getByText(/07:30:00.*ago/).waitFor();
    await page.mouse.move(0, 0);
    await tooltip.waitFor({ state: 'detached' });
    await app.leave(page);
  });
});

describe('an alarm that was opened from the list', () => {
  test('closes by the browser’s Back button and by its own button, on a phone and on a wide screen', async () => {
    const page = await visit('/reports');
    await page.getByRole('main').waitFor();
    const detail = page.getByLabel('Alarm', { exact: true });
    const inAddress = () => new URL(page.url()).searchParams.has('alarm');
    for (const size of [narrow, wide]) {
      await page.setViewportSize(size);
      await goTo(page, '/dashboard/alarms');
      await page.getByText('Pump tripped').click();
      await detail.getByRole('heading', { name: 'Pump tripped' }).waitFor();
      expect(inAddress()).toBe(true);
      await page.goBack();
      await detail.waitFor({ state: 'detached' });
      expect(new URL(page.url()).pathname).toBe('/dashboard/alarms');

      await page.getByText('Pump tripped').click();
      await detail.getByRole('button', { name: 'Close' }).click();
      await detail.waitFor({ state: 'detached' });
      expect(inAddress()).toBe(false);
      await page.goBack();
      await page.waitForURL('**/reports');
    }
    await app.leave(page);
  });

  test('adds no history entry when stepping through the list by keys, and stays open after a reload', async () => {
    const page = await visit('/dashboard/alarms');
    const detail = page.getByLabel('Alarm', { exact: true });
    await page.getByText('Pump tripped').click();
    await detail.getByRole('heading', { name: 'Pump tripped' }).waitFor();
    await page.keyboard.press('j');
    await detail.getByRole('heading', { name: 'Wet well level high' }).waitFor();
    await detail.getByRole('link', { name: 'Open the alarm’s own page' }).press('Enter');
    await page.getByRole('heading', { name: 'Wet well level high', level: 1 }).waitFor();
    await page.locator('main:focus').waitFor();
    await page.goBack();
    await page.locator('tr[data-alarm]:focus', { hasText: 'Wet well level high' }).waitFor();
    await page.reload();
    await detail.getByRole('heading', { name: 'Wet well level high' }).waitFor();
    await page.goBack();
    await detail.waitFor({ state: 'detached' });
    await page.getByText('Pump tripped').waitFor();
    await app.leave(page);
  });
});

describe('the keys of the list', () => {
  const focused = 'tr[data-alarm]:focus';

  test('work as soon as the list is shown: they enter the list, select the next alarm, and open detail and dialogs', async () => {
    const page = await visit('/dashboard/alarms');
    await page.getByText('Pump tripped').waitFor();
    await page.keyboard.press('j');
    await page.locator(focused, { hasText: 'Pump tripped' }).waitFor();
    await page.keyboard.press('j');
    await page.locator(focused, { hasText: 'Wet well level high' }).waitFor();
    await page.keyboard.press('k');
    await page.locator(focused, { hasText: 'Pump tripped' }).waitFor();
    // If the focus is outside the list, the keys J and K continue from the last focused row.
    await page.getByRole('button', { name: 'Filters' }).focus();
    await page.keyboard.press('j');
    await page.locator(focused, { hasText: 'Wet well level high' }).waitFor();

    await page.reload();
    await page.getByText('Pump tripped').waitFor();
    await page.keyboard.press('Enter');
    await page.getByLabel('Alarm', { exact: true }).getByRole('heading', { name: 'Pump tripped' }).waitFor();
    await page.locator('main').evaluate((main) => (main as unknown as { focus(): void }).focus());
    await page.keyboard.press('Escape');
    await page.getByLabel('Alarm', { exact: true }).waitFor({ state: 'detached' });

    for (const [key, name] of [
      ['a', 'Acknowledge alarm'],
      ['r', 'Resolve alarm'],
    ] as const) {
      await goTo(page, '/reports');
      await goTo(page, '/dashboard/alarms');
      await page.getByText('Pump tripped').waitFor();
      await page.keyboard.press(key);
      const dialog = page.getByRole('dialog', { name });
      await dialog.getByRole('heading', { name: 'Pump tripped' }).waitFor();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await page.locator(focused, { hasText: 'Pump tripped' }).waitFor();
    }
    await app.leave(page);
  });

  test('are listed by ?, by the button below the list and by the user menu, and do nothing in text fields, selects and dialogs', async () => {
    const page = await visit('/dashboard/alarms');
    await page.getByText('Pump tripped').waitFor();
    const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await page.keyboard.press('?');
    await keys.getByText('Acknowledge the selected alarms or the current one').waitFor();
    await keys.getByText('Search this page').waitFor();
    await expectAccessible(page, '[role=dialog]');
    await page.keyboard.press('a');
    expect(await page.getByRole('dialog').count()).toBe(1);
    await page.keyboard.press('Escape');
    await keys.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'All keys' }).click();
    await keys.waitFor();
    await page.keyboard.press('Escape');
    await keys.waitFor({ state: 'detached' });

    const search = page.getByRole('searchbox', { name: 'Message, place or reason' });
    await page.keyboard.press('/');
    await search.and(page.locator(':focus')).waitFor();
    await page.keyboard.type('jar');
    expect(await search.inputValue()).toBe('jar');
    await search.fill('');
    await page.getByText('Pump tripped').waitFor();
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByRole('dialog', { name: 'Filters' }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    expect(await page.locator(focused).count()).toBe(0);
    expect(await page.getByRole('dialog', { name: /alarm$/ }).count()).toBe(0);
    await goTo(page, '/reports');
    await page.getByRole('button', { name: /^User menu/ }).click();
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
    await keys.getByText('Show keyboard shortcuts').waitFor();
    expect(await keys.getByText(/^Resolve the/).count()).toBe(0);
    await page.keyboard.press('Escape');
    await keys.waitFor({ state: 'detached' });
    await app.leave(page);
  });
});

test('past alarms show when they were resolved, latest first, and export all filtered rows, not only their page', async () => {
  const page = await visit('/dashboard/alarms?show=past');
  const table = page.getByRole('table', { name: 'Past alarms' });
  await table.getByText('Hatch open').waitFor();
  expect(await table.getByRole('columnheader').nth(1).textContent()).toBe('Resolved');
  const times = await table
    .locator('tr[data-alarm] td:nth-child(2) time')
    .evaluateAll((all) => (all as unknown as { dateTime: string }[]).map(({ dateTime }) => dateTime));
  expect(times).toEqual(['2026-03-02T05:00:00.000Z', '2026-03-02T03:00:00.000Z']);

  const exported = async () => {
    const arriving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    const file = await arriving;
    const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n');
    return { name: file.suggestedFilename(), lines };
  };
  await goTo(page, '/dashboard/alarms?show=past&q=Hatch&size=1');
  await page.getByText('Hatch open').waitFor();
  const { name, lines } = await exported();
  expect(name).toMatch(/^past-alarms-\d{4}-\d\d-\d\dT\d{4}Z\.csv$/);
  expect(lines[0]).toMatch(/^Severity,Message,Site,Asset,Opened,Resolved,/);
  expect(lines.slice(1).map((line) => line.split(',').slice(1, 3))).toEqual([['Hatch open', 'Quay Street']]);

  // On a phone, the Filters button opens the controls for the export.
  await page.setViewportSize(narrow);
  await goTo(page, '/dashboard/alarms?show=all');
  await page.getByText('Pump tripped').waitFor();
  await page.getByRole('button', { name: 'Filters' }).click();
  expect((await exported()).lines).toHaveLength(5);
  await app.leave(page);
});

long('says that the connection is lost and since when, and catches up by itself', async () => {
  const page = await visit('/dashboard/alarms');
  await page.getByText('Pump tripped').waitFor();
  await page.route('**/graphql', (route) => route.abort());
  // When the user returns to the window, the page reloads its data.
  await page.clock.setFixedTime(app.clock.now().getTime() + 60_000);
  await page.evaluate('window.dispatchEvent(new Event("visibilitychange"))');
  const banner = page.getByText(/Connection lost at \d\d:\d\d\. Trying again\./);
  await banner.waitFor();
  expect(await page.getByText('Pump tripped').isVisible()).toBe(true);
  await page.unroute('**/graphql');
  await banner.waitFor({ state: 'detached' });
  await app.leave(page);
});
