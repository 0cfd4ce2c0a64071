import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, startConsole, troubles } from '../../harness/browser/console.ts';
import { goTo } from '../../harness/browser/settled.ts';
import { type SiteRow, serviceQuery } from '../../harness/database/factories.ts';
import { expectAccessible, expectGoodLooks } from '../support/accessible.ts';
import { createQuay, createWell, flood, report, rowOf, settle } from '../support/alarm-plant.ts';

let app: ConsoleApp;
let quay: SiteRow;
beforeAll(async () => {
  app = await startConsole();
  quay = await createQuay(app);
});
afterAll(async () => {
  await app?.close();
  expect(troubles.splice(0)).toEqual([]);
});

const pane = (page: Page) => page.getByLabel('Alarm', { exact: true });
const dialog = (page: Page, name = 'Shelve') => page.getByRole('dialog', { name, exact: true });
const groups = (page: Page) => page.locator('tbody th').allTextContents();

/** Returns the shelvings of the site, newest last. */
const shelvings = (site: SiteRow) =>
  serviceQuery<{ scope: string; reason: string; minutes: number; ended_how: string | null }>(
    app.db,
    `select scope, reason, round(extract(epoch from until - created_at) / 60)::int as minutes, ended_how
     from tocsin.shelving where tocsin_site_uuid = $1 order by created_at`,
    [site.uuid],
  );

