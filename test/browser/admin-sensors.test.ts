import { connect } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, startConsole, troubles } from '../harness/console.ts';
import { createSensor, type TestSensor } from '../harness/devices.ts';
import { serviceQuery } from '../harness/factories.ts';
import { expectAccessible } from './accessible.ts';

let app: ConsoleApp;
let plant: TestSensor;
beforeAll(async () => {
  app = await startConsole();
  plant = await createSensor(app.db, {
    customer: app.people.customer,
    uid: 'plant-1',
    channels: [{ name: 'Level' }, { name: 'Flow' }, { name: 'Power' }],
  });
});
afterAll(async () => {
  await app?.close();
  expect(troubles.splice(0)).toEqual([]);
});

const as = () => ({ as: app.people.manager });
const panelOf = (page: Page, name: string | RegExp) =>
  page.getByRole('complementary', { name, exact: typeof name === 'string' });
const save = (page: Page, name: string | RegExp, button = 'Save') =>
  panelOf(page, name).getByRole('button', { name: button, exact: true }).click();
const confirm = (page: Page, button: string) =>
  page.getByRole('dialog').getByRole('button', { name: button, exact: true }).click();
const codeOf = async (page: Page, label: string) =>
  (await page
    .locator('div', { has: page.getByRole('button', { name: `Copy: ${label}` }) })
    .last()
    .locator('code')
    .textContent()) ?? '';

