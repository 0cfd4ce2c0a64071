/** A user must type the site's ID to delete a site with rules or open alarms. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConsoleApp, startConsole, troubles } from '../../harness/browser/console.ts';
import { inWindow, plantSite, stored } from '../support/admin.ts';
import { createWell, report, type Well } from '../support/alarm-plant.ts';

let app: ConsoleApp;
let page: Page;
let wells: Well[];
beforeAll(async () => {
  app = await startConsole();
  wells = [
    await createWell(app, 'Eller Brook', { ruleName: 'Well level' }),
    await createWell(app, 'Fold Lane', { ruleName: 'Well level' }),
    await createWell(app, 'Gill Side', { ruleName: 'Well level' }),
  ];
  await plantSite(app, 'Plain Field', 'PF-1');
  await report(app, await plantSite(app, 'Quay End', 'QE-1'), 'Door open');
  page = await app.open('/admin/sites', { as: app.people.manager });
});
afterAll(async () => {
  await app?.close();
  expect(troubles.splice(0)).toEqual([]);
});

const { panel, dialog, toast, row } = inWindow(() => page);
const deletion = (name: string) => dialog(`Delete ${name}?`);
const isDisabled = (name: string) => deletion(name).getByRole('button', { name: 'Delete' }).isDisabled();
const askToDelete = async (name: string) => {
  await row(name).click();
  await panel(name).getByRole('button', { name: 'Delete' }).click();
};
const idOf = (well: Well | undefined) => well?.site.site_id ?? '';

test('a site with a rule is deleted only after typing its ID, and the dialog lists the rule', async () => {
  const [well] = wells;
  await askToDelete('Eller Brook');
  const question = deletion('Eller Brook');
  await question.getByText('1 rule', { exact: false }).first().waitFor();
  expect(await isDisabled('Eller Brook')).toBe(true);
  const field = question.getByLabel(`Type ${idOf(well)} to delete the site`);
  await field.fill('Eller Brook');
  expect(await isDisabled('Eller Brook')).toBe(true);
  await field.fill(` ${idOf(well)} `);
  await question.getByRole('button', { name: 'Delete' }).click();
  await toast('Eller Brook was deleted.').waitFor();
  expect(await stored(app, 'site', { name: 'Eller Brook' })).toEqual([]);
});

test('an open alarm requires the ID too, and a site without either does not', async () => {
  await askToDelete('Quay End');
  await deletion('Quay End').getByLabel('Type QE-1 to delete the site').waitFor();
  expect(await isDisabled('Quay End')).toBe(true);
  await deletion('Quay End').getByRole('button', { name: 'Keep' }).click();
  await panel('Quay End').getByRole('button', { name: 'Cancel' }).click();
  await askToDelete('Plain Field');
  await deletion('Plain Field').getByText('Nothing else is deleted with it.').waitFor();
  expect(await isDisabled('Plain Field')).toBe(false);
  await deletion('Plain Field').getByRole('button', { name: 'Keep' }).click();
  await panel('Plain Field').getByRole('button', { name: 'Cancel' }).click();
});

test('several sites require the ID of each that has rules or open alarms', async () => {
  for (const name of ['Fold Lane', 'Gill Side', 'Plain Field'])
    await page.getByRole('checkbox', { name: `Select ${name}` }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  const question = deletion('3 sites');
  const [, fold, gill] = wells;
  await question.getByLabel(`Type ${idOf(fold)} to delete Fold Lane`).fill(idOf(fold));
  expect(await isDisabled('3 sites')).toBe(true);
  expect(await question.getByRole('textbox').count()).toBe(2);
  await question.getByLabel(`Type ${idOf(gill)} to delete Gill Side`).fill(idOf(gill));
  await question.getByRole('button', { name: 'Delete' }).click();
  await toast('3 sites were deleted.').waitFor();
  expect(await stored(app, 'site', { name: 'Gill Side' })).toEqual([]);
});
