import { connect } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, startConsole, troubles } from '../../harness/browser/console.ts';
import { goTo } from '../../harness/browser/settled.ts';
import { createSensor } from '../../harness/device/devices.ts';
import { long } from '../../harness/long.ts';
import { expectAccessible, narrow, wide } from '../support/accessible.ts';
import { inWindow, plantSite, sendByHttp, stored } from '../support/admin.ts';
import { settle } from '../support/alarm-plant.ts';

let app: ConsoleApp;
let page: Page;
beforeAll(async () => {
  app = await startConsole();
  await createSensor(app.db, {
    customer: app.people.customer,
    uid: 'plant-1',
    channels: [{ name: 'Level' }, { name: 'Flow' }, { name: 'Power' }],
  });
  page = await app.open('/admin/sensors', { as: app.people.manager });
});
afterAll(async () => {
  await app?.close();
  expect(troubles.splice(0)).toEqual([]);
});

const { panel, row, save, confirm, code } = inWindow(() => page);

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

describe('a sensor', () => {
  test('is registered, shows its token once, has working examples, and shows its first frame', async () => {
    await page.getByRole('button', { name: 'New sensor' }).click();
    const form = panel('New sensor');
    await save(form, 'Register');
    await form.getByText('Enter a UID').waitFor();
    await form.getByLabel('UID').focus();
    await page.keyboard.insertText('plant-1'.padEnd(65, '0'));
    await form.getByLabel('UID').blur();
    await form.getByText('Use at most 64 letters').waitFor();
    await form.getByLabel('UID').fill('plant-1');
    await save(form, 'Register');
    await form.getByText('Another sensor has this uid. Choose another.').waitFor();
    await form.getByLabel('UID').fill('pump-7');
    await form.getByLabel('Frame format').selectOption('key-value');
    await save(form, 'Register');
    const sensor = panel('pump-7');
    await sensor.getByText('the only time the token is shown').waitFor();
    await sensor.getByText('No frame has arrived yet').waitFor();
    await sensor.getByRole('img', { name: /QR code/ }).waitFor();
    const token = await code('token');
    const curl = await code('HTTP with curl');
    expect(curl).toContain(`Bearer ${token}`);
    expect(curl).toContain(`${new URL(page.url()).origin}/api/v1/ingest/pump-7`);
    expect(await code('MQTT with mosquitto_pub')).toContain(`-p ${app.gateway?.mqttPort} -u pump-7 -P "${token}"`);
    const [, line, port] = /^echo "(.+)" \| nc -N \S+ (\d+)$/.exec(await code('TCP with nc')) ?? [];
    expect(await sendLine(Number(port), line ?? '')).toContain('OK');
    await sensor.getByText(/Frame rejected/).waitFor();
    await sensor.getByText('by TCP').waitFor();
    await sensor.getByText('The sensor has no channel "1".').waitFor();
    await expectAccessible(page, '[data-panel]');

    await sensor.getByRole('button', { name: 'Add channel' }).waitFor();
    await sensor.getByRole('button', { name: 'New token' }).click();
    await confirm('Create token');
    await page.getByText('pump-7 has a new token.').waitFor();
    expect(await code('token')).not.toBe(token);
    expect(await sendByHttp(app, 'pump-7', token, '1=1')).toBe(401);
    expect(await sendByHttp(app, 'pump-7', await code('token'), '1=1')).toBe(200);
    // The sensor still has no channel, because its device's frame was rejected.
    app.clock.advance(1000);
    expect(await sendByHttp(app, 'pump-7', token, '1=1')).toBe(401);
    await page.reload();
    await sensor.getByRole('tab', { name: 'Device' }).click();
    await sensor.getByText('The device was rejected').waitFor();
    await sensor.getByRole('button', { name: 'Add channel' }).waitFor();
    await sensor.getByText('The token was shown once').waitFor();
    expect(await code('HTTP with curl')).toContain('Bearer $TOKEN');

    await sensor.getByRole('button', { name: 'Revoke token' }).click();
    await confirm('Revoke token');
    await sensor.getByText('This sensor has no token, so its device cannot sign in. Create a token.').waitFor();
    expect(await sensor.getByRole('button', { name: 'Revoke token' }).count()).toBe(0);
    expect(await sensor.getByText('The token was shown once').count()).toBe(0);
    await sensor.getByRole('button', { name: 'Create token' }).click();
    await confirm('Create token');
    await sensor.getByText('the only time the token is shown').waitFor();
    await sensor.getByRole('button', { name: 'Revoke token' }).waitFor();
  });

  test('behind a gateway sensor receives its frames and commands through it', async () => {
    const { customer } = app.people;
    const gateway = await createSensor(app.db, { customer, uid: 'gw-1' });
    const columns = { tocsin_gateway_uuid: gateway.uuid };
    const behind = await createSensor(app.db, { customer, uid: 'behind-1', columns });
    await goTo(page, `/admin/sensors?record=${behind.uuid}`);
    const sensor = panel('behind-1');
    await sensor.getByRole('tab', { name: 'Device' }).click();
    await sensor.getByText('The gateway gw-1 has not forwarded any values yet.').waitFor();
    const command = await code('HTTP with curl, through the gateway gw-1 with its token');
    const [, body, url] = /-d '(.+)' (\S+)$/.exec(command) ?? [];
    expect(new URL(url ?? '').pathname).toBe('/api/v1/ingest');
    const answer = await fetch(`${app.url}/api/v1/ingest`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.token}`, 'content-type': 'application/json' },
      body: body ?? '',
    });
    expect(await answer.json()).toMatchObject({ results: [{ uid: 'behind-1', accepted: 1 }] });
    await settle(app);
    await sensor.getByText(/^Data arrived through the gateway gw-1, .+ ago$/).waitFor();
    await sensor.getByRole('link', { name: 'sensor log' }).click();
    await page.waitForURL(/sensor-log\?.*q=gw-1/);
  });

  test('is changed; the second of two users who save sees the changes of the first, and a deletion lists what it removes', async () => {
    const sensor = await createSensor(app.db, { customer: app.people.customer, uid: 'shared-1' });
    await goTo(page, `/admin/sensors?q=shared-1&record=${sensor.uuid}`);
    const form = panel('shared-1');
    await form.getByLabel('Description').fill('Mine');
    const other = await app.browser(app.people.owner);
    await other.data(
      `mutation ($uuid: UUID!) { updateSensor(input: { uuid: $uuid, patch: { description: "Theirs" } }) { sensor { uuid } } }`,
      { uuid: sensor.uuid },
    );
    await form.getByLabel('Status').selectOption('2');
    await save(form);
    await page.getByRole('cell', { name: 'Theirs', exact: true }).waitFor();
    await confirm('Save my values');
    await form.waitFor({ state: 'detached' });
    expect((await stored(app, 'sensor', { uuid: sensor.uuid }))[0]).toMatchObject({ description: 'Mine', status: 2 });

    await row('shared-1').click();
    await form.getByLabel('Description').fill('Half typed');
    await page.keyboard.press('Escape');
    await confirm('Stay');
    await form.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByText('1 channel with its readings').waitFor();
    await page.getByRole('dialog').getByText('1 data point').waitFor();
    await confirm('Delete');
    await form.waitFor({ state: 'detached' });
    expect(await stored(app, 'sensor', { uuid: sensor.uuid })).toEqual([]);
  });

  test('is disabled together with others, and their devices are refused', async () => {
    const one = await createSensor(app.db, { customer: app.people.customer, uid: 'bulk-1' });
    await createSensor(app.db, { customer: app.people.customer, uid: 'bulk-2' });
    await goTo(page, '/admin/sensors?q=bulk');
    await page.getByText('bulk-2').waitFor();
    await page.getByLabel('Select all on this page').check();
    await page.getByRole('button', { name: 'Disabled' }).click();
    await confirm('Set to disabled');
    await page.getByText('2 sensors set to disabled.').waitFor();
    await expect.poll(() => sendByHttp(app, 'bulk-1', one.token, '1=1')).toBe(403);
  });

  test('is found by its description and by its site', async () => {
    const site = await plantSite(app, 'Kelder Road', 'KR-1');
    const columns = { description: 'Behind the weir' };
    await createSensor(app.db, { customer: app.people.customer, uid: 'found-1', site, columns });
    await createSensor(app.db, { customer: app.people.customer, uid: 'found-2', columns });
    await page.getByPlaceholder(/UID, description, site or asset/).fill('weir kelder');
    await page.getByText('found-1').waitFor();
    await page.getByText('found-2').waitFor({ state: 'detached' });
    expect(await page.getByRole('row').count()).toBe(2);
  });
});

describe('a channel', () => {
  test('on a phone is created, previewed, refused if its number or name is taken, changed and deleted', async () => {
    const sensor = await createSensor(app.db, { customer: app.people.customer, uid: 'mains-1', sensorType: 1 });
    await page.setViewportSize(narrow);
    await page.emulateMedia({ colorScheme: 'dark' });
    await goTo(page, `/admin/sensors?record=${sensor.uuid}`);
    await page.getByRole('tab', { name: /Channels/ }).click();
    await page.getByRole('button', { name: 'New channel' }).click();
    const form = panel('mains-1: new channel');
    expect(await form.getByLabel('Number').inputValue()).toBe('2');
    // No field has the focus, because the keyboard of a phone would cover the form.
    expect(await page.evaluate('document.activeElement?.getAttribute("data-path")')).toBeNull();
    await form.getByLabel('Name').fill('Mains');
    await form.getByLabel('Text when low').fill('Off');
    await form.getByLabel('Digital alarm').selectOption('0');
    await form.getByLabel('Major alarm').check();
    const preview = form.getByRole('region', { name: 'Preview of the tile' });
    await preview.getByLabel('Device sends').selectOption('0');
    await preview.getByText('Off').waitFor();
    await preview.getByText('Major').waitFor();
    await form.getByLabel('Alarm colour', { exact: true }).fill('red');
    await form.getByLabel('Number').fill('1');
    await save(form);
    await form.getByText('Enter a colour, such as #c6162b.').waitFor();
    await form.getByLabel('Alarm colour', { exact: true }).fill('#b00020');
    await save(form);
    await form.getByText('This sensor already has a channel with this number.').waitFor();
    await expectAccessible(page, '[data-panel]');
    await form.getByLabel('Number').fill('7');
    await form.getByLabel('Name').fill('TS');
    await save(form);
    await form.getByText('Devices use "TS" for the time, not for a value. Choose another name.').waitFor();
    await form.getByLabel('Name').fill('Mains');
    await save(form);
    await page.getByRole('button', { name: /7 Mains/ }).click();
    await panel('mains-1: Mains').getByLabel('Factor').fill('0.5');
    await save(panel('mains-1: Mains'));
    await page.getByRole('button', { name: /7 Mains.*× 0.5/ }).waitFor();
    expect((await stored(app, 'sensor_channel', { name: 'Mains' }))[0]).toMatchObject({
      channel_number: 7,
      channel_factor: 0.5,
      channel_alarm_condition: 0,
      channel_major_alarm_status: true,
      channel_alarm_color: '#b00020',
    });
    await page.getByRole('button', { name: /7 Mains/ }).click();
    await panel('mains-1: Mains').getByRole('button', { name: 'Delete' }).click();
    await confirm('Delete');
    await panel('mains-1').waitFor();
    expect(await stored(app, 'sensor_channel', { name: 'Mains' })).toEqual([]);
    await page.setViewportSize(wide);
    await page.emulateMedia({ colorScheme: 'light' });
  });

  long('with an open alarm loses its digital alarm only after a confirmation', async () => {
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
    await goTo(page, `/admin/sensors?record=${sensor.uuid}`);
    await page.getByRole('tab', { name: /Channels/ }).click();
    await page.getByRole('button', { name: /1 Supply/ }).click();
    const form = panel('mains-2: Supply');
    await form.getByLabel('Digital alarm').selectOption('2');
    await save(form);
    const question = page.getByRole('dialog', { name: 'Switch off and resolve 1 open alarm?' });
    await expectAccessible(page, '[role=dialog]');
    await question.getByRole('button', { name: 'Keep on' }).click();
    await question.waitFor({ state: 'detached' });
    expect((await stored(app, 'sensor_channel', { name: 'Supply' }))[0].channel_alarm_condition).toBe(0);
    await save(form);
    await question.getByRole('button', { name: 'Switch off' }).click();
    await form.waitFor({ state: 'detached' });
    await settle(app);
    expect(await isOpen()).toEqual([false]);
  });
});
