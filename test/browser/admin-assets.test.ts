import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, startConsole, troubles } from '../harness/console.ts';
import { insertRow, serviceQuery } from '../harness/factories.ts';
import { inWindow, plantSite, stored } from './admin.ts';

let app: ConsoleApp;
let page: Page;
beforeAll(async () => {
  app = await startConsole();
  page = await app.open('/admin/groups', { as: app.people.manager });
});
afterAll(async () => {
  await app?.close();
  expect(troubles.splice(0)).toEqual([]);
});

const { panel, dialog, toast, row, save, pick } = inWindow(() => page);

const siteNamed = async (name: string) => (await stored(app, 'site', { name }))[0];

describe('groups', () => {
  test('made, refused when the name is taken, renamed, taken out of use and deleted', async () => {
    await page.goto('/admin/groups?level=3&record=new');
    const form = panel('New group');
    expect(await form.getByLabel('Level').inputValue()).toBe('3');
    await save(form);
    await form.getByText('Give the group a name.').waitFor();
    await form.getByLabel('Name').fill('Fells');
    await save(form);
    await toast('Fells was added.').waitFor();

    await page.getByRole('button', { name: 'New group' }).click();
    await form.getByLabel('Name').fill('fells');
    await save(form);
    await form.getByText('There is already a group with this name on this level.').waitFor();
    await form.getByRole('button', { name: 'Cancel' }).click();
    await dialog('Leave without saving?').getByRole('button', { name: 'Leave without saving' }).click();

    const group = (await serviceQuery(app.db, `select * from tocsin.group where name = 'Fells'`))[0];
    const site = await plantSite(app, 'In the fells', 'FE-1');
    await serviceQuery(app.db, 'update tocsin.site set tocsin_group3_uuid = $1 where uuid = $2', [
      group.uuid,
      site.uuid,
    ]);
    await row('Fells').click();
    await panel('Fells').getByLabel('Name').fill('High Fells');
    await panel('Fells').getByLabel('In use').uncheck();
    await save(panel('Fells'));
    await toast('High Fells was saved.').waitFor();
    await row('High Fells').getByText('Out of use').waitFor();

    await row('High Fells').click();
    await save(panel('High Fells'), 'Delete');
    const question = dialog('Delete High Fells?');
    await question.getByText('1 site keeps standing without this group').waitFor();
    await question.getByRole('button', { name: 'Delete' }).click();
    await toast('High Fells was deleted.').waitFor();
    expect(await siteNamed('In the fells')).toMatchObject({ tocsin_group3_uuid: null });
  });

  test('the customer, which is level 1, stands in no list of them', async () => {
    const { customer } = app.people;
    await insertRow(app.db, 'tocsin.group', { tocsin_customer_uuid: customer.uuid, level: 2, name: 'Uplands' });
    for (const path of ['/admin/groups', '/admin/groups?level=1']) {
      await page.goto(path);
      await row('Uplands').waitFor();
      expect(await row(customer.name).count(), path).toBe(0);
    }
  });
});

describe('assets', () => {
  test('made at a site, refused when its name is taken there, changed and deleted', async () => {
    const site = await plantSite(app, 'Marlow Dyke PS', 'PS-0063');
    await insertRow(app.db, 'tocsin.sensor', {
      tocsin_customer_uuid: site.tocsin_customer_uuid,
      uid: 'MD-LVL-01',
      sensor_type: 2,
    });
    await page.goto(`/admin/sites/${site.uuid}`);
    await page.getByRole('link', { name: 'New asset' }).click();
    const form = panel('New asset');
    expect(await form.getByRole('combobox', { name: 'Site' }).inputValue()).toBe('Marlow Dyke PS, PS-0063');
    await form.getByLabel('Name').fill('Pump 1');
    await pick(form, 'Sensor', 'MD-LVL', 'MD-LVL-01');
    await save(form);
    await toast('Pump 1 was added.').waitFor();

    await page.goto('/admin/assets?record=new');
    await form.getByLabel('Name').fill('Pump 1');
    await save(form);
    await form.getByText('Choose the site it stands at.').waitFor();
    await pick(form, 'Site', 'Marlow', 'Marlow Dyke PS, PS-0063');
    await save(form);
    await form.getByText('The site already has an asset with this name.').waitFor();
    await form.getByLabel('Name').fill('Pump 2');
    await save(form);
    await toast('Pump 2 was added.').waitFor();

    await page.goto('/admin/assets?q=Marlow');
    await row('Pump 1').click();
    await panel('Pump 1').getByLabel('Description').fill('Duty pump');
    await save(panel('Pump 1'));
    await toast('Pump 1 was saved.').waitFor();
    await row('Duty pump').waitFor();
    await row('Pump 1').click();
    await save(panel('Pump 1'), 'Delete');
    await dialog('Delete Pump 1?').getByText('Nothing else goes with it.').waitFor();
    await dialog('Delete Pump 1?').getByRole('button', { name: 'Delete' }).click();
    await toast('Pump 1 was deleted.').waitFor();
    const left = await serviceQuery(app.db, 'select name from tocsin.asset where tocsin_site_uuid = $1', [site.uuid]);
    expect(left.map(({ name }) => name)).toEqual(['Pump 2']);
  });
});
