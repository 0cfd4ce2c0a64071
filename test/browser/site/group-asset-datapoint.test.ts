import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, startConsole, troubles } from '../../harness/browser/console.ts';
import { goTo } from '../../harness/browser/settled.ts';
import { insertRow, serviceQuery } from '../../harness/database/factories.ts';
import { createSensor, type TestSensor } from '../../harness/device/devices.ts';
import { expectAccessible } from '../support/accessible.ts';
import { inWindow, plantSite, stored } from '../support/admin.ts';

let app: ConsoleApp;
let page: Page;
beforeAll(async () => {
  app = await startConsole();
  page = await app.open('/admin/groups?level=3&record=new', { as: app.people.manager });
});
afterAll(async () => {
  await app?.close();
  expect(troubles.splice(0)).toEqual([]);
});

const { panel, dialog, toast, row, save, pick, confirm } = inWindow(() => page);

const siteNamed = async (name: string) => (await stored(app, 'site', { name }))[0];

describe('groups', () => {
  test('are created, refused if the name is taken, renamed, disabled and deleted', async () => {
    const form = panel('New group');
    expect(await form.getByLabel('Level').inputValue()).toBe('3');
    await save(form);
    await form.getByText('Enter a name.').waitFor();
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
    await panel('Fells').getByLabel('Active').uncheck();
    await save(panel('Fells'));
    await toast('High Fells was saved.').waitFor();
    await row('High Fells').getByText('Inactive').waitFor();

    await row('High Fells').click();
    await save(panel('High Fells'), 'Delete');
    const question = dialog('Delete High Fells?');
    await question.getByText('1 site stays, without this group').waitFor();
    await question.getByRole('button', { name: 'Delete' }).click();
    await toast('High Fells was deleted.').waitFor();
    expect(await siteNamed('In the fells')).toMatchObject({ tocsin_group3_uuid: null });
  });

  test('do not list the customer, which is level 1', async () => {
    const { customer } = app.people;
    await insertRow(app.db, 'tocsin.group', { tocsin_customer_uuid: customer.uuid, level: 2, name: 'Uplands' });
    for (const path of ['/admin/groups', '/admin/groups?level=1']) {
      await goTo(page, path);
      await row('Uplands').waitFor();
      expect(await row(customer.name).count(), path).toBe(0);
    }
  });
});

describe('assets', () => {
  test('are created at a site, refused if the name is taken there, changed and deleted', async () => {
    const site = await plantSite(app, 'Marlow Dyke PS', 'PS-0063');
    await insertRow(app.db, 'tocsin.sensor', {
      tocsin_customer_uuid: site.tocsin_customer_uuid,
      uid: 'MD-LVL-01',
      sensor_type: 2,
    });
    await goTo(page, `/admin/sites/${site.uuid}`);
    await page.getByRole('link', { name: 'Add asset' }).click();
    const form = panel('New asset');
    expect(await form.getByRole('combobox', { name: 'Site' }).inputValue()).toBe('Marlow Dyke PS, PS-0063');
    await form.getByLabel('Name').fill('Pump 1');
    await pick(form, 'Sensor', 'MD-LVL', 'MD-LVL-01');
    await save(form);
    await toast('Pump 1 was added.').waitFor();

    await goTo(page, '/admin/assets?record=new');
    await form.getByLabel('Name').fill('Pump 1');
    await save(form);
    await form.getByText('Choose the site.').waitFor();
    await pick(form, 'Site', 'Marlow', 'Marlow Dyke PS, PS-0063');
    await save(form);
    await form.getByText('The site already has an asset with this name.').waitFor();
    await form.getByLabel('Name').fill('Pump 2');
    await save(form);
    await toast('Pump 2 was added.').waitFor();

    await goTo(page, '/admin/assets?q=Marlow');
    await row('Pump 1').click();
    await panel('Pump 1').getByLabel('Description').fill('Duty pump');
    await save(panel('Pump 1'));
    await toast('Pump 1 was saved.').waitFor();
    await row('Duty pump').waitFor();
    await row('Pump 1').click();
    await save(panel('Pump 1'), 'Delete');
    await dialog('Delete Pump 1?').getByText('Nothing else is deleted with it.').waitFor();
    await dialog('Delete Pump 1?').getByRole('button', { name: 'Delete' }).click();
    await toast('Pump 1 was deleted.').waitFor();
    const left = await serviceQuery(app.db, 'select name from tocsin.asset where tocsin_site_uuid = $1', [site.uuid]);
    expect(left.map(({ name }) => name)).toEqual(['Pump 2']);
  });
});

