import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, startConsole, troubles } from '../harness/console.ts';
import { createSensor, type TestSensor } from '../harness/devices.ts';
import { expectAccessible } from './accessible.ts';
import { inWindow, plantSite, sendByHttp, stored } from './admin.ts';
import { settle } from './alarm-plant.ts';

let app: ConsoleApp;
let page: Page;
let plant: TestSensor;
beforeAll(async () => {
  app = await startConsole();
  plant = await createSensor(app.db, {
    customer: app.people.customer,
    uid: 'plant-1',
    channels: [{ name: 'Level' }, { name: 'Flow' }, { name: 'Power' }],
  });
  page = await app.open('/admin/datapoints', { as: app.people.manager });
});
afterAll(async () => {
  await app?.close();
  expect(troubles.splice(0)).toEqual([]);
});

const { panel, save, confirm } = inWindow(() => page);

test('a channel is made, previewed, refused where its number or name is taken, changed and deleted', async () => {
  const sensor = await createSensor(app.db, { customer: app.people.customer, uid: 'mains-1', sensorType: 1 });
  const phone = await app.open(`/admin/sensors?record=${sensor.uuid}`, {
    as: app.people.manager,
    phone: true,
    dark: true,
  });
  const { panel, save, confirm } = inWindow(() => phone);
  await phone.getByRole('tab', { name: /Channels/ }).click();
  await phone.getByRole('button', { name: 'New channel' }).click();
  const form = panel('mains-1: new channel');
  expect(await form.getByLabel('Number').inputValue()).toBe('2');
  await form.getByLabel('Name').fill('Mains');
  await form.getByLabel('Text when low').fill('Off');
  await form.getByLabel('Alarm by itself').selectOption('0');
  await form.getByLabel('Major alarm').check();
  const preview = form.getByRole('region', { name: 'Preview of the tile' });
  await preview.getByLabel('Device sends').selectOption('0');
  await preview.getByText('Off').waitFor();
  await preview.getByText('Major').waitFor();
  await form.getByLabel('Alarm colour', { exact: true }).fill('red');
  await form.getByLabel('Number').fill('1');
  await save(form);
  await form.getByText('Write a colour such as #c6162b.').waitFor();
  await form.getByLabel('Alarm colour', { exact: true }).fill('#b00020');
  await save(form);
  await form.getByText('This sensor already has a channel with this number.').waitFor();
  await expectAccessible(phone);
  await form.getByLabel('Number').fill('7');
  await form.getByLabel('Name').fill('TS');
  await save(form);
  await form.getByText('By "TS" a device says its time, and not a value. Choose another name.').waitFor();
  await form.getByLabel('Name').fill('Mains');
  await save(form);
  await phone.getByRole('button', { name: /7 Mains/ }).click();
  await panel('mains-1: Mains').getByLabel('Factor').fill('0.5');
  await save(panel('mains-1: Mains'));
  await phone.getByRole('button', { name: /7 Mains.*× 0.5/ }).waitFor();
  expect((await stored(app, 'sensor_channel', { name: 'Mains' }))[0]).toMatchObject({
    channel_number: 7,
    channel_factor: 0.5,
    channel_alarm_condition: 0,
    channel_major_alarm_status: true,
    channel_alarm_color: '#b00020',
  });
  await phone.getByRole('button', { name: /7 Mains/ }).click();
  await panel('mains-1: Mains').getByRole('button', { name: 'Delete' }).click();
  await confirm('Delete');
  await panel('mains-1').waitFor();
  expect(await stored(app, 'sensor_channel', { name: 'Mains' })).toEqual([]);
  await app.leave(phone);
});

test('a channel with an open alarm raises none by itself only after a question', async () => {
  const sensor = await createSensor(app.db, {
    customer: app.people.customer,
    site: await plantSite(app, 'Pump house', 'PH-1'),
    uid: 'mains-2',
    sensorType: 1,
    channels: [{ name: 'Supply', channel_alarm_condition: 0 }],
  });
  await sendByHttp(app, sensor.uid, sensor.token, '1=0');
  await settle(app);
  const datapoint = { tocsin_datapoint_uuid: sensor.channels[0]?.datapointUuid };
  const isOpen = async () => (await stored(app, 'alarm', datapoint)).map((alarm) => alarm.resolved_date === null);
  expect(await isOpen()).toEqual([true]);
  await page.goto(`/admin/sensors?record=${sensor.uuid}`);
  await page.getByRole('tab', { name: /Channels/ }).click();
  await page.getByRole('button', { name: /1 Supply/ }).click();
  const form = panel('mains-2: Supply');
  await form.getByLabel('Alarm by itself').selectOption('2');
  await save(form);
  const question = page.getByRole('dialog', { name: 'Switch off and resolve 1 open alarm?' });
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Keep on' }).click();
  await question.waitFor({ state: 'detached' });
  expect((await stored(app, 'sensor_channel', { name: 'Supply' }))[0].channel_alarm_condition).toBe(0);
  await save(form);
  await question.getByRole('button', { name: 'Switch off' }).click();
  await form.waitFor({ state: 'detached' });
  await settle(app);
  expect(await isOpen()).toEqual([false]);
});

describe('a data point', () => {
  const orders = async () =>
    (await stored(app, 'asset_datapoint', { tocsin_asset_uuid: plant.assetUuid }))
      .sort((a, b) => a.tocsin_asset_datapoint_order - b.tocsin_asset_datapoint_order)
      .map(({ tocsin_datapoint_name }) => tocsin_datapoint_name);

  /** The fields that people fill, as the specification lists them, and none besides. */
  const fields = [
    ...['tocsinDatapointName', 'uom', 'sensorType', 'status', 'tocsinAssetDatapointOrder', 'tocsinAssetUuid'],
    ...['tocsinSensorUuid', 'tocsinSensorChannelUuid', 'datapointColor', 'datapointTitleText', 'description'],
  ].sort();

  test('is made of a channel of its sensor, refused at the field where the asset has it, changed and deleted', async () => {
    const spare = await createSensor(app.db, { customer: app.people.customer, uid: 'spare-1' });
    const sent: { query: string; variables: any }[] = [];
    page.on('request', (request) => {
      const call = request.url().endsWith('/graphql') ? request.postDataJSON() : null;
      if (/^\s*mutation/.test(call?.query ?? '')) sent.push(call);
    });
    await page.goto('/admin/datapoints');
    await page.getByRole('button', { name: 'New data point' }).click();
    const form = panel('New data point');
    await form.getByLabel('Name').fill('Spare level');
    await form.getByLabel('Asset').fill(spare.site.name);
    await page.getByRole('option', { name: new RegExp(spare.site.name) }).click();
    // The asset brings its sensor along.
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
    await page.getByText('Spare level was saved.').waitFor();
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
    // The time of the last change that was seen tells whether somebody else changed it meanwhile.
    expect(Object.keys(updated.patch).sort()).toEqual([...fields, 'updatedAt'].sort());
    await page.getByRole('row', { name: /Spare level/ }).click();
    await edit.getByRole('button', { name: 'Delete' }).click();
    await confirm('Delete');
    await edit.waitFor({ state: 'detached' });
    expect(await stored(app, 'asset_datapoint', { tocsin_datapoint_name: 'Spare level' })).toEqual([]);
  });

  test('is put in its place by keys and by dragging', async () => {
    await page.goto(`/admin/datapoints?record=${plant.channels[0]?.datapointUuid}`);
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
    await expectAccessible(page);
  });
});