describe('shelving', () => {
  test('of an alarm by key needs a reason, and moves the alarm out of the open ones', async () => {
    await report(app, quay, 'Fence broken');
    const page = await app.visit('/dashboard/alarms?q=Fence', { as: app.people.operator });
    await rowOf(page, 'Fence broken').press('s');
    const question = dialog(page);
    await question.getByRole('radio', { name: /^This alarm/ }).waitFor();
    // The dialog covers only the panel. The list beside the panel stays usable.
    await expect.poll(() => pane(page).getByRole('dialog').count()).toBe(1);
    await expectAccessible(page);
    await question.getByRole('button', { name: 'Shelve for 1 h' }).click();
    await question.getByText('Choose or enter a reason.').waitFor();
    await question.getByText('4 h', { exact: true }).click();
    await question.getByRole('textbox', { name: 'Reason' }).fill('New fence on Friday');
    await question.getByRole('button', { name: 'Shelve for 4 h' }).click();
    await pane(page).getByText('Shelved, major').waitFor();
    await expect.poll(() => groups(page)).toEqual(['Shelved 1, not counted as open']);
    expect(await shelvings(quay)).toEqual([
      { scope: 'alarm', reason: 'New fence on Friday', minutes: 240, ended_how: null },
    ]);
    await goTo(page, '/dashboard/alarms?show=shelved');
    await rowOf(page, '“New fence on Friday”').waitFor();
    await expectGoodLooks(page);
    await app.leave(page);
  });

  test('can be extended and ended early, and the timeline says so', async () => {
    const alarm = await report(app, quay, 'Gate open');
    const page = await app.visit(`/dashboard/alarms?alarm=${alarm}`, { as: app.people.operator });
    await pane(page).getByRole('button', { name: 'Shelve' }).click();
    await dialog(page).getByRole('button', { name: 'Sensor fault' }).click();
    await dialog(page).getByRole('button', { name: 'Shelve for 1 h' }).click();
    const note = pane(page).getByRole('region', { name: 'Shelving' });
    await note.getByRole('button', { name: /^Extend/ }).click();
    const extending = dialog(page, 'Extend the shelving');
    await extending.getByText('24 h', { exact: true }).click();
    await extending.getByRole('button', { name: 'Shelve for 24 h' }).click();
    await extending.waitFor({ state: 'detached' });
    await pane(page).getByText('Shelving extended', { exact: true }).waitFor();
    await note.getByRole('button', { name: /^End/ }).click();
    await dialog(page, 'End the shelving').getByRole('button', { name: 'End', exact: true }).click();
    await dialog(page, 'End the shelving').waitFor({ state: 'detached' });
    await settle(app);
    await pane(page).getByText('Shelving ended', { exact: true }).waitFor();
    await pane(page).getByText('Major, not acknowledged').waitFor();
    expect((await shelvings(quay)).at(-1)).toMatchObject({
      scope: 'alarm',
      reason: 'Sensor fault',
      minutes: 1440,
      ended_how: 'person',
    });
    await app.leave(page);
  });

  test('of a site with critical alarms needs a confirmation, and names who is not notified', async () => {
    const { operator } = app.people;
    const well = await createWell(app, 'Kelder Road', {
      ...{ ruleName: 'Level high', told: [operator], reasons: ['Crew on the way', 'Jetting'] },
    });
    const alarm = await flood(app, well);
    const page = await app.visit(`/dashboard/alarms?alarm=${alarm}`, { as: operator });
    await pane(page).getByRole('button', { name: 'Shelve' }).click();
    const question = dialog(page);
    await question.getByText(`No notifications to ${operator.display_name}`).waitFor();
    await question.getByRole('radio', { name: /^Site Kelder Road/ }).click();
    await question.getByRole('button', { name: 'Jetting' }).click();
    await question.getByRole('textbox', { name: 'Details' }).fill('until noon');
    await question.getByRole('button', { name: 'Shelve for 1 h' }).click();
    await question.getByText('Confirm this to shelve.').waitFor();
    await question.getByRole('checkbox', { name: /critical/ }).click();
    await question.getByRole('button', { name: 'Shelve for 1 h' }).click();
    await pane(page).getByText('Shelved, critical').waitFor();
    expect(await shelvings(well.site)).toEqual([
      { scope: 'site', reason: 'Jetting: until noon', minutes: 60, ended_how: null },
    ]);
    await goTo(page, '/dashboard');
    await page.locator('[data-state="shelved"]', { hasText: 'Kelder Road' }).getByText('Shelved').waitFor();
    await app.leave(page);
  });

  test('on a phone takes a tap on a duration and a tap on a reason', async () => {
    await report(app, quay, 'Lamp broken');
    const page = await app.visit('/dashboard/alarms?q=Lamp', { as: app.people.operator, phone: true });
    await page
      .getByRole('button', { name: /Lamp broken/ })
      .first()
      .tap();
    await page.getByRole('dialog', { name: 'Alarm' }).getByRole('button', { name: 'Shelve' }).tap();
    await dialog(page).getByText('8 h', { exact: true }).tap();
    await expectAccessible(page);
    await dialog(page).getByRole('button', { name: 'Sensor fault' }).tap();
    await dialog(page).waitFor({ state: 'detached' });
    const rows = await shelvings(quay);
    expect(rows.at(-1)).toEqual({ scope: 'alarm', reason: 'Sensor fault', minutes: 480, ended_how: null });
    await app.leave(page);
  });

  test('is not longer than the maximum of the company', async () => {
    const alarm = await report(app, quay, 'Drain blocked');
    const owner = await app.visit('/admin/company', { as: app.people.owner });
    await owner.getByRole('textbox', { name: 'Operators' }).fill('0');
    await owner.getByRole('button', { name: 'Save' }).click();
    await owner.getByText('Enter a whole number of hours from 1 to 8,760').waitFor();
    await owner.getByRole('textbox', { name: 'Operators' }).fill('4');
    await owner.getByRole('button', { name: 'Save' }).click();
    await owner.getByText('The company was saved.').waitFor();
    await app.leave(owner);
    const page = await app.visit(`/dashboard/alarms/${alarm}`, { as: app.people.operator });
    await page.getByRole('button', { name: 'Shelve' }).click();
    await dialog(page).getByText('At most 4 hours.').waitFor();
    expect(
      await dialog(page)
        .getByRole('radio', { name: /min$|h$/ })
        .count(),
    ).toBe(3);
    await dialog(page).getByText('Until…').click();
    // An hour from now is suggested, so there is no error yet.
    await dialog(page).getByText('At most 4 hours.').waitFor();
    // Escape closes only the calendar.
    await dialog(page).getByRole('button', { name: 'Open calendar' }).click();
    await page.locator('[data-day]:focus').press('Escape');
    await page.locator('[data-day]').first().waitFor({ state: 'detached' });
    await dialog(page).getByLabel('End day').fill('1/1/2020');
    await dialog(page).getByText('The end is in the past. Choose a later time.').waitFor();
    await app.leave(page);
  });
});