describe('a data point', () => {
  let plant: TestSensor;
  beforeAll(async () => {
    plant = await createSensor(app.db, {
      customer: app.people.customer,
      uid: 'plant-1',
      channels: [{ name: 'Level' }, { name: 'Flow' }, { name: 'Power' }],
    });
  });
  const orders = async () =>
    (await stored(app, 'asset_datapoint', { tocsin_asset_uuid: plant.assetUuid }))
      .sort((a, b) => a.tocsin_asset_datapoint_order - b.tocsin_asset_datapoint_order)
      .map(({ tocsin_datapoint_name }) => tocsin_datapoint_name);

  /** All fields that the specification requires. Requests must contain no other fields. */
  const fields = [
    ...['tocsinDatapointName', 'uom', 'sensorType', 'status', 'tocsinAssetDatapointOrder', 'tocsinAssetUuid'],
    ...['tocsinSensorUuid', 'tocsinSensorChannelUuid', 'datapointColor', 'datapointTitleText', 'description'],
  ].sort();

  test('is created from a channel, refused at its field if the asset has it, changed and deleted', async () => {
    const spare = await createSensor(app.db, { customer: app.people.customer, uid: 'spare-1' });
    const sent: { query: string; variables: any }[] = [];
    page.on('request', (request) => {
      const call = request.url().endsWith('/graphql') ? request.postDataJSON() : null;
      if (/^\s*mutation/.test(call?.query ?? '')) sent.push(call);
    });
    await goTo(page, '/admin/datapoints');
    await page.getByRole('button', { name: 'New data point' }).click();
    const form = panel('New data point');
    await form.getByLabel('Name').fill('Spare level');
    await form.getByLabel('Asset').fill(spare.site.name);
    await page.getByRole('option', { name: new RegExp(spare.site.name) }).click();
    // The form uses the asset's sensor, so the user chooses only the channel.
    await form.getByLabel('Channel').selectOption({ label: '1 Channel 1' });
    expect(await form.getByLabel('Sensor').inputValue()).toBe('spare-1');
    expect(await form.getByLabel('Channel').locator('option').allInnerTexts()).toEqual(['Choose', '1 Channel 1']);
    await save(panel('New data point'));
    await form.getByText('The asset already has a data point for this sensor and channel.').waitFor();
    expect(await form.getByLabel('Channel').getAttribute('aria-invalid')).toBe('true');
    await form.getByLabel('Sensor').fill('plant-1');
    await page.getByRole('option', { name: 'plant-1' }).click();
    await form.getByLabel('Channel').selectOption({ label: '2 Flow' });
    await form.getByLabel('Unit').fill('m³/h');
    await save(panel('New data point'));
    await page.getByText('Spare level was added.').waitFor();
    await page.getByRole('row', { name: /Spare level/ }).click();
    const edit = panel('Spare level');
    await edit.getByLabel('State').selectOption('1');
    await save(panel('Spare level'));
    await edit.waitFor({ state: 'detached' });
    expect((await stored(app, 'asset_datapoint', { tocsin_datapoint_name: 'Spare level' }))[0]).toMatchObject({
      uom: 'm³/h',
      status: 1,
    });
    await page.getByRole('row', { name: /Spare level/ }).click();
    await edit.getByLabel('State').selectOption('0');
    await edit.getByLabel('Colour', { exact: true }).fill('#123456');
    await edit.getByLabel('Title text').fill('Low');
    await edit.getByLabel('Description').fill('Behind the pump');
    await save(panel('Spare level'));
    await edit.waitFor({ state: 'detached' });
    const [refused, created, state, updated] = sent.map(({ variables }) => variables);
    expect(sent).toHaveLength(4);
    for (const call of [refused, created]) {
      expect(Object.keys(call)).toEqual(['assetDatapoint']);
      expect(Object.keys(call.assetDatapoint).sort()).toEqual(fields);
    }
    expect(state).toEqual({ input: { uuid: expect.any(String), status: 1 } });
    expect(Object.keys(updated).sort()).toEqual(['patch', 'uuid']);
    // The patch contains `updatedAt`, which detects a concurrent change.
    expect(Object.keys(updated.patch).sort()).toEqual([...fields, 'updatedAt'].sort());
    await page.getByRole('row', { name: /Spare level/ }).click();
    await edit.getByRole('button', { name: 'Delete' }).click();
    await confirm('Delete');
    await edit.waitFor({ state: 'detached' });
    expect(await stored(app, 'asset_datapoint', { tocsin_datapoint_name: 'Spare level' })).toEqual([]);
  });

  test('is moved by keys and by dragging', async () => {
    await goTo(page, `/admin/datapoints?record=${plant.channels[0]?.datapointUuid}`);
    await page.getByRole('tab', { name: 'Order in the asset' }).click();
    const handles = page.getByRole('button', { name: /^Move / });
    await handles.nth(2).waitFor();
    const first = (await handles.first().getAttribute('aria-label'))?.split(',')[0]?.slice(5);
    await handles.first().focus();
    await page.keyboard.press('ArrowDown');
    await expect.poll(async () => (await orders())[1]).toBe(first);
    const [from, to] = [await handles.nth(1).boundingBox(), await handles.nth(2).boundingBox()];
    await page.mouse.move((from?.x ?? 0) + 10, (from?.y ?? 0) + 10);
    await page.mouse.down();
    await page.mouse.move((to?.x ?? 0) + 10, (to?.y ?? 0) + 36, { steps: 6 });
    await page.mouse.up();
    await expect.poll(async () => (await orders())[2]).toBe(first);
    await expectAccessible(page, '[data-panel]');
  });
});