async function send(uid: string, token: string, body: string): Promise<number> {
  const answer = await fetch(`${app.url}/api/v1/ingest/${uid}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'text/plain' },
    body,
  });
  await answer.text();
  return answer.status;
}

function sendLine(port: number, line: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.end(`${line}\n`));
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('end', () => resolve(answer.trim()));
    socket.on('error', reject);
  });
}

async function rowsOf<R extends object = any>(table: string, where: string, value: string): Promise<R[]> {
  return serviceQuery<R>(app.db, `select * from tocsin.${table} where ${where} = $1`, [value]);
}

describe('a sensor', () => {
  test('is registered, its token shown once, its examples work, and its first frame is seen to arrive', async () => {
    const page = await app.open('/admin/sensors', as());
    await page.getByRole('button', { name: 'New sensor' }).click();
    const form = panelOf(page, 'New sensor');
    await save(page, 'New sensor', 'Register');
    await form.getByText('Give the sensor a UID').waitFor();
    await form.getByLabel('UID').fill('plant-1');
    await save(page, 'New sensor', 'Register');
    await form.getByText('Another sensor has this uid. Choose another.').waitFor();
    await form.getByLabel('UID').fill('pump-7');
    await form.getByLabel('Frame format').selectOption('key-value');
    await save(page, 'New sensor', 'Register');
    const panel = panelOf(page, 'pump-7');
    await panel.getByText('the only time the token is shown').waitFor();
    await panel.getByText('No frame has arrived yet').waitFor();
    await panel.getByRole('img', { name: /QR code/ }).waitFor();
    const token = await codeOf(page, 'token');
    const curl = await codeOf(page, 'HTTP with curl');
    expect(curl).toContain(`Bearer ${token}`);
    expect(curl).toContain(`${new URL(page.url()).origin}/api/v1/ingest/pump-7`);
    expect(await codeOf(page, 'MQTT with mosquitto_pub')).toContain(
      `-p ${app.gateway?.mqttPort} -u pump-7 -P "${token}"`,
    );
    const [, line, port] = /^echo "(.+)" \| nc -N \S+ (\d+)$/.exec(await codeOf(page, 'TCP with nc')) ?? [];
    expect(await sendLine(Number(port), line ?? '')).toContain('OK');
    await panel.getByText(/A frame arrived/).waitFor();
    await panel.getByText('by TCP').waitFor();
    await expectAccessible(page);

    await panel.getByRole('button', { name: 'New token' }).click();
    await confirm(page, 'Make a new token');
    await page.getByText('pump-7 has a new token.').waitFor();
    expect(await codeOf(page, 'token')).not.toBe(token);
    expect(await send('pump-7', token, '1=1')).toBe(401);
    expect(await send('pump-7', await codeOf(page, 'token'), '1=1')).toBe(200);
    await page.reload();
    await panel.getByRole('tab', { name: 'Device' }).click();
    await panel.getByText('The token was shown once').waitFor();
    expect(await codeOf(page, 'HTTP with curl')).toContain('Bearer $TOKEN');
    await app.leave(page);
  });

  test('is changed; whoever saves second is told what changed and chooses', async () => {
    const sensor = await createSensor(app.db, { customer: app.people.customer, uid: 'shared-1' });
    const page = await app.open(`/admin/sensors?record=${sensor.uuid}`, as());
    const panel = panelOf(page, 'shared-1');
    await panel.getByLabel('Description').fill('Mine');
    const other = await app.browser(app.people.owner);
    await other.data(
      `mutation ($uuid: UUID!) { updateSensor(input: { uuid: $uuid, patch: { description: "Theirs" } }) { sensor { uuid } } }`,
      { uuid: sensor.uuid },
    );
    await panel.getByLabel('Status').selectOption('2');
    await save(page, 'shared-1');
    await page.getByRole('cell', { name: 'Theirs', exact: true }).waitFor();
    await confirm(page, 'Save mine');
    await panel.waitFor({ state: 'detached' });
    expect((await rowsOf('sensor', 'uuid', sensor.uuid))[0]).toMatchObject({ description: 'Mine', status: 2 });
    await app.leave(page);
  });

  test('asks before what was typed is left, and says what a deletion takes along', async () => {
    const sensor = await createSensor(app.db, { customer: app.people.customer, uid: 'old-1' });
    const page = await app.open(`/admin/sensors?record=${sensor.uuid}`, as());
    await panelOf(page, 'old-1').getByLabel('Description').fill('Half typed');
    await page.keyboard.press('Escape');
    await confirm(page, 'Stay');
    await panelOf(page, 'old-1').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByText('1 channel').waitFor();
    await page.getByRole('dialog').getByText('1 data point with its history').waitFor();
    await confirm(page, 'Delete');
    await panelOf(page, 'old-1').waitFor({ state: 'detached' });
    expect(await rowsOf('sensor', 'uuid', sensor.uuid)).toEqual([]);
    await app.leave(page);
  });

  test('many are disabled at once, and their devices are refused', async () => {
    const one = await createSensor(app.db, { customer: app.people.customer, uid: 'bulk-1' });
    await createSensor(app.db, { customer: app.people.customer, uid: 'bulk-2' });
    const page = await app.open('/admin/sensors?q=bulk', as());
    await page.getByText('bulk-2').waitFor();
    await page.getByLabel('Select all on this page').check();
    await page.getByRole('button', { name: 'Disabled' }).click();
    await confirm(page, 'Set to disabled');
    await page.getByText('2 sensors set to disabled.').waitFor();
    await expect.poll(() => send('bulk-1', one.token, '1=1')).toBe(403);
    await app.leave(page);
  });

  test('is kept by a partner too, without the plant behind it', async () => {
    const page = await app.open('/admin/sensors', { as: app.people.partner });
    await page.getByRole('button', { name: 'New sensor' }).waitFor();
    await page.getByText('plant-1').waitFor();
    expect(await page.getByRole('columnheader', { name: 'Site' }).count()).toBe(0);
    await app.leave(page);
  });
});

test('a channel is made, previewed, refused where its number is taken, changed and deleted', async () => {
  const sensor = await createSensor(app.db, { customer: app.people.customer, uid: 'mains-1', sensorType: 1 });
  const page = await app.open(`/admin/sensors?record=${sensor.uuid}`, { ...as(), phone: true, dark: true });
  await page.getByRole('tab', { name: /Channels/ }).click();
  await page.getByRole('button', { name: 'New channel' }).click();
  const form = panelOf(page, 'mains-1: new channel');
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
  await save(page, 'mains-1: new channel');
  await form.getByText('Write a colour such as #c6162b.').waitFor();
  await form.getByLabel('Alarm colour', { exact: true }).fill('#b00020');
  await save(page, 'mains-1: new channel');
  await form.getByText('This sensor already has a channel with this number.').waitFor();
  await expectAccessible(page);
  await form.getByLabel('Number').fill('7');
  await save(page, 'mains-1: new channel');
  await page.getByRole('button', { name: /7 Mains/ }).click();
  await panelOf(page, 'mains-1: Mains').getByLabel('Factor').fill('0.5');
  await save(page, 'mains-1: Mains');
  await page.getByRole('button', { name: /7 Mains.*× 0.5/ }).waitFor();
  expect((await rowsOf('sensor_channel', 'name', 'Mains'))[0]).toMatchObject({
    channel_number: 7,
    channel_factor: 0.5,
    channel_alarm_condition: 0,
    channel_major_alarm_status: true,
    channel_alarm_color: '#b00020',
  });
  await page.getByRole('button', { name: /7 Mains/ }).click();
  await panelOf(page, 'mains-1: Mains').getByRole('button', { name: 'Delete' }).click();
  await confirm(page, 'Delete');
  await panelOf(page, 'mains-1').waitFor();
  expect(await rowsOf('sensor_channel', 'name', 'Mains')).toEqual([]);
  await app.leave(page);
});

describe('a data point', () => {
  const orders = async () =>
    (await rowsOf('asset_datapoint', 'tocsin_asset_uuid', plant.assetUuid))
      .sort((a, b) => a.tocsin_asset_datapoint_order - b.tocsin_asset_datapoint_order)
      .map(({ tocsin_datapoint_name }) => tocsin_datapoint_name);

  test('is made of a channel of its sensor, refused at the field where the asset has it, changed and deleted', async () => {
    const spare = await createSensor(app.db, { customer: app.people.customer, uid: 'spare-1' });
    const page = await app.open('/admin/datapoints', as());
    await page.getByRole('button', { name: 'New data point' }).click();
    const form = panelOf(page, 'New data point');
    await form.getByLabel('Name').fill('Spare level');
    await form.getByLabel('Asset').fill(spare.site.name);
    await page.getByRole('option', { name: new RegExp(spare.site.name) }).click();
    await form.getByLabel('Sensor').fill('spare-1');
    await page.getByRole('option', { name: 'spare-1' }).click();
    await form.getByLabel('Channel').selectOption({ label: '1 Channel 1' });
    expect(await form.getByLabel('Channel').locator('option').allInnerTexts()).toEqual(['Choose', '1 Channel 1']);
    await save(page, 'New data point');
    await form.getByText('The asset already has a data point for this sensor and channel.').waitFor();
    expect(await form.getByLabel('Channel').getAttribute('aria-invalid')).toBe('true');
    await form.getByLabel('Sensor').fill('plant-1');
    await page.getByRole('option', { name: 'plant-1' }).click();
    await form.getByLabel('Channel').selectOption({ label: '2 Flow' });
    await form.getByLabel('Unit').fill('m³/h');
    await save(page, 'New data point');
    await page.getByText('Spare level was saved.').waitFor();
    await page.getByRole('row', { name: /Spare level/ }).click();
    const edit = panelOf(page, 'Spare level');
    await edit.getByLabel('State').selectOption('1');
    await save(page, 'Spare level');
    await edit.waitFor({ state: 'detached' });
    expect((await rowsOf('asset_datapoint', 'tocsin_datapoint_name', 'Spare level'))[0]).toMatchObject({
      uom: 'm³/h',
      status: 1,
    });
    await page.getByRole('row', { name: /Spare level/ }).click();
    await edit.getByRole('button', { name: 'Delete' }).click();
    await confirm(page, 'Delete');
    await edit.waitFor({ state: 'detached' });
    expect(await rowsOf('asset_datapoint', 'tocsin_datapoint_name', 'Spare level')).toEqual([]);
    await app.leave(page);
  });

  test('is put in its place by keys and by dragging', async () => {
    const page = await app.open(`/admin/datapoints?record=${plant.channels[0]?.datapointUuid}`, as());
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
    await app.leave(page);
  });
});
